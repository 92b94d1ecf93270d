import FoundationEssentials
import NyanCore
import NyanTestKit
import Synchronization
import Testing

@testable import NyanService

/// Servers that ask for a pause get it, by host, also over a restart (field-issues.md C12).
@Suite(.timeLimit(.minutes(1)))
struct DownloadPauseTests {
    let rig = Rig(parallel: 3)

    private func busy(_ seconds: Double) -> Failure {
        var failure = Failure(.serverBusy, "media.test asks to wait.", retry: .after(seconds: seconds))
        failure.host = "media.test"
        return failure
    }

    private func add(_ numbers: ClosedRange<Int64>) async throws {
        await rig.account.ready()
        rig.hub.flush()
        _ = try await rig.downloads.add(numbers.map { track($0) })
    }

    @Test("However many downloads wait, a host that asks for a pause is asked no more than by its workers")
    func quiet() async throws {
        try await add(1...300)
        #expect(await until { rig.fetcher.running.count == 3 })
        for transfer in rig.fetcher.running { transfer.fail(busy(20)) }
        await settle()
        rig.time.advance(by: .seconds(19))
        await settle()
        #expect(rig.fetcher.starts.count == 3)
        #expect(rig.downloads.list.allSatisfy { $0.state == .waiting })
        rig.time.advance(by: .seconds(4))
        #expect(await until { rig.fetcher.starts.count == 6 })
    }

    @Test("The reason tells when it goes on, also of those that did not meet the pause themselves")
    func words() async throws {
        rig.downloads.wallClock = { 1_000_000 }  // 13:46:40 at Greenwich
        try await add(1...9)
        #expect(await until { rig.fetcher.running.count == 3 })
        rig.fetcher.running[0].fail(busy(20))
        await settle()
        let shown = rig.downloads.shown
        let words = try #require(shown[0].failure?.message)
        #expect(words.hasPrefix("media.test asks to wait; it goes on at "))
        #expect(words.dropLast(2).hasSuffix(":47:") && ["00", "01", "02"].contains(words.suffix(2)), "\(words)")
        #expect(shown[8].failure?.message == words && shown[1].failure == nil)
        #expect(rig.downloads.list[0].failure?.message == "media.test asks to wait.")
        #expect(rig.downloads.list[8].failure == nil)
        #expect(rig.downloads.takeChanges().changed.first { $0.id == track(1).id }?.failure?.message == words)
    }

    @Test("Playing goes on trying where a host asks downloads to wait")
    func playing() async throws {
        try await add(1...9)
        #expect(await until { rig.fetcher.running.count == 3 })
        for transfer in rig.fetcher.running { transfer.fail(busy(20)) }
        await settle()
        rig.player.perform(.playTracks([track(5)], startAt: 0))
        #expect(await rig.transfer(of: track(5).id) != nil)
        #expect(rig.fetcher.starts.count == 4)
    }

    @Test(
        "A restart waits for what is left of a pause; one that is over or cannot be is forgotten",
        arguments: [(15.0, true), (-1, false), (1e9, false), (.nan, false)])
    func restart(left: Double, waits: Bool) async throws {
        let now = Double(1_000_000)
        rig.downloads.wallClock = { now }
        let text = left.isNaN ? #"{"media.test":"soon"}"# : #"{"media.test":\#(now + left)}"#
        try await rig.library.setNote(DownloadService.holdsNote, text)
        let rows = (1...9).map { number in
            Download(track: track(number), failure: busy(20), attempts: 1, order: number)
        }
        rig.library.put(downloads: rows)
        await rig.account.ready()
        await rig.downloads.restore()
        await settle()
        #expect(rig.fetcher.starts.isEmpty == waits)
        rig.time.advance(by: .seconds(16))
        #expect(await until { rig.fetcher.running.count == 3 })
    }

    @Test("A pause that is stored and read in between two seconds is not shorter for it")
    func fractions() {
        let before = Date().timeIntervalSince1970
        let moment = rig.downloads.wallClock()
        #expect((before...Date().timeIntervalSince1970).contains(moment))
    }

