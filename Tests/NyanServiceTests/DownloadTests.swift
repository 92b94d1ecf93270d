import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Downloads from the wish to the file.
@Suite(.timeLimit(.minutes(1)))
struct DownloadTests {
    let rig = Rig()

    private func state(_ number: Int64) -> Download.State? { rig.downloads.machine[track(number).id]?.state }

    private func add(_ numbers: Int64...) async throws -> Int {
        await rig.account.ready()
        rig.hub.flush()
        return try await rig.downloads.add(numbers.map { track($0) })
    }

    @Test("A download becomes a file, a copy the library knows, and nothing else stays")
    func whole() async throws {
        #expect(try await add(1) == 1)
        try await rig.bring(track(1).id)
        #expect(await until { self.state(1) == .done })
        #expect(rig.library.copies.map(\.id) == [track(1).id])
        #expect(rig.finisher.files == ["/no such folder/Artist 1 - Title 1.mp3": track(1).id])
        #expect(rig.copies.growing.isEmpty)
        #expect(await until { self.rig.library.rows[track(1).id]?.state == .done })
        #expect(try await add(1) == 0)
    }

    @Test("A wish is on disk when it is answered")
    func durable() async throws {
        await rig.account.ready()
        rig.library.latch.shut()
        var isAnswered = false
        let answer = Task {
            _ = try await rig.downloads.add([track(1)])
            isAnswered = true
        }
        await settle()
        #expect(!isAnswered && rig.library.rows.isEmpty)
        rig.library.latch.open()
        try await answer.value
        #expect(rig.library.rows.keys.map { $0 } == [track(1).id])
    }

    @Test("No more than so many are fetched at once, in the order of the wishes")
    func parallel() async throws {
        #expect(try await add(1, 2, 3) == 3)
        #expect(await until { self.rig.fetcher.running.count == 2 })
        await settle()
        #expect(rig.fetcher.running.count == 2 && state(3) == .waiting)
        try await rig.bring(track(1).id)
        #expect(await rig.transfer(of: track(3).id) != nil)
    }

    @Test("A track that is played and downloaded is fetched once")
    func playedToo() async throws {
        rig.player.perform(.playTracks([track(1)], startAt: 0))
        #expect(try await add(1) == 1)
        try await rig.bring(track(1).id)
        #expect(await until { self.state(1) == .done })
        #expect(rig.fetcher.starts.count == 1 && rig.source.resolved.count == 1)
        #expect(rig.player.state.status == .playing && rig.player.buffered == 1)
    }

    @Test("A cancelled download leaves no transfer, no bytes, no row")
    func cancel() async throws {
        _ = try await add(1)
        let transfer = try #require(await rig.transfer(of: track(1).id))
        try transfer.bring(500, of: 1000)
        #expect(try await rig.downloads.cancel(nil) == 1)
        #expect(transfer.isCancelled && rig.copies.growing.isEmpty && rig.library.rows.isEmpty)
    }

    /// Where a cancel can come while a file is being made.
    enum Moment: String, CaseIterable { case naming, knowing }

    @Test("A download cancelled while it is finished leaves no file and no copy", arguments: Moment.allCases)
    func cancelWhileFinishing(_ moment: Moment) async throws {
        _ = try await add(1)
        let latch = moment == .naming ? rig.finisher.latch : rig.library.latch
        await settle()
        latch.shut()
        try await rig.bring(track(1).id)
        #expect(await until { latch.held >= 1 && self.rig.finisher.finished == [track(1).id] })
        let cancelled = Task { try await rig.downloads.cancel([track(1).id]) }
        await settle()
        latch.open()
        #expect(try await cancelled.value == 1)
        #expect(await until { self.rig.finisher.files.isEmpty })
        await settle()
        #expect(rig.library.copies.isEmpty && rig.library.rows.isEmpty && rig.downloads.list.isEmpty)
    }

