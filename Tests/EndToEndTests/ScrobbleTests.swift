import FoundationEssentials
import Glibc
import NyanTestKit
import NyanWire
import Testing

/// The look-alike of both scrobbling sites, and its state.
private final class Sites {
    struct Kept: Decodable, Equatable { let artist: String, title: String, began: Int64?, duration: Int? }
    struct Request: Decodable { let path: String, fault: String? }
    struct State: Decodable {
        let listens: [String: [Kept]]
        let playing: [String: Kept]
        let requests: [Request]
        let twice: Int
    }

    private static let script = {
        let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        return "/\(tests)/scrobbleserver/scrobbleserver.py"
    }()
    private let house: House
    private let program: Program
    let ready: [String: String]

    init(_ house: House) async throws {
        self.house = house
        program = try Program(
            ["/usr/bin/python3", Self.script, "--die-with-parent"], environment: house.environment)
        let line = try #require(await program.line(), "\(program.errors)")
        ready = try JSONDecoder().decode([String: Loose].self, from: Data(line.utf8)).compactMapValues(\.text)
    }

    isolated deinit { program.send(SIGKILL) }

    /// What the settings file needs.
    var settings: String {
        "[scrobble]\nlistenbrainz-url=\(ready["url"] ?? "")\nlastfm-url=\(ready["lastfm-url"] ?? "")"
    }

    func state(_ post: (page: String, body: String)? = nil) async throws -> State {
        let words = ["/usr/bin/curl", "-sS", "--max-time", "10"] + (post.map { ["-d", $0.body] } ?? [])
        let url = (ready["url"] ?? "") + (post?.page ?? "/_state")
        let answer = try await Program(words + [url], environment: house.environment).outcome()
        return try JSONDecoder().decode(State.self, from: Data(answer.output.utf8))
    }

