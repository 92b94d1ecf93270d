import Glibc
import NyanTestKit
import Testing

/// The machine sleeps and wakes under the real daemon (field-issues.md A9).
@Suite("Sleep", .serialized, .timeLimit(.minutes(3)))
struct SleepTests {
    /// A signed-in house with logind on its system bus.
    private func house(_ mock: MockLogind) async throws -> House {
        try await mock.start()
        let house = try await House()
        house.environment["DBUS_SYSTEM_BUS_ADDRESS"] = mock.bus.address
        try await house.startDaemon()
        try await house.signIn()
        try await house.until("sleep is held off") { try await mock.inhibitors() == ["nyand"] }
        return house
    }

    private func fallAsleep(_ house: House, _ mock: MockLogind) async throws {
        try await mock.prepareForSleep(true)
        try await house.until("the sleep may begin") { try await mock.inhibitors().isEmpty }
    }

    /// Bytes of a track from the server, over which connections, in order.
    private let long = "123456_456239965"

    @Test("what plays is silent and saved before, and goes on at the same second and byte after, over new connections")
    func playing() async throws {
        let mock = try MockLogind()
        let house = try await house(mock)
        // Half of it comes, then the server is silent: the connection that the sleep cuts.
        try await house.control(#"{"cmd":"media-fault","fault":"stall","track":"\#(long)","at":480000,"times":1}"#)
        #expect(try await house.ctl("play", long).status == 0)
        try await house.until("it plays") { try await house.status().position > 1 }
        try await fallAsleep(house, mock)
        let asleep = try await house.status()
        #expect(asleep.state == "buffering")
        #expect(try await house.status().position == asleep.position)
        // What is on disk now is what a battery that ran empty would leave.
        try await mock.prepareForSleep(false)
        try await house.until("it goes on") {
            let status = try await house.status()
            return status.state == "playing" && status.position > asleep.position && status.buffered == 1
        }
        #expect(try await house.status().position < asleep.position + 10 + house.blink)
        let ranges = try await house.mediaRequests().filter { $0.kind == "mp3" }.map { $0.headers["range"] ?? "" }
        #expect(ranges.first == "bytes=0-" && ranges.count == 2)
        let resumed = ranges.last.flatMap { Int($0.drop { !$0.isNumber }.prefix { $0.isNumber }) } ?? 0
        #expect(resumed >= 480_000 && resumed < 500_000, "\(ranges)")
        #expect(try await house.status().problem == nil)
        try await house.until("the next sleep is held off") { try await mock.inhibitors() == ["nyand"] }
    }

    @Test("kill -9 in the sleep, as when the battery runs out: the second is not lost")
    func killed() async throws {
        let mock = try MockLogind()
        let house = try await house(mock)
        #expect(try await house.ctl("play", long).status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
        try await house.ctl("seek", "20")
        try await house.until("it is there") { try await house.status().position > 20.3 }
        try await fallAsleep(house, mock)
        let position = try await house.status().position
        house.daemon?.send(SIGKILL)
        _ = await house.daemon?.status()
        try await house.startDaemon()
        let status = try await house.status()
        #expect(status.state == "paused" && abs(status.position - position) < 0.01)
    }

    @Test("paused stays paused, stopped stays stopped, whatever is announced", arguments: ["pause", "stop"])
    func silent(_ command: String) async throws {
        let mock = try MockLogind()
        let house = try await house(mock)
        #expect(try await house.ctl("play", long).status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
        try await house.ctl(command)
        let before = try await house.status()
        try await fallAsleep(house, mock)
        for sleeps in [false, false, true, true, false] { try await mock.prepareForSleep(sleeps) }
        try await house.until("the next sleep is held off") { try await mock.inhibitors() == ["nyand"] }
        let after = try await house.status()
        #expect(after.state == before.state && after.position == before.position)
        #expect(try await house.ctl("play").status == 0)
        try await house.until("it plays again") { try await house.status().state == "playing" }
    }

    @Test("a network that is away for some seconds after the wake-up: buffering, then it goes on; nothing is skipped")
    func slowNetwork() async throws {
        let mock = try MockLogind()
        let house = try await house(mock)
        try await house.control(#"{"cmd":"media-fault","fault":"stall","track":"\#(long)","at":100000,"times":1}"#)
        #expect(try await house.ctl("play", long, "123456_456239998").status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
        try await fallAsleep(house, mock)
        house.server?.send(SIGSTOP)
        try await mock.prepareForSleep(false)
        // It stands in the sleep, too: dry it is where it stands after the wake-up, and stays there.
        try await house.until("the wake-up is noticed") { try await mock.inhibitors() == ["nyand"] }
        var held = try await house.status()
        var since = ContinuousClock.now
        try await house.until("it runs dry") {
            let now = try await house.status()
            if now.state != "buffering" || now.position != held.position { (held, since) = (now, .now) }
            return ContinuousClock.now - since > .seconds(1)
        }
        for _ in 0..<10 {
            let status = try await house.status()
            #expect(status.state == "buffering" && status.problem == nil && status.position == held.position)
        }
        house.server?.send(SIGCONT)
        try await house.until("it goes on") {
            let status = try await house.status()
            return status.state == "playing" && status.position > held.position
        }
        #expect(try await house.status().track?.id == long)
    }

    @Test("a download goes on after the sleep with the bytes that are there")
    func downloading() async throws {
        let mock = try MockLogind()
        let house = try await house(mock)
        try await house.control(#"{"cmd":"media-fault","fault":"stall","track":"\#(long)","at":480000,"times":1}"#)
        #expect(try await house.ctl("download", long).status == 0)
        try await house.until("half of it is there") {
            try await house.ctl("--json", "downloads").decoded([DownloadRow].self).first?.received ?? 0 >= 480_000
        }
        try await fallAsleep(house, mock)
        try await mock.prepareForSleep(false)
        try await house.until("it is done") {
            try await house.ctl("--json", "music").decoded([TrackRow].self).count == 1
        }
        let requests = try await house.mediaRequests().filter { $0.kind == "mp3" }
        #expect(requests.count == 2 && requests.last?.headers["range"]?.hasPrefix("bytes=4") == true)
    }

    @Test("no system bus, a bus without logind, and one that dies: all is as ever, and nobody is told")
    func without() async throws {
        let bus = try PrivateBus()
        let frozen = try PrivateBus()
        frozen.freeze()
        for address in ["unix:path=/nonexistent", "nonsense:", bus.address, frozen.address] {
            let house = try await House(server: nil)
            house.environment["DBUS_SYSTEM_BUS_ADDRESS"] = address
            let daemon = try await house.startDaemon(["--log-level", "info"])
            if address == bus.address { bus.kill() }
            // Long enough for the bus to be asked for.
            for _ in 0..<30 { #expect(try await house.status().state == "stopped") }
            #expect(!daemon.errors.contains("bus"), "\(daemon.errors)")
            daemon.send(SIGTERM)
            #expect(await daemon.status() == 0)
        }
    }

    @Test("a daemon that was stopped while it played goes on at the second that was heard, in the same track")
    func stoppedPlaying() async throws {
        let house = try await House()
        let daemon = try await house.startDaemon()
        try await house.signIn()
        #expect(try await house.ctl("play", long, "123456_456239998").status == 0)
        let before = try await house.sounds(beyond: 1)
        daemon.send(SIGSTOP)
        try await house.until("the time is up") { try await house.serverAge(of: long) > 17 }
        daemon.send(SIGCONT)
        let after = try await house.sounds(beyond: before.position + 0.5)
        #expect(
            after.track?.id == long && after.position < before.position + 6 + house.blink,
            "\(before.position) \(after.position)")
        #expect(daemon.errors.contains("the process was stopped for"))
    }

    @Test("a daemon that was stopped while the server dropped it goes on, and a paused track stays paused")
    func stoppedProcess() async throws {
        let house = try await House()
        let daemon = try await house.startDaemon()
        try await house.signIn()
        try await house.control(
            #"{"cmd":"media-fault","fault":"stall","track":"\#(long)","at":300000,"seconds":3,"times":1}"#)
        #expect(try await house.ctl("play", long).status == 0)
        try await house.until("it plays") { try await house.status().position > 1 }
        #expect(try await house.ctl("pause").status == 0)
        let before = try await house.status()
        daemon.send(SIGSTOP)
        // Longer than the patience with a silent server, as the daemon's clock goes on.
        try await house.until("the time is up") { try await house.serverAge(of: long) > 14 }
        daemon.send(SIGCONT)
        let status = try await house.status()
        #expect(status.state == "paused" && status.position == before.position)
        #expect(try await house.ctl("play").status == 0)
        try await house.until("it goes on") {
            let status = try await house.status()
            return status.state == "playing" && status.position > before.position && status.buffered == 1
        }
        #expect(try await house.status().position <= 40)
        let ranges = try await house.mediaRequests().filter { $0.kind == "mp3" }.map { $0.headers["range"] ?? "" }
        #expect(ranges.count == 2 && ranges.last?.hasPrefix("bytes=3") == true, "\(ranges)")
    }
}