    @Test("A download wished for again while its cancelled file is still being made is fetched anew")
    func cancelAndAgain() async throws {
        _ = try await add(1)
        rig.finisher.latch.shut()
        try await rig.bring(track(1).id)
        #expect(await until { rig.finisher.latch.held == 1 })
        let cancelled = Task { try await rig.downloads.cancel(nil) }
        #expect(await until { rig.downloads.list.isEmpty })
        #expect(try await add(1) == 1)
        rig.finisher.latch.open()
        #expect(await until { rig.finisher.files.isEmpty })
        #expect(try await cancelled.value == 1)
        #expect(await rig.transfer(of: track(1).id)?.copy.received == 0)
        try await rig.bring(track(1).id)
        #expect(await until { self.state(1) == .done })
        #expect(rig.library.copies.count == 1 && rig.finisher.files.count == 1)
    }

    @Test("A file that was in My Music before is neither made again nor removed by a cancel")
    func earlierFile() async throws {
        let earlier = FinishedCopy(id: track(1).id, path: "/no such folder/mine.mp3", bytes: 5)
        rig.finisher.put(earlier.path, earlier.id)
        _ = try await add(1)
        let transfer = try #require(await rig.transfer(of: track(1).id))
        rig.library.put(copies: [earlier])
        try transfer.finish()
        #expect(await until { self.state(1) == .done })
        _ = try? await rig.downloads.cancel(nil)
        #expect(rig.finisher.files == [earlier.path: earlier.id] && rig.finisher.finished.isEmpty)
        #expect(rig.library.copies == [earlier])
    }

    @Test(
        "A cancel while a file is finished leaves an older file of the track that gave way",
        arguments: Moment.allCases)
    func cancelKeepsOlder(_ moment: Moment) async throws {
        let path = "/no such folder/Artist 1 - Title 1.mp3"
        rig.finisher.put(path, track(1).id)
        _ = try await add(1)
        let latch = moment == .naming ? rig.finisher.latch : rig.library.latch
        await settle()
        latch.shut()
        try await rig.bring(track(1).id)
        #expect(await until { latch.held >= 1 && self.rig.finisher.finished == [track(1).id] })
        let cancelled = Task { try? await rig.downloads.cancel([track(1).id]) }
        await settle()
        latch.open()
        #expect(await cancelled.value == 1)
        await settle()
        #expect(rig.finisher.files == [path: track(1).id])
        #expect(rig.library.copies.map(\.path) == (moment == .naming ? [] : [path]))
        #expect(rig.library.rows.isEmpty && rig.downloads.list.isEmpty)
    }

    /// What the folder of a copy looks like whose file is not in it.
    enum Place: String, CaseIterable { case away, empty, others }

    @Test("A cancel while a file is finished leaves what the library knew of a disk that may be away")
    func cancelKeepsRow() async throws {
        let place = try MusicPlace(.empty)
        let copy = FinishedCopy(id: track(1).id, path: "\(place.path)/mine.mp3", bytes: 5)
        rig.library.put(profile: [track(1)], copies: [copy])
        _ = try await add(1)
        await settle()
        rig.library.latch.shut()
        try await rig.bring(track(1).id)
        #expect(await until { self.rig.library.latch.held >= 1 && !self.rig.finisher.finished.isEmpty })
        let cancelled = Task { try? await rig.downloads.cancel([track(1).id]) }
        await settle()
        rig.library.latch.open()
        #expect(await cancelled.value == 1)
        #expect(await until { self.rig.finisher.files.isEmpty })
        #expect(rig.library.copies == [copy])
    }

    @Test(
        "A copy whose file was deleted by hand is fetched anew; one whose disk is away is not",
        arguments: Place.allCases)
    func deletedByHand(_ place: Place) async throws {
        let folder = try MusicPlace(place)
        rig.finisher.folder = folder.path
        let copy = FinishedCopy(id: track(1).id, path: "\(folder.path)/mine.mp3", bytes: 5)
        rig.library.put(profile: [track(1)], copies: [copy])
        #expect(try await add(1) == (place == .away ? 0 : 1))
        // An empty folder may be where a disk goes: nothing is forgotten for it.
        #expect(rig.library.copies == (place == .others ? [] : [copy]))
        guard place != .away else { return }
        try await rig.bring(track(1).id)
        #expect(await until { self.state(1) == .done })
        #expect(rig.library.copies.map(\.path) == ["\(folder.path)/Artist 1 - Title 1.mp3"])
    }

