import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// Signing in by a browser's cookies, and what keeps such a login alive (vk-api.md §7.5: 1, 4 to 8), with the real
/// programs and the look-alike of VK's login host.
@Suite("A web session of a browser", .serialized, .timeLimit(.minutes(4)))
struct WebSessionTests {
    /// A house with a daemon, signed in by cookies; VK changes the session's cookie with each token.
    private func signedIn() async throws -> House {
        let house = try await House(settings: "")
        try house.writeSettings("[vk]\nmin-interval-ms=20")
        try await house.control(#"{"cmd":"set","rate-limit":0,"rotate-session":true}"#)
        try await house.startDaemon()
        let login = try await house.ctl("login", "--cookies", input: house.ready["cookies"])
        try #require(login.status == 0, "\(login.errors)")
        #expect(login.output.contains("453 tracks") && login.output.contains("by cookies"))
        let sync = try await house.ctl("sync")
        #expect(sync.output.hasPrefix("450 tracks"), "\(sync.errors)")
        return house
    }

    @Test("signs in in every form; what is missing is named, and a refused session stores nothing")
    func login() async throws {
        let house = try await House()
        try await house.startDaemon()
        let file = house.home + "/data/nyand/credentials"
        let cookies = try #require(house.ready["cookies"])
        let half = cookies.split(separator: ";").first { $0.contains("remixsid=") } ?? ""
        let missing = try await house.ctl("login", "--cookies", input: String(half))
        #expect(missing.status == 2 && missing.errors.contains("p (it belongs to login.vk.ru)"))
        let refused = try await house.ctl("login", "--cookies", input: "remixsid=1_unknown; p=unknown")
        #expect(refused.status == 4 && refused.errors.contains("login --cookies"), "\(refused.errors)")
        #expect(access(file, F_OK) != 0)
        #expect(try await house.ctl("whoami").status == 4)
        // As an extension exports it.
        let pairs = cookies.split(separator: ";").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let rows = pairs.map { pair in
            #"{"domain":"\#(pair[0].hasSuffix("p") ? "login.vk.ru" : ".vk.ru")","name":"\#(pair[0].filter { $0 != " " })","#
                + #""value":"\#(pair.last ?? "")"}"#
        }
        let login = try await house.ctl("--json", "login", "--cookies", input: "[\(rows.joined(separator: ","))]")
        #expect(
            login.output.contains(#""login":"cookies""#) && login.output.contains(#""tracks":453"#), "\(login.errors)")
        #expect(login.output.contains(#""sound":"mp3""#))
        var facts = stat()
        #expect(stat(file, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        let explained = try await house.ctl("login")
        #expect(explained.status == 2)
        for way in ["--cookies", "--token", "--url", "--password"] { #expect(explained.errors.contains(way)) }
        #expect(try await house.ctl("logout").status == 0)
        #expect(access(file, F_OK) != 0)
    }

    /// Types standard input's text into a program on a terminal, once it has asked, and tells how it ended and what the
    /// terminal showed.
    private static let typist = """
        import os, pty, select, sys
        text = sys.stdin.buffer.read()
        child, end = pty.fork()
        if child == 0:
            os.execv(sys.argv[1], sys.argv[1:])
        shown = b""
        while b"shown" not in shown:
            shown += os.read(end, 4096)
        while text:
            readable, writable, _ = select.select([end], [end], [], 10)
            if readable:
                shown += os.read(end, 4096)
            if writable:
                text = text[os.write(end, text[:512]):]
        try:
            while piece := os.read(end, 4096):
                shown += piece
        except OSError:
            pass
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(status, shown.decode("utf-8", "replace"))
        """

    @Test("takes a paste of eight kilobytes and several lines at a terminal's prompt, and shows none of it")
    func terminal() async throws {
        let house = try await House()
        try await house.startDaemon()
        let cookies = try #require(house.ready["cookies"])
        let rows = cookies.split(separator: ";").map { pair in
            let words = pair.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
            return
                "#HttpOnly_\(words[0] == "p" ? "login.vk.ru" : ".vk.ru")\tTRUE\t/\tTRUE\t0\t\(words[0])\t\(words[1])\n"
        }
        let junk = (0..<8).map { "remixjunk\($0)=canary\(String(repeating: "x", count: 1000))" }
        for paste in [
            (junk + [cookies]).joined(separator: "; ") + "\n", "# Netscape HTTP Cookie File\n" + rows.joined(),
        ] {
            let words = ["/usr/bin/python3", "-c", Self.typist, House.programs + "/nyanctl", "login", "--cookies"]
            let outcome = try await Program(words, environment: house.environment, input: paste).outcome()
            #expect(outcome.output.hasPrefix("0 ") && outcome.output.contains("453 tracks"), "\(outcome)")
            #expect(!outcome.output.contains("canary") && !outcome.output.contains("remixsid"))
        }
    }

    @Test("gets one new token when it ends in the middle of a sync, and one for eight callers; another address as well")
    func renewals() async throws {
        let house = try await signedIn()
        try await house.control(
            #"{"cmd":"after","kind":"audio.get","do":[{"cmd":"token","profile":"web","all":true,"state":"expired"}]}"#)
        let sync = try await house.ctl("sync")
        #expect(sync.output.hasPrefix("450 tracks, 0 new, 0 removed"), "\(sync.errors)")
        #expect(try await house.tokensGiven() == 2)
        try await house.control(#"{"cmd":"token","profile":"web","all":true,"state":"expired"}"#)
        let house8 = house
        try await withThrowingTaskGroup(of: Int32.self) { group in
            for number in 0..<8 {
                group.addTask { try await house8.ctl("search", "Found Song 0\(number % 4)").status }
            }
            for try await status in group { #expect(status == 0) }
        }
        #expect(try await house.tokensGiven() == 3)
        try await house.control(#"{"cmd":"move"}"#)
        #expect(try await house.ctl("sync").status == 0)
        #expect(try await house.tokensGiven() == 4)
        let status = try await house.status()
        #expect(status.signedIn && status.problem == nil)
    }

    @Test("outlives a refusal that deletes its cookies, answers that are none, and kill -9 right after a new token")
    func refusals() async throws {
        let house = try await signedIn()
        let cookies = try await house.stored("remixsid")
        // The refusal deletes the cookies.
        try await house.control(#"[{"cmd":"session","state":"ended"},{"cmd":"move"}]"#)
        let refused = try await house.ctl("sync")
        #expect(refused.status == 4 && refused.errors.contains("login --cookies"), "\(refused.errors)")
        let status = try await house.status()
        #expect(status.signedIn && status.problem?.code == "not-signed-in")
        #expect(status.problem?.message.contains("login --cookies") == true)
        #expect(try await house.stored("remixsid") == cookies)
        #expect(try await house.ctl("profile").output.split(separator: "\n").count == 450)
        try await house.control(#"{"cmd":"session","state":"ok"}"#)
        // After a second refusal, which the list of playlists may have met, VK is left alone for a second.
        try await house.until("VK takes the cookies again") { try await house.ctl("sync").status == 0 }
        #expect(try await house.status().problem == nil)
        // HTML says nothing about the login.
        try await house.control(
            #"[{"cmd":"inject","method":"login.web_token","times":3,"body":"html"},{"cmd":"move"}]"#)
        let html = try await house.ctl("sync")
        #expect(html.status == 6, "\(html.errors)")
        #expect(try await house.status().signedIn)
        // The answer is under way when the daemon dies: VK has changed the cookie, the daemon may not know.
        try await house.control(#"[{"cmd":"clear"},{"cmd":"move"},{"cmd":"clear-log"}]"#)
        let daemon = try #require(house.daemon)
        let sync = Task { try await house.ctl("sync") }
        try await house.until("VK has answered") { try await house.tokensGiven() > 0 }
        daemon.send(SIGKILL)
        _ = await daemon.status()
        _ = try? await sync.value
        try await house.startDaemon()
        let after = try await house.ctl("sync")
        #expect(after.output.hasPrefix("450 tracks, 0 new, 0 removed"), "\(after.errors)")
    }

    @Test("error 3 and the fake track are told once each and touch nothing; error 29 outlives a restart")
    func clientRefused() async throws {
        let house = try await signedIn()
        #expect(try await house.ctl("download", "123456_456239999", "--wait").status == 0)
        try await house.control(#"[{"cmd":"inject","method":"audio.get","times":9,"code":3},{"cmd":"clear-log"}]"#)
        let dead = try await house.ctl("sync")
        #expect(dead.status == 4 && dead.errors.contains("no longer has music"), "\(dead.errors)")
        #expect(try await house.status().problem?.code == "client-refused")
        #expect(try await house.requests().filter { $0.method == "audio.get" }.count == 1)
        try await house.control(
            #"[{"cmd":"clear"},{"cmd":"inject","method":"audio.get","times":9,"body":"placeholder"}]"#)
        let fake = try await house.ctl("sync")
        #expect(fake.status == 4, "\(fake.errors)")
        let rows = try await house.ctl("--json", "profile").decoded([TrackRow].self)
        #expect(rows.count == 450 && !rows.contains { $0.id == "100_1" })
        #expect(try await house.ctl("play", "123456_456239999").status == 0)
        try await house.until("the local copy plays") { try await house.status().state == "playing" }
        try await house.control(#"[{"cmd":"clear"},{"cmd":"inject","method":"audio.search","code":29}]"#)
        #expect(try await house.ctl("search", "Found").status == 6)
        let daemon = try #require(house.daemon)
        // The note is written a moment after the answer.
        daemon.send(SIGTERM)
        _ = await daemon.status()
        try await house.startDaemon()
        try await house.control(#"{"cmd":"clear-log"}"#)
        let closed = try await house.ctl("search", "Found")
        #expect(closed.status == 6 && closed.errors.contains("VK error 29"), "\(closed.errors)")
        #expect(try await house.requests().filter { $0.method == "audio.search" }.isEmpty)
        #expect(try await house.ctl("sync").status == 0)
    }
}

extension House {
    /// How many web tokens the look-alike has given out.
    func tokensGiven() async throws -> Int {
        try await requests().filter { $0.kind == "login" && $0.outcome == "ok" }.count
    }

    /// A member of the stored credential.
    func stored(_ name: String) async throws -> String? {
        let data = try Data(contentsOf: URL(fileURLWithPath: home + "/data/nyand/credentials"))
        return try JSONDecoder().decode([String: Loose].self, from: data)[name]?.text
    }
}