    @Test("The pause is stored as a moment of the wall clock")
    func stored() async throws {
        rig.downloads.wallClock = { 5000 }
        try await add(1...3)
        #expect(await until { rig.fetcher.running.count == 3 })
        rig.fetcher.running[0].fail(busy(100))
        var note: String?
        for _ in 0..<20 where note == nil {
            await settle()
            note = try await rig.library.note(DownloadService.holdsNote)
        }
        let moment = try #require(note.flatMap { Double($0.dropFirst(14).dropLast()) })
        #expect(moment >= 5100 && moment <= 5110)
        #expect(await rig.downloads.storedHolds()["media.test"].map { $0 >= .seconds(100) } == true)
    }
}

/// Folders as a test wants them.
final class ScriptedRooms: RoomSource {
    private let state = Mutex<(rooms: [FolderRoom], looks: Int)>(([], 0))
    var looks: Int { state.withLock { $0.looks } }
    func set(_ room: Room) { state.withLock { $0.rooms = [FolderRoom("/music", for: .music, room)] } }
    func rooms() async -> [FolderRoom] {
        state.withLock {
            $0.looks += 1
            return $0.rooms
        }
    }
}

/// A disk that is full or away holds the list, and nothing else (field-issues.md C7).
@Suite(.timeLimit(.minutes(1)))
struct DownloadPlaceServiceTests {
    let rig = Rig(parallel: 1)
    let rooms = ScriptedRooms()

    init() { rig.downloads.rooms = rooms }

    private func add(_ numbers: ClosedRange<Int64>) async throws {
        await rig.account.ready()
        rig.hub.flush()
        _ = try await rig.downloads.add(numbers.map { track($0) })
    }

    private func states() -> [Download.State] { rig.downloads.list.map(\.state) }

    @Test("A full disk is told, asks nothing of anybody, and the list goes on by itself when there is room")
    func full() async throws {
        rooms.set(.free(100))
        rig.finisher.fail([Failure(.diskFull, "no room in /music", retry: .later)])
        try await add(1...3)
        try await rig.bring(track(1).id)
        #expect(await until { self.states() == [.failed, .waiting, .waiting] })
        #expect(rig.downloads.problem?.code == .diskFull)
        #expect(rig.downloads.problem?.message.contains("2 downloads wait and go on by themselves") == true)
        #expect(rig.downloads.shown.map { $0.failure?.code } == [.diskFull, .diskFull, .diskFull])
        #expect(rig.downloads.takeChanges().changed.count == 3)
        var pauses: [Duration] = []
        for _ in 0..<6 {
            await settle()
            let wait = try #require(rig.time.waits.last)
            pauses.append(wait)
            rig.time.advance(by: wait)
        }
        #expect(pauses == [2, 4, 8, 16, 32, 60].map { .seconds($0) })
        await settle()
        #expect(rig.fetcher.starts.count == 1 && rooms.looks == 6)
        rooms.set(.free(1000 + DownloadService.roomMargin))
        rig.time.advance(by: .seconds(60))
        #expect(await until { self.states()[0] == .done })
        // Its bytes were there: nothing is fetched twice, and the next one runs.
        #expect(rig.downloads.problem == nil)
        #expect(await rig.transfer(of: track(2).id) != nil && rig.fetcher.starts.count == 2)
        #expect(rig.time.waits.isEmpty)
    }

    @Test("Where room is seen and nothing can be written all the same, the tries become rare: a quota")
    func quota() async throws {
        rooms.set(.free(1 << 40))
        rig.finisher.fail(Array(repeating: Failure(.diskFull, "quota", retry: .later), count: 9))
        try await add(1...1)
        try await rig.bring(track(1).id)
        var pauses: [Duration] = []
        for _ in 0..<9 {
            #expect(await until { self.states() == [.failed] && !self.rig.time.waits.isEmpty })
            let wait = try #require(rig.time.waits.last)
            pauses.append(wait)
            rig.time.advance(by: wait)
            await settle()
        }
        #expect(pauses == [2, 4, 8, 16, 32, 64, 128, 256, 512].map { .seconds($0) })
        #expect(await until { self.states() == [.done] })
        #expect(rig.fetcher.starts.count == 1)
    }

