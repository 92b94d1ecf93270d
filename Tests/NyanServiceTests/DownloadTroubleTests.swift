import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Folders whose answer takes as long as a test wants.
private final class SlowRooms: RoomSource {
    let latch = Latch()
    func rooms() async -> [FolderRoom] {
        await latch.pass()
        return [FolderRoom("/music", for: .music, .away)]
    }
}

/// Moments in which several things happen to downloads at once, and what goes on by itself afterwards.
@Suite(.timeLimit(.minutes(1)))
struct DownloadTroubleTests {
    let rig = Rig(parallel: 1)
    let rooms = ScriptedRooms()

    private func add(_ numbers: ClosedRange<Int64>) async throws {
        await rig.account.ready()
        rig.hub.flush()
        _ = try await rig.downloads.add(numbers.map { track($0) })
    }

    private func states() -> [Download.State] { rig.downloads.list.map(\.state) }

    /// Holds the list: track 1 met a full disk, 2 and 3 wait.
    private func fill() async throws {
        rig.downloads.rooms = rooms
        rooms.set(.free(100))
        rig.finisher.fail([Failure(.diskFull, "no room in /music", retry: .later)])
        try await add(1...3)
        try await rig.bring(track(1).id)
        #expect(await until { self.states() == [.failed, .waiting, .waiting] && !self.rig.time.waits.isEmpty })
    }

    @Test("What comes to its end while a cancel is remembered is cancelled like the rest, and leaves no file")
    func cancelWindow() async throws {
        try await add(1...2)
        let transfer = try #require(await rig.transfer(of: track(1).id))
        let latch = Latch()
        latch.shut()
        rig.downloads.onWish = { _ in await latch.pass() }
        let cancelled = Task { try await rig.downloads.cancel(nil) }
        #expect(await until { latch.held == 1 })
        if !transfer.isCancelled { try transfer.finish() }
        await settle()
        latch.open()
        #expect(try await cancelled.value == 2)
        await settle()
        #expect(rig.finisher.files.isEmpty && rig.library.copies.isEmpty)
        #expect(rig.library.rows.isEmpty && rig.downloads.list.isEmpty)
    }

    @Test("A rule does not bring back what the person cancels in this moment")
    func cancelAndRule() async throws {
        try await add(1...2)
        let latch = Latch()
        latch.shut()
        rig.downloads.onWish = { _ in await latch.pass() }
        let cancelled = Task { try await rig.downloads.cancel([track(1).id]) }
        #expect(await until { latch.held == 1 })
        #expect(try await rig.downloads.addAgain([track(1), track(3)]) == 1)
        latch.open()
        #expect(try await cancelled.value == 1)
        #expect(rig.downloads.list.map(\.id) == [track(2).id, track(3).id])
    }

    @Test("Removals that a full disk kept from the database are written with whatever is written next")
    func unremoved() async throws {
        try await add(1...3)
        rig.library.fail(Failure(.diskFull, "no room", retry: .later))
        await #expect(throws: Failure.self) { try await rig.downloads.cancel([track(2).id]) }
        #expect(rig.library.rows[track(2).id] != nil)
        rig.library.fail(nil)
        try await rig.downloads.pause([track(3).id])
        #expect(await until { rig.library.rows[track(2).id] == nil })
        #expect(rig.library.rows[track(3).id]?.state == .paused)
    }

    @Test("They are written as soon as there is room again")
    func unremovedRoom() async throws {
        try await fill()
        rig.library.fail(Failure(.diskFull, "no room", retry: .later))
        await #expect(throws: Failure.self) { try await rig.downloads.cancel([track(2).id]) }
        rig.library.fail(nil)
        rooms.set(.free(1 << 40))
        rig.time.advance(by: .seconds(2))
        #expect(await until { rig.library.rows[track(2).id] == nil })
    }

    @Test("Whatever shows a reason can be tried again by name; whatever shows none cannot")
    func retryNamed() async throws {
        try await fill()
        #expect(try await rig.downloads.retry([track(2).id]) == 1)
        #expect(rig.downloads.problem == nil)
        #expect(await rig.transfer(of: track(2).id) != nil)
        await #expect(throws: Failure.self) { try await rig.downloads.retry([track(3).id]) }
        await #expect(throws: Failure.self) { try await rig.downloads.retry([track(9).id]) }
    }

    @Test("One that backs off can be tried again by name, at once")
    func retryWaiting() async throws {
        try await add(1...1)
        try #require(await rig.transfer(of: track(1).id)).fail(Failure(.badAnswer, "nonsense", retry: .later))
        #expect(await until { self.states() == [.waiting] })
        #expect(try await rig.downloads.retry([track(1).id]) == 1)
        #expect(await until { self.states() == [.running] })
    }

