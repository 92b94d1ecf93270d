import FoundationEssentials
import Glibc
import NyanTestKit
import NyanWire
import Testing

/// What scripts go by: the exit status, nothing but data on standard output, one line on standard error, and with `--json`
/// an error document there (CONTRACT.md §5).
@Suite("Exit statuses, whole", .serialized, .timeLimit(.minutes(3 * Int(Patience.factor))))
struct ExitStatusTests {
    /// A command line, and what it ends with: while nobody is signed in, and in offline mode with what nobody knows.
    private struct Row {
        let words: [String]
        let signedOut: Int32
        let offline: Int32
        init(_ line: String, _ signedOut: Int32, _ offline: Int32) {
            words = line.split(separator: " ").map(String.init)
            (self.signedOut, self.offline) = (signedOut, offline)
        }
    }

    /// Every command of `nyanctl help` but those in `others`.
    private static let rows = [
        Row("whoami", 4, 0), Row("answer x", 1, 1), Row("profile", 4, 0), Row("profile --owner 77", 4, 6),
        Row("sync", 4, 6), Row("music", 0, 0), Row("search x", 4, 6), Row("delete 1_2", 5, 5),
        Row("export 1_2 /nowhere", 5, 5), Row("import /nowhere", 5, 5), Row("add 1_2", 4, 6), Row("like", 5, 5),
        Row("remove 1_2", 4, 5), Row("restore 1_2", 4, 5), Row("friends", 4, 6), Row("groups", 4, 6),
        Row("playlists", 4, 6), Row("playlist 1_2", 4, 6), Row("playlist create x", 4, 6),
        Row("playlist rename 1_2 x", 4, 6), Row("playlist delete 1_2", 4, 6), Row("playlist add 1_2 1_2", 4, 6),
        Row("playlist remove 1_2 1_2", 4, 6), Row("recommendations", 4, 6), Row("recommendations 1_2", 4, 6),
        Row("lyrics", 5, 5), Row("lyrics 1_2", 4, 6), Row("keep", 0, 0), Row("keep 1_2", 4, 6),
        Row("unkeep profile", 5, 5), Row("play", 5, 5), Row("play 1_2", 4, 6), Row("play nothing-like-it", 5, 5),
        Row("pause", 5, 5), Row("toggle", 5, 5), Row("stop", 5, 5), Row("next", 5, 5), Row("prev", 5, 5),
        Row("seek 1", 5, 5), Row("volume", 0, 0), Row("volume 50", 0, 0), Row("shuffle", 0, 0),
        Row("shuffle off", 0, 0),
        Row("repeat", 0, 0), Row("repeat off", 0, 0), Row("sleep", 0, 0), Row("sleep off", 0, 0), Row("status", 0, 0),
        Row("queue", 0, 0), Row("queue add 1_2", 4, 6), Row("queue remove 9", 5, 5), Row("queue move 8 9", 5, 5),
        Row("queue clear", 0, 0), Row("history", 0, 0), Row("download 1_2", 4, 6), Row("downloads", 0, 0),
        Row("downloads pause 1_2", 5, 5), Row("downloads resume 1_2", 5, 5), Row("cancel 1_2", 5, 5),
        Row("retry 1_2", 5, 5), Row("scrobble", 0, 0), Row("scrobble logout lastfm", 0, 0),
        Row("scrobble login lastfm --finish", 1, 1), Row("reload", 0, 0),
    ]
    /// Their statuses are looked at one by one, or they want a terminal.
    private static let others: Set<String> = ["login", "logout", "player", "ui", "doctor", "offline", "help"]

    private struct Problem: Decodable { let code: String, message: String }

    /// Runs all of them at once, in words and as JSON.
    private func all(_ house: House, _ lines: [[String]], _ flags: [String] = []) async throws -> [(
        [String], Program.Outcome, Program.Outcome
    )] {
        var found: [([String], Program.Outcome, Program.Outcome)] = []
        // A few at a time: a bus takes only so many callers at once.
        for start in stride(from: 0, to: lines.count, by: 8) {
            let running = try lines[start..<min(start + 8, lines.count)].map { line in
                let program = House.programs + "/nyanctl"
                return (
                    line, try Program([program] + flags + line, environment: house.environment, input: ""),
                    try Program([program, "--json"] + flags + line, environment: house.environment, input: "")
                )
            }
            for (line, plain, json) in running { found.append((line, await plain.outcome(), await json.outcome())) }
        }
        return found
    }

    /// One after the other, for lines that the daemon does only one of at a time, and tells others to wait.
    private func each(_ house: House, _ line: [String]) async throws -> (Program.Outcome, Program.Outcome) {
        (try await house.ctl(line), try await house.ctl(["--json"] + line))
    }

    /// A failure as scripts want it.
    private func expect(
        _ plain: Program.Outcome, _ json: Program.Outcome, status: Int32, code: String?, _ line: [String]
    ) throws {
        let words = line.joined(separator: " ")
        #expect(plain.status == status && json.status == status, "\(words): \(plain), \(json)")
        guard status != 0 else { return }
        // Its document tells of each track why not, beside the error.
        let isTold = line[0] == "export" && json.output.hasPrefix("{\"bytes\":0,")
        #expect(plain.output.isEmpty && (json.output.isEmpty || isTold), "\(words): \(plain.output)\(json.output)")
        #expect(plain.errors.hasPrefix("nyanctl: ") && plain.errors.hasSuffix("\n"), "\(words): \(plain.errors)")
        #expect(plain.errors.split(separator: "\n").count == 1, "\(words): \(plain.errors)")
        let document = try JSONDecoder().decode(Problem.self, from: Data(json.errors.utf8))
        #expect(!document.message.isEmpty && (code == nil || document.code == code), "\(words): \(json.errors)")
    }