    @Test(
        "A folder that is away or closed holds the list like a full disk; a file's own trouble does not",
        arguments: [Room.away, .closed, .free(1 << 40)])
    func away(_ room: Room) async throws {
        rooms.set(room)
        rig.finisher.fail([Failure(.fileAccess, "cannot create x", subject: track(1).id)])
        try await add(1...2)
        try await rig.bring(track(1).id)
        #expect(await until { self.states()[0] == .failed })
        guard room == .away || room == .closed else {
            #expect(await rig.transfer(of: track(2).id) != nil)
            #expect(rig.downloads.problem == nil && rig.time.waits.isEmpty)
            return
        }
        await settle()
        #expect(states() == [.failed, .waiting] && rig.fetcher.starts.count == 1)
        #expect(rig.downloads.problem?.code == .fileAccess)
        #expect(rig.downloads.problem?.message.hasPrefix("/music ") == true)
        rooms.set(.free(1 << 40))
        rig.time.advance(by: .seconds(5))
        #expect(await until { self.states()[0] == .done })
    }

    @Test("retry and resume end the hold and the looking", arguments: [true, false])
    func byHand(retries: Bool) async throws {
        rooms.set(.free(0))
        rig.finisher.fail([Failure(.diskFull, "no room", retry: .later)])
        try await add(1...2)
        try await rig.bring(track(1).id)
        #expect(await until { self.states()[0] == .failed && !self.rig.time.waits.isEmpty })
        if retries { _ = try await rig.downloads.retry(nil) } else { try await rig.downloads.resume(nil) }
        #expect(await until { self.states()[0] == .done })
        await settle()
        #expect(rig.time.waits.isEmpty && rig.downloads.problem == nil)
    }

    @Test("A full disk that an earlier run met is looked at once, at the start")
    func restart() async throws {
        rooms.set(.free(1 << 40))
        rig.library.put(downloads: [
            Download(track: track(1), state: .failed, failure: Failure(.diskFull, "full"), order: 1),
            Download(track: track(2), order: 2),
        ])
        await rig.account.ready()
        await rig.downloads.restore()
        #expect(await rig.transfer(of: track(1).id) != nil)
        #expect(rooms.looks == 1)
    }

    @Test("What a full disk kept from the database is written with the next")
    func unsaved() async throws {
        try await add(1...2)
        rig.library.fail(Failure(.diskFull, "no room", retry: .later))
        await #expect(throws: Failure.self) { try await rig.downloads.pause([track(2).id]) }
        #expect(rig.library.rows[track(2).id]?.state == .waiting)
        rig.library.fail(nil)
        try await rig.downloads.pause([track(1).id])
        #expect(rig.library.rows[track(2).id]?.state == .paused && rig.library.rows[track(1).id]?.state == .paused)
    }
}

/// What the listener hears goes first.
@Suite(.timeLimit(.minutes(1)))
struct DownloadOrderTests {
    let rig = Rig(parallel: 1)

    @Test("The download of what plays is finished as soon as its bytes are there, though others run")
    func playing() async throws {
        await rig.account.ready()
        rig.hub.flush()
        _ = try await rig.downloads.add((1...9).map { track($0) })
        #expect(await rig.transfer(of: track(1).id) != nil)
        rig.player.perform(.playTracks([track(7), track(8)], startAt: 0))
        try await rig.bring(track(7).id)
        #expect(await until { rig.downloads.machine[track(7).id]?.state == .done })
        #expect(rig.fetcher.starts.filter { $0.location.url.revealed.contains("7_7.mp3") }.count == 1)
        #expect(await until { rig.downloads.machine[track(8).id]?.state == .running })
        #expect(rig.downloads.machine[track(2).id]?.state == .waiting)
        #expect(rig.downloads.list.map(\.order) == Array(1...9))
    }

    @Test("A cancel is answered when the file that was being made is gone: a kill right after it leaves nothing")
    func cancelWaits() async throws {
        await rig.account.ready()
        rig.hub.flush()
        _ = try await rig.downloads.add([track(1)])
        rig.finisher.latch.shut()
        try await rig.bring(track(1).id)
        #expect(await until { self.rig.finisher.latch.held == 1 })
        rig.finisher.put("/no such folder/Artist 1 - Title 1.mp3", track(1).id)
        var isAnswered = false
        let cancelled = Task {
            _ = try await rig.downloads.cancel(nil)
            isAnswered = true
        }
        await settle()
        #expect(!isAnswered && rig.library.rows.isEmpty)
        rig.finisher.latch.open()
        try await cancelled.value
        #expect(rig.finisher.files.isEmpty)
    }
}