    func fault(_ name: String, times: Int) async throws {
        _ = try await state(("/_fault", #"{"fault":"\#(name)","times":\#(times)}"#))
    }
}

private struct SiteRow: Decodable {
    let site: String, signedIn: Bool, name: String?, waiting: Int, sent: Int, dropped: Int
    let problem: Status.Problem?
}

/// Scrobbling with the real programs, a look-alike of the sites, and an outside scrobbler beside it.
@Suite("Scrobbling, whole", .serialized, .timeLimit(.minutes(3)))
struct ScrobbleTests {
    /// Silence of so many seconds with a title, as a file.
    private func song(_ house: House, _ title: String, _ seconds: Int) async throws -> String {
        let path = house.home + "/\(title).flac"
        let words = [
            "/usr/bin/ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono", "-t", "\(seconds)",
            "-metadata", "title=\(title)", "-metadata", "artist=Тихий", path,
        ]
        let outcome = try await Program(words, environment: house.environment).outcome()
        try #require(outcome.status == 0, "\(outcome.errors)")
        return path
    }

    private func rows(_ house: House) async throws -> [SiteRow] {
        try await house.ctl("--json", "scrobble").decoded([SiteRow].self)
    }

    private func world() async throws -> (House, Sites) {
        let house = try await House(server: nil)
        let sites = try await Sites(house)
        try house.writeSettings(sites.settings)
        try await house.startDaemon()
        return (house, sites)
    }

    @Test("Signed in, listened to offline, killed and started again: each listen arrives once at both sites")
    func journey() async throws {
        let (house, sites) = try await world()
        let monitor = try Program(
            ["/usr/bin/dbus-monitor", "--address", house.bus.address], environment: house.environment)
        let wrong = try await house.ctl("scrobble", "login", "listenbrainz", input: "nonsense\n")
        #expect(wrong.status == 1 && wrong.errors.contains("does not know this token"), "\(wrong.errors)")
        let login = try await house.ctl("scrobble", "login", "listenbrainz", input: sites.ready["token"])
        #expect(login.status == 0 && login.output == "ListenBrainz: listener\n", "\(login)")
        let begun = try await house.ctl(
            "scrobble", "login", "lastfm", input: "\(sites.ready["api-key"] ?? "")\n\(sites.ready["secret"] ?? "")\n")
        #expect(begun.status == 0 && begun.errors.contains("/api/auth/?api_key="), "\(begun)")
        let early = try await house.ctl("scrobble", "login", "lastfm", "--finish")
        #expect(early.status == 4 && early.errors.contains("consent"), "\(early)")
        _ = try await sites.state(("/_allow", "{}"))
        #expect(try await house.ctl("scrobble", "login", "lastfm", "--finish").output == "Last.fm: listener\n")

        let outside = try OutsideScrobbler(
            house.connection, player: Names.mpris, now: { [clock = ContinuousClock.now] in ContinuousClock.now - clock }
        )
        let (a, b) = (try await song(house, "a", 32), try await song(house, "b", 34))
        try await outside.begin()
        #expect(try await house.ctl("play", a, b).status == 0)
        try await house.until("both are told what plays") { try await sites.state().playing.count == 2 }
        _ = try await house.sounds(beyond: 5)
        // The sites cannot be reached when it counts; and 16 seconds are heard only by going back.
        try await sites.fault("cut", times: 2)
        try await house.press("Pause")
        #expect(try await house.ctl("seek", "0").status == 0)
        try await house.press("Play")
        try await house.until("it counts") { try await rows(house).allSatisfy { $0.waiting == 1 } }
        try await outside.look()
        #expect(outside.counted == ["a"])
        try await house.press("Next")
        _ = try await house.sounds(beyond: 0)
        // A kill at any instant: what counted is there, and goes by itself.
        await house.kill()
        try await house.startDaemon()
        try await house.until("both have it") {
            let state = try await sites.state()
            return state.listens.values.allSatisfy { $0.map(\.title) == ["a"] }
        }
        let state = try await sites.state()
        let kept = try #require(state.listens["lastfm"]?.first)
        #expect(kept.artist == "Тихий" && kept.duration == 32 && state.twice == 0)
        #expect(abs((kept.began ?? 0) - Int64(time(nil))) < 120)
        let now = try await rows(house)
        #expect(now.allSatisfy { $0.signedIn && $0.sent == 1 && $0.waiting == 0 && $0.problem == nil }, "\(now)")
        monitor.send(SIGTERM)
        let bus = await monitor.outcome().output
        #expect(bus.contains("org.nyantunes.Nyand1.Scrobble") && !bus.contains(sites.ready["api-key"] ?? "-"))
        for name in ["token", "secret", "session"] { #expect(!bus.contains(sites.ready[name] ?? "-"), "\(name)") }
        try await expectNoKeys(house, sites)
        let out = try await house.ctl("scrobble", "logout", "lastfm")
        #expect(out.status == 0)
        #expect(try await rows(house).map(\.signedIn) == [true, false])
    }

    /// Keys are in their own file and nowhere else: not in the log, the settings, the journal.
    private func expectNoKeys(_ house: House, _ sites: Sites) async throws {
        let secrets = ["token", "secret", "session"].compactMap { sites.ready[$0] }
        let log = house.daemon?.errors ?? ""
        for secret in secrets { #expect(!log.contains(secret)) }
        let words = ["/usr/bin/grep", "-rlaF"] + secrets.flatMap { ["-e", $0] } + [house.home]
        let found = try await Program(words, environment: house.environment).outcome().output
        #expect(found == house.home + "/data/nyand/scrobble-keys\n")
        var facts = stat()
        #expect(stat(house.home + "/data/nyand/scrobble-keys", &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    }

    @Test("A journal of an offline week goes out in batches, through every kind of trouble, and twice nothing")
    func backlog() async throws {
        let (house, sites) = try await world()
        #expect(try await house.ctl("scrobble", "login", "listenbrainz", input: sites.ready["token"]).status == 0)
        await house.kill()
        try await fill(house, count: 230)
        // Taken, but the answer is lost: sent again, and the site knows it.
        try await sites.fault("lost", times: 1)
        try await house.startDaemon()
        try await house.until("it waits") { try await rows(house).first?.problem?.code == "network" }
        #expect(try await sites.state().listens["listenbrainz"]?.count == 100)
        await house.kill()
        // A firewall's page is no word about the listens: none is lost by it.
        try await sites.fault("blocked", times: 1)
        try await house.startDaemon()
        try await house.until("it waits") { try await rows(house).first?.problem?.code == "bad-answer" }
        let blocked = try #require(try await rows(house).first)
        #expect(blocked.waiting == 230 && blocked.dropped == 0)
        await house.kill()
        try await sites.fault("429", times: 1)
        try await house.startDaemon()
        try await house.until("all are there") { try await rows(house).first?.sent == 229 }
        let state = try await sites.state()
        #expect(state.listens["listenbrainz"]?.count == 229 && state.twice == 100)
        let row = try #require(try await rows(house).first)
        #expect(row.waiting == 0 && row.dropped == 1, "the one it cannot read")
        // Three calls for three batches, and a dozen to find the one.
        #expect(state.requests.count < 40, "\(state.requests.count)")
        try await sites.fault("401", times: 1)
        try await fill(house, count: 1, restart: true)
        try await house.until("it is told") { try await house.status().problem?.message.contains("token") == true }
        #expect(try await rows(house).first?.waiting == 1)
        #expect(try await house.ctl("scrobble", "login", "listenbrainz", input: sites.ready["token"]).status == 0)
        try await house.until("it goes") { try await rows(house).first?.waiting == 0 }
    }

    /// Puts listens into the journal as an offline week would have; one of many cannot be read by the site.
    private func fill(_ house: House, count: Int, restart: Bool = false) async throws {
        if restart { await house.kill() }
        let script = """
            import sqlite3, sys, time
            base = sqlite3.connect(sys.argv[1])
            for number in range(int(sys.argv[2])):
                title = 'unreadable' if number == 150 else f'T{number}'
                row = base.execute('INSERT INTO listens (artist, title, seconds, began) VALUES (?, ?, 180, ?)',
                                   ('A', title, int(time.time()) - 600_000 + number))
                base.execute("INSERT INTO waiting (site, listen) VALUES ('listenbrainz', ?)", (row.lastrowid,))
            base.commit()
            """
        let words = ["/usr/bin/python3", "-c", script, house.home + "/state/nyand/scrobbles.db", "\(count)"]
        let outcome = try await Program(words, environment: house.environment).outcome()
        try #require(outcome.status == 0, "\(outcome.errors)")
        if restart { try await house.startDaemon() }
    }
}