    @Test("every command there is has its row")
    func complete() async throws {
        let house = try await House(server: nil)
        struct Help: Decodable {
            struct Name: Decodable { let name: String }
            let commands: [Name]
        }
        let names = Set(try await house.ctl("help", "--json").decoded(Help.self).commands.map(\.name))
        let known = Set(Self.rows.map { $0.words[0] }).union(Self.others)
        #expect(names.subtracting(known).isEmpty, "without a row: \(names.subtracting(known))")
    }

    @Test("no bus and no daemon: 3 for each; what needs none goes on")
    func absent() async throws {
        let house = try await House(server: nil)
        let lines = Self.rows.map(\.words) + [["login", "--token"], ["logout"], ["offline", "on"]]
        for (line, plain, json) in try await all(house, lines) {
            try expect(plain, json, status: 3, code: "daemon-absent", line)
        }
        house.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
        for (line, plain, json) in try await all(house, Array(lines.suffix(12))) {
            try expect(plain, json, status: 3, code: "no-bus", line)
        }
        for line in [["help"], ["help", "play"], ["--version"]] {
            let outcome = try await house.ctl(line)
            #expect(outcome.status == 0 && outcome.errors.isEmpty && !outcome.output.isEmpty)
        }
    }

    @Test("a daemon that hangs: 7 for each, within the time limit; each call has its own")
    func hung() async throws {
        let house = try await House(server: nil)
        let daemon = try await house.startDaemon()
        daemon.send(SIGSTOP)
        defer { daemon.send(SIGCONT) }
        let following = [["status", "--follow"], ["downloads", "--follow"], ["lyrics", "--follow"]]
        let more = [["login", "--token"], ["logout"], ["offline", "on"], ["doctor"]]
        let begin = ContinuousClock.now
        let found = try await all(house, Self.rows.map(\.words) + following + more, ["--timeout", "0.2"])
        // Nine portions; a limit that is not heeded would be five seconds for each at least.
        #expect(ContinuousClock.now - begin < .seconds(25 * Patience.factor))
        for (line, plain, json) in found { try expect(plain, json, status: 7, code: "no-answer", line) }
    }

    @Test("signed out, and then signed in with offline mode on: each command's own status")
    func standing() async throws {
        let house = try await House()
        try await house.startDaemon()
        for row in Self.rows {
            let (plain, json) = try await each(house, row.words)
            let code = row.signedOut == 4 ? "not-signed-in" : row.signedOut == 5 ? "not-found" : nil
            try expect(plain, json, status: row.signedOut, code: code, row.words)
        }
        try #require(try await house.ctl("login", "--token", input: house.token).status == 0)
        try #require(try await house.ctl("offline", "on").status == 0)
        for row in Self.rows {
            let (plain, json) = try await each(house, row.words)
            let code = row.offline == 6 ? "offline" : row.offline == 5 ? "not-found" : nil
            try expect(plain, json, status: row.offline, code: code, row.words)
        }
    }

    @Test("VK that cannot be reached: 6")
    func network() async throws {
        let house = try await House()
        try await house.startDaemon()
        try #require(try await house.ctl("login", "--token", input: house.token).status == 0)
        await house.stopServer()
        for (line, plain, json) in try await all(house, [["search", "x"], ["sync"]]) {
            try expect(plain, json, status: 6, code: "network", line)
        }
    }

    @Test("wrong usage: 2 with the usage line, as JSON one document, also for commands that are not there")
    func usage() async throws {
        let house = try await House(server: nil)
        let names = Set(Self.rows.map { $0.words[0] }).union(Self.others).subtracting(["ui"])
        let lines =
            names.sorted().map { [$0, "--no-such-option"] } + [
                ["nonsense"], [], ["seek"], ["seek", "x"], ["volume", "x"], ["queue", "x"], ["queue", "move", "1"],
                ["offline", "perhaps"], ["login", "--token", "--cookies"], ["login"], ["search"], ["search", " "],
                ["sleep", "x"], ["history", "--count", "0"], ["--timeout=0", "status"], ["--timeout=x", "status"],
                ["--timeout", "-1", "status"], ["status", "--timeout", "1e9"], ["status", "--timeout"],
            ]
        for (line, plain, json) in try await all(house, lines) {
            let words = line.joined(separator: " ")
            #expect(plain.status == 2 && json.status == 2, "\(words): \(plain), \(json)")
            #expect(plain.output.isEmpty && json.output.isEmpty, "\(words)")
            #expect(plain.errors.contains("\nusage: nyanctl "), "\(words): \(plain.errors)")
            let document = try JSONDecoder().decode(Problem.self, from: Data(json.errors.utf8))
            #expect(
                document.code == "usage" && json.errors.split(separator: "\n").count == 1, "\(words): \(json.errors)")
        }
    }

    @Test("a closed, full or absent output: silent, or 1 with words; never a hang, never data elsewhere")
    func streams() async throws {
        let house = try await House.withoutPauses()
        try await house.signIn()
        let tests = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let outcome = try await Program(
            ["/usr/bin/python3", tests + "/schema/streams.py", House.programs + "/nyanctl"],
            environment: house.environment
        ).outcome()
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }
}