    @Test("resume answers how many go on: those that a full disk held, paused ones, else none")
    func resumed() async throws {
        try await fill()
        #expect(try await rig.downloads.resume(nil) == 3)
        #expect(try await rig.downloads.resume(nil) == 0)
        try await rig.downloads.pause([track(3).id])
        #expect(try await rig.downloads.resume([track(3).id]) == 1)
    }

    @Test("Whatever waits for a host that asked others for a pause shows that as its reason, and no longer than that")
    func heldByHost() async throws {
        try await add(1...4)
        let transfer = try #require(await rig.transfer(of: track(1).id))
        _ = rig.downloads.takeChanges()
        var busy = Failure(.serverBusy, "media.test asks to wait.", retry: .after(seconds: 20))
        busy.host = "media.test"
        transfer.fail(busy)
        #expect(await until { rig.downloads.machine[track(1).id]?.state == .waiting })
        let row = try #require(rig.downloads.takeChanges().changed.first { $0.id == track(3).id })
        #expect(row.failure?.code == .serverBusy)
        #expect(row.failure?.message.hasPrefix("media.test asks to wait; it goes on at ") == true)
        #expect(rig.downloads.shown.first { $0.id == track(3).id } == row)
        #expect(rig.downloads.machine[track(3).id]?.failure == nil)
        await settle()
        rig.time.advance(by: .seconds(23))
        await settle()
        #expect(rig.downloads.takeChanges().changed.contains { $0.id == track(3).id && $0.failure == nil })
    }

    @Test(
        "What an earlier run could not write for a folder's sake goes on as soon as the folder is well",
        arguments: [true, false])
    func restart(isWell: Bool) async throws {
        rig.downloads.rooms = rooms
        rooms.set(isWell ? .free(1 << 40) : .closed)
        let failure = Failure(.fileAccess, "/music is not there; is its disk mounted?", retry: .later)
        rig.library.put(downloads: [
            Download(track: track(1), state: .failed, failure: failure, order: 1), Download(track: track(2), order: 2),
        ])
        await rig.account.ready()
        await rig.downloads.restore()
        if !isWell {
            #expect(await until { !self.rig.time.waits.isEmpty })
            #expect(states() == [.failed, .waiting] && rig.downloads.problem?.code == .fileAccess)
            rooms.set(.free(1 << 40))
            rig.time.advance(by: .seconds(60))
        }
        #expect(await rig.transfer(of: track(1).id) != nil)
        #expect(rooms.looks == (isWell ? 1 : 2) && rig.downloads.problem == nil)
    }

    @Test("A late word about a folder is not held against a newer attempt")
    func lateVerdict() async throws {
        let slow = SlowRooms()
        slow.latch.shut()
        rig.downloads.rooms = slow
        rig.finisher.fail([Failure(.fileAccess, "cannot create x")])
        try await add(1...1)
        try await rig.bring(track(1).id)
        #expect(await until { slow.latch.held == 1 })
        #expect(try await rig.downloads.cancel(nil) == 1)
        try await add(1...1)
        #expect(await rig.transfer(of: track(1).id) != nil)
        slow.latch.open()
        await settle()
        #expect(states() == [.running] && rig.downloads.problem == nil)
    }

    @Test("A download whose file could not be made holds no file open while it waits")
    func letsGo() async throws {
        rig.finisher.fail([Failure(.conflict, "in use", retry: .later)])
        try await add(1...1)
        try await rig.bring(track(1).id)
        #expect(await until { self.states() == [.waiting] })
        #expect(rig.downloads.claims.isEmpty)
        rig.time.advance(by: .seconds(2))
        #expect(await until { self.states() == [.done] })
        #expect(rig.fetcher.starts.count == 1)
    }

    @Test("Nothing is listened to while it is stopped")
    func stopped() async throws {
        await rig.account.ready()
        try await rig.play([track(1), track(2)])
        #expect(rig.player.listening == [track(1).id, track(2).id])
        rig.player.perform(.stop)
        #expect(await until { rig.player.state.status == .stopped })
        #expect(rig.player.listening.isEmpty)
    }

    @Test("Many copies are looked at in one go, each for itself", arguments: DownloadTests.Place.allCases)
    func sights(_ place: DownloadTests.Place) async throws {
        let folder = try MusicPlace(place)
        let lost = FinishedCopy(id: track(1).id, path: "\(folder.path)/mine.mp3", bytes: 5)
        let other = FinishedCopy(id: track(2).id, path: "\(folder.path)/other.mp3", bytes: 5)
        let sights = await FinishedCopy.sights(of: [lost.id: lost, other.id: other])
        switch place {
        case .away: #expect(sights == [lost.id: .there, other.id: .there])
        case .empty: #expect(sights == [lost.id: .missing, other.id: .missing])
        case .others: #expect(sights == [lost.id: .gone, other.id: .there])
        }
    }
}
