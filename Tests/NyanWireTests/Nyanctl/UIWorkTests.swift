import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

@testable import nyanctl

/// A terminal that only remembers what it was shown.
final class PaperScreen: Screen {
    var size = Size(columns: 80, rows: 24)
    let events: AsyncStream<ScreenEvent>
    let happen: AsyncStream<ScreenEvent>.Continuation
    private(set) var text = ""
    private(set) var paintings = 0
    var goneStatus: Int32 = 143

    init() { (events, happen) = AsyncStream.makeStream() }

    func paint(_ frame: Frame) {
        paintings += 1
        text = frame.rows.map { $0.map(\.text).joined() + "\n" }.joined()
    }

    func close() {}

    func press(_ keys: ScreenKey...) { for key in keys { happen.yield(.key(key)) } }

    /// Waits until this is seen, or is not.
    func shows(_ part: String, _ isSeen: Bool = true) async -> Bool {
        let end = ContinuousClock.now + .seconds(20)
        while text.contains(part) != isSeen {
            guard ContinuousClock.now < end else { return false }
            await settle()
        }
        return true
    }
}

/// Everything around a running ui; what it returned at its end.
final class UIStand {
    let desk: Desk
    var daemon: ScriptedDaemon?
    let screen = PaperScreen()
    let client: NyanClient
    var status: Int32?
    private var work: UIWork?

    init(services: String? = nil, _ prepare: (ScriptedDaemon) -> Void) throws {
        desk = try Desk(services: services)
        let daemon = try desk.daemon()
        daemon.answers("Downloads.List", DownloadCoding.list([]))
        prepare(daemon)
        self.daemon = daemon
        client = try NyanClient(bus: .address(desk.bus.address))
        try client.connection.attach()
        let work = UIWork(Daemon(client: client), screen)
        self.work = work
        Task.onMain { self.status = try? await work.run() }
    }

    /// Waits until the daemon was called so often.
    func called(_ call: String, times: Int = 1) async -> Bool {
        let end = ContinuousClock.now + .seconds(20)
        while (daemon?.calls.count { $0 == call } ?? 0) < times {
            guard ContinuousClock.now < end else { return false }
            await settle()
        }
        return true
    }
}

/// Tracks that are all called alike.
func tracks(_ numbers: [Int]) -> BusValue {
    TrackCoding.list(
        numbers.map {
            ListedTrack(
                track: Track(
                    id: TrackID(owner: 1, audio: Int64($0)), artist: "Кот", title: "Песня \($0)", duration: 200))
        })
}

/// The work behind `nyanctl ui`, with a daemon that is a script and a screen of paper.
@Suite("The ui at work", .serialized, .timeLimit(.minutes(2)))
struct UIWorkTests {
    @Test("The profile is shown, a key plays it, what plays is shown, and a key leaves")
    func playing() async throws {
        let stand = try UIStand { $0.answers("Library.Profile", tracks(Array(1...30))) }
        #expect(await stand.screen.shows("Кот – Песня 3 "))
        stand.screen.press(.down, .down, .enter)
        #expect(await stand.called("Player.PlayTracks"))
        #expect(stand.daemon?.arguments["Player.PlayTracks"]?[0].strings?.count == 30)
        #expect(stand.daemon?.arguments["Player.PlayTracks"]?[1] == .uint32(2))
        let track = ListedTrack(
            track: Track(id: TrackID(owner: 1, audio: 3), artist: "Кот", title: "Песня 3", duration: 200))
        try stand.daemon?.emit(
            StatusReport(state: .playing, track: track, position: 61, duration: 200, queuePosition: 3, queueLength: 30))
        #expect(await stand.screen.shows("▶  3  Кот – Песня 3 "))
        // A second may pass between two looks.
        #expect(await until { stand.screen.text.contains(/1:[0-5]\d \/ 3:20/) })
        // The clock goes on without another word of the daemon's.
        let seen = stand.screen.text
        #expect(await until { stand.screen.text != seen && stand.screen.text.contains(/1:[0-5]\d \/ 3:20/) })
        stand.screen.press(.text("q"))
        while stand.status == nil { await settle() }
        #expect(stand.status == 143)
    }