    @Test("Playing forgets a copy only where its file is missing among others", arguments: Place.allCases)
    func playedCopy(_ place: Place) async throws {
        let folder = try MusicPlace(place)
        let copy = FinishedCopy(id: track(1).id, path: "\(folder.path)/mine.mp3", bytes: 5)
        rig.library.put(profile: [track(1)], copies: [copy])
        await rig.account.ready()
        try await rig.play([track(1)])
        #expect(rig.library.copies == (place == .others ? [] : [copy]))
    }

    @Test("Where the list was lost no growing file is taken for left over")
    func lostList() async {
        rig.copies.leave(track(1).id, MemorySink(bytes: 400), durable: true)
        await rig.downloads.restore(sweeping: false)
        #expect(rig.copies.growing == [track(1).id])
    }

    @Test("A finish that fails for another reason than the sound is tried again without a second fetch")
    func finishAgain() async throws {
        rig.finisher.fail([Failure(.conflict, "in use", retry: .later)])
        _ = try await add(1)
        try await rig.bring(track(1).id)
        #expect(await until { self.rig.downloads.machine[track(1).id]?.failure?.code == .conflict })
        rig.time.advance(by: .seconds(2))
        #expect(await until { self.state(1) == .done })
        #expect(rig.fetcher.starts.count == 1)
    }

    @Test("A sound that came damaged is fetched anew, from its first byte")
    func damaged() async throws {
        rig.finisher.fail([Failure(.damagedSound, "broken", retry: .later)])
        _ = try await add(1)
        try await rig.bring(track(1).id)
        #expect(await until { self.state(1) == .waiting })
        rig.time.advance(by: .seconds(2))
        let again = try #require(await rig.transfer(of: track(1).id))
        #expect(again.copy.received == 0 && rig.fetcher.starts.count == 2)
    }

    @Test("What a crash left goes on by itself; growing files that nobody wishes for are removed")
    func restore() async throws {
        rig.library.put(downloads: [
            Download(track: track(1), state: .running, received: 400, order: 1),
            Download(track: track(2), state: .done, order: 2),
        ])
        for number in [1, 2, 3] as [Int64] {
            rig.copies.leave(track(number).id, MemorySink(bytes: 400), durable: true)
        }
        await rig.downloads.restore()
        let transfer = try #require(await rig.transfer(of: track(1).id))
        #expect(transfer.copy.received == 400)
        #expect(rig.copies.growing == [track(1).id])
    }

    @Test("Where the list cannot be read no growing file is taken for left over")
    func unreadable() async {
        rig.copies.leave(track(1).id, MemorySink(bytes: 400), durable: true)
        rig.library.failReading(Failure(.fileAccess, "cannot read"))
        await rig.downloads.restore()
        #expect(rig.copies.growing == [track(1).id])
    }

    @Test("A wish that comes before the stored list was read is kept")
    func earlyWish() async throws {
        rig.library.put(downloads: [Download(track: track(1), order: 1)])
        let restored = Task { await rig.downloads.restore() }
        let added = Task { try await rig.downloads.add([track(2)]) }
        #expect(try await added.value == 1)
        await restored.value
        #expect(rig.downloads.list.map(\.track) == [track(1), track(2)])
    }

    @Test("Each id that readers are told of is either changed or gone")
    func changes() async throws {
        _ = try await add(1, 2)
        _ = rig.downloads.takeChanges()
        _ = try await rig.downloads.cancel([track(1).id, track(2).id])
        _ = try await add(2)
        let (changed, removed) = rig.downloads.takeChanges()
        #expect(changed.map(\.id) == [track(2).id] && removed == [track(1).id])
        let nothing = rig.downloads.takeChanges()
        #expect(nothing.changed.isEmpty && nothing.removed.isEmpty)
    }
}