    @Test("A daemon that dies is missed in words, and its successor is asked for everything")
    func restart() async throws {
        let stand = try UIStand { $0.answers("Library.Profile", tracks(Array(1...3))) }
        #expect(await stand.screen.shows("Песня 3"))
        stand.daemon?.connection.close()
        #expect(await stand.screen.shows("nyand is not running"))
        stand.screen.press(.down)
        stand.daemon = try stand.desk.daemon()
        stand.daemon?.answers("Downloads.List", DownloadCoding.list([]))
        stand.daemon?.answers("Library.Profile", tracks(Array(1...4)))
        #expect(await stand.screen.shows("Песня 4"))
        #expect(await stand.screen.shows("nyand is not running", false))
    }

    @Test("A refusal is shown in the daemon's words, and a download's progress in its row")
    func words() async throws {
        let stand = try UIStand { daemon in
            daemon.answers("Library.Profile", tracks(Array(1...3)))
            daemon.refuses("Downloads.Add", .offline, "offline mode is on")
        }
        #expect(await stand.screen.shows("Песня 3"))
        stand.screen.press(.text("d"))
        #expect(await stand.screen.shows("offline mode is on"))
        try stand.daemon?.emit(
            DownloadReport(
                id: TrackID(owner: 1, audio: 2), artist: "Кот", title: "Песня 2", state: .running, received: 45,
                total: 100))
        #expect(await stand.screen.shows("━━━─────   45 %"))
    }

    @Test("An entry of the queue that has moved meanwhile is found before it is taken out")
    func movedEntry() async throws {
        let stand = try UIStand { daemon in
            daemon.answers("Library.Profile", tracks(Array(1...3)))
            daemon.answers("Queue.List", tracks(Array(1...9)), .uint32(0))
            daemon.answers("Queue.Remove", .uint32(8))
        }
        #expect(await stand.screen.shows("Песня 3"))
        stand.screen.press(.text("5"))
        #expect(await stand.screen.shows("Песня 9"))
        stand.daemon?.answers("Queue.List", tracks(Array(4...9)), .uint32(0))
        stand.screen.press(.end, .text("x"))
        #expect(await stand.called("Queue.Remove"))
        #expect(stand.daemon?.arguments["Queue.Remove"]?[0] == .array([.uint32(6)], of: "u"))
    }

    @Test("A flood of changes costs a few readings and paintings, and the last state is shown")
    func flood() async throws {
        let stand = try UIStand { $0.answers("Library.Profile", tracks(Array(1...3))) }
        #expect(await stand.screen.shows("Песня 3"))
        let before = stand.screen.paintings
        for step in 1...1000 {
            try stand.daemon?.emit(StatusReport(state: .stopped, volume: Double(step % 50) / 100, queueLength: step))
            try stand.daemon?.connection.emit(
                Names.nyandPath, NyandInterfaces.library.name, "SyncProgress", [.uint32(0), .uint32(0)])
        }
        try stand.daemon?.emit(StatusReport(state: .stopped, volume: 0.77))
        #expect(await stand.screen.shows("77 %"))
        #expect(stand.screen.paintings - before < 300)
        #expect((stand.daemon?.calls.count { $0 == "Library.Profile" } ?? 99) < 20)
    }

    @Test("A terminal that goes away ends the run")
    func gone() async throws {
        let stand = try UIStand { $0.answers("Library.Profile", tracks(Array(1...3))) }
        #expect(await stand.screen.shows("Песня 3"))
        stand.screen.happen.yield(.gone)
        stand.screen.happen.finish()
        while stand.status == nil { await settle() }
        #expect(stand.status == 143)
    }

    @Test("Without a terminal, or with --json, it is refused as wrong usage", .enabled(if: Desk.hasProgram))
    func refused() async throws {
        let desk = try Desk()
        let plain = try await desk.ctl("ui")
        #expect(plain.status == 2 && plain.output.isEmpty)
        #expect(plain.errors.contains("ui needs a terminal"))
        let json = try await desk.ctl("--json", "ui")
        #expect(json.status == 2 && json.output.isEmpty)
        #expect(json.errors.hasPrefix("{\"code\":\"usage\""))
    }
}
