import FoundationEssentials
import Glibc
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// `nyanctl login` with a person at the terminal: a conversation, with the real programs and a pseudo-terminal.
@Suite("A login that is guided", .serialized, .timeLimit(.minutes(3)))
struct GuidedLoginTests {
    private func login(_ house: House, _ words: String..., language: String = "C.UTF-8") throws -> TerminalProgram {
        var environment = house.environment
        environment["TERM"] = "xterm"
        environment["LANG"] = language
        return try TerminalProgram(
            [House.programs + "/nyanctl"] + (words.isEmpty ? ["login"] : words), environment: environment)
    }

    @Test("the best way step by step: slips are told at once, nothing pasted is shown, what comes next is said")
    func cookies() async throws {
        let house = try await House()
        try await house.startDaemon()
        let person = try login(house)
        try await person.until(contains: "1, 2, 3 or 4")
        #expect(person.output.contains("Best for daily use"))
        person.type("\r")
        try await person.until(contains: "Paste it here")
        let isSeen = try person.settings.echoes
        #expect(person.output.contains("web_token") && !isSeen)
        let cookies = house.ready["cookies"] ?? ""
        // Half of them.
        let half = String(cookies.prefix { $0 != ";" })
        var mark = person.mark
        person.type(half + "\r")
        try await person.until(contains: "Paste it here", since: mark)
        #expect(person.output(since: mark).contains("missing among these cookies"))
        // The name of a file that holds them, as an extension exports them.
        let path = house.home + "/cookies.txt"
        try "Cookie: \(cookies)\n".write(toFile: path, atomically: true, encoding: .utf8)
        mark = person.mark
        person.type("'\(path)'\r")
        let (status, output) = await person.outcome()
        #expect(status == 0 && output.contains("453 tracks, signed in by cookies"), "\(output)")
        #expect(output.contains("Asking VK whose account this is") && output.contains("nyanctl play 1"))
        let secrets = cookies.split(separator: "=").map { $0.prefix { $0 != ";" } }.filter { $0.utf8.count > 8 }
        #expect(!secrets.isEmpty && secrets.allSatisfy { !output.contains($0) })
        #expect(person.isRestored)
        #expect(try await house.ctl("whoami").status == 0)
        let again = try login(house)
        // What is typed before the prompt is thrown away.
        try await again.until(contains: "Ctrl-C leaves): ")
        again.type("\u{4}")
        #expect(await again.status() == 130)
    }

    @Test("VK's no is told and asked again, three times; the status is VK's, and nothing is stored")
    func refused() async throws {
        let house = try await House()
        try await house.startDaemon()
        let person = try login(house)
        try await person.until(contains: "1, 2, 3 or 4")
        person.type("2\r")
        let wrong = "vk1.a." + String(repeating: "x", count: 60)
        for round in 1...3 {
            try await person.until("asked \(round) times") {
                $0.components(separatedBy: "Token, then Enter").count == round + 1
            }
            person.type(wrong + "\r")
        }
        let (status, output) = await person.outcome()
        #expect(status == 4 && output.contains("VK does not know this token"), "\(output)")
        #expect(output.contains("Nothing was changed") && !output.contains("xxxx") && person.isRestored)
        #expect(try await house.ctl("whoami").status == 4)
    }

    @Test("cookies pasted where a token was asked for sign in all the same")
    func otherWay() async throws {
        let house = try await House()
        try await house.startDaemon()
        let person = try login(house)
        try await person.until(contains: "1, 2, 3 or 4")
        person.type("2\r")
        try await person.until(contains: "Token, then Enter")
        person.type((house.ready["cookies"] ?? "") + "\r")
        let (status, output) = await person.outcome()
        #expect(status == 0 && output.contains("These are cookies") && output.contains("by cookies"), "\(output)")
    }

    @Test("the code that VK wants for a password is asked in the same conversation")
    func password() async throws {
        let house = try await House.withoutPauses()
        try await house.control(#"{"cmd":"login","second":"2fa_app","code":"424242"}"#)
        let person = try login(house, "login", "--profile", "android")
        try await person.until(contains: "1, 2, 3 or 4")
        person.type("4\r")
        try await person.until(contains: "Phone number")
        person.type((house.ready["login"] ?? "") + "\r")
        try await person.until(contains: "Password (it is not shown)")
        person.type((house.ready["password"] ?? "") + "\r")
        try await person.until(contains: "Answer (it is not shown")
        let isSeen = try person.settings.echoes
        #expect(!isSeen)
        person.type("424242\r")
        let (status, output) = await person.outcome()
        #expect(status == 0 && output.contains("signed in by password"), "\(output)")
        #expect(!output.contains("424242") && !output.contains(house.ready["password"] ?? "?") && person.isRestored)
    }

    @Test(
        "Ctrl-C, Ctrl-D, a hang-up and SIGTERM leave at any prompt: the echo is back, nothing changed",
        arguments: ["\u{3}", "\u{4}", "hangup", "term"])
    func leaving(by end: String) async throws {
        let house = try await House(server: nil)
        try await house.startDaemon()
        for depth in 0...1 {
            let person = try login(house)
            try await person.until(contains: "1, 2, 3 or 4")
            if depth == 1 {
                person.type("1\r")
                try await person.until(contains: "Paste it here")
                person.type("remix")
            }
            switch end {
            case "hangup": person.send(SIGHUP)
            case "term": person.send(SIGTERM)
            // Ctrl-D behind typed text is its end; on an empty line it leaves.
            default: person.type(depth == 1 && end == "\u{4}" ? "\u{15}\u{4}" : end)
            }
            let status = await person.status()
            let wanted: [String: Int32] = ["hangup": 128 + SIGHUP, "term": 128 + SIGTERM]
            #expect(status == wanted[end] ?? 130, "\(depth): \(status)")
            #expect(person.isRestored, "\(depth)")
        }
        #expect(try await house.ctl("whoami").status == 4)
    }

    @Test("offline mode is told before anything is asked; a pipe gets the usage; Russian is Russian")
    func circumstances() async throws {
        let house = try await House(server: nil)
        try await house.startDaemon()
        let person = try login(house, language: "ru_RU.UTF-8")
        try await person.until(contains: "Как вы хотите войти")
        try await person.until(contains: "Ctrl-C — выйти): ")
        person.type("\u{4}")
        #expect(await person.status() == 130)
        try await house.ctl("offline", "on")
        let offline = await (try login(house)).outcome()
        #expect(offline.status == 6 && offline.output.contains("nyanctl offline off"), "\(offline)")
        let piped = try await house.ctl("login", input: "x")
        #expect(piped.status == 2 && piped.errors.contains("usage: nyanctl login"))
    }
}

/// Hints for newcomers, and what is said where client and daemon are of different versions.
@Suite("Hints and versions, whole", .serialized, .timeLimit(.minutes(2)))
struct HintAndVersionTests {
    private func person(_ house: House, _ words: String..., hints: String? = nil) async throws -> (Int32, String) {
        var environment = house.environment
        environment["TERM"] = "xterm"
        environment["NYANCTL_HINTS"] = hints
        return await (try TerminalProgram([House.programs + "/nyanctl"] + words, environment: environment)).outcome()
    }

    @Test("a person is told three times how to sign in and not once more; scripts, pipes and the setting: never")
    func hints() async throws {
        let house = try await House(server: nil)
        try await house.startDaemon()
        for words in [["status"], ["--json", "status"], ["status", "--format", "{state}"]] {
            let piped = try await house.ctl(words)
            #expect(!piped.errors.contains("hint") && !piped.output.contains("hint"))
        }
        #expect(try await !person(house, "status", hints: "off").1.contains("hint:"))
        #expect(try await !person(house, "--json", "status").1.contains("hint:"))
        for round in 1...4 {
            let (status, output) = try await person(house, "status")
            #expect(status == 0 && output.contains("hint: `nyanctl login`") == (round < 4), "\(round): \(output)")
        }
        let file = house.home + "/state/nyand/nyanctl-hints"
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "login 3\n")
        // Where nothing can be kept all goes on.
        house.environment["XDG_STATE_HOME"] = "/proc/nowhere"
        #expect(try await person(house, "status").0 == 0)
    }

    @Test("rows are explained after a listing until one was used")
    func rows() async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        #expect(try await !person(house, "music").1.contains("hint:"))
        #expect(try await person(house, "profile", "Direct").1.contains("hint: `nyanctl play 1`"))
        #expect(try await person(house, "play", "123456_456239999").1.contains("nyanctl player"))
        #expect(try await !person(house, "profile", "Direct").1.contains("hint:"))
    }

    @Test("What printed no rows explains none; in somebody else's home nothing is made")
    func noRows() async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        #expect(try await person(house, "profile", "Direct", hints: "off").0 == 0)
        let (status, output) = try await person(house, "playlist", "create", "Foo")
        #expect(status == 0 && !output.contains("hint:"), "\(output)")
        let other = house.home + "/other"
        #expect(mkdir(other, 0o777) == 0)
        // Others' folders are root's to make only.
        guard chown(other, 12345, 12345) == 0 else { return }
        house.environment["XDG_STATE_HOME"] = other
        house.environment["XDG_RUNTIME_DIR"] = nil
        #expect(try await person(house, "profile", "Direct").0 == 0)
        #expect(access(other + "/nyand", F_OK) != 0)
    }

    /// A daemon of another version, which knows the status alone, in one shape or another.
    private final class Other: InterfaceHandler {
        var version = "0.0.9"
        var status: BusValue = .string("gone")

        func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
            .reply([status])
        }

        func get(_ property: String) -> BusValue? { .string(version) }
    }

    @Test("a daemon that does not understand: 1, both versions and what to do; one that does: a hint, once")
    func versions() async throws {
        let house = try await House(server: nil)
        let (old, new) = (Other(), Other())
        new.status = .dictionary(["state": .string("stopped"), "version": .string("0.0.9")])
        let daemon = Interface(
            NyandInterfaces.daemon.name, methods: [], properties: [Property("Version", "s", emitsChanged: .const)])
        let wrong = Interface(
            NyandInterfaces.player.name, methods: [Method("GetStatus", out: [Argument("status", "s")])])
        let right = Interface(
            NyandInterfaces.player.name, methods: [Method("GetStatus", out: [Argument("status", "a{sv}")])])
        try house.connection.export(ExportedObject(at: Names.nyandPath, [(daemon, old), (wrong, old)]))
        _ = try house.connection.requestName(Names.nyand)
        for (words, version) in [
            (["status"], "0.0.9"), (["sync"], "0.0.9"), (["status"], "9.0"), (["status", "--follow"], "9.0"),
        ] {
            old.version = version
            let outcome = try await house.ctl(words)
            #expect(outcome.status == 1 && outcome.output.isEmpty, "\(words): \(outcome)")
            #expect(outcome.errors.contains("nyand \(version)") && outcome.errors.contains("nyanctl \(Names.version)"))
            #expect(
                outcome.errors.contains("systemctl --user restart nyand") == (version == "0.0.9"), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
        let json = try await house.ctl("--json", "status")
        #expect(json.status == 1 && json.errors.contains(#""code":"misunderstood""#) && json.errors.contains("9.0"))

        house.connection.unexport(Names.nyandPath)
        try house.connection.export(ExportedObject(at: Names.nyandPath, [(daemon, new), (right, new)]))
        #expect(try await house.ctl("status").errors.isEmpty, "a script is told nothing")
        #expect(try await person(house, "status", hints: "off").1.contains("0.0.9") == false)
        for round in 1...2 {
            let (status, output) = try await person(house, "status")
            #expect(status == 0 && output.contains("nyand 0.0.9 still runs") == (round == 1), "\(round): \(output)")
        }
        #expect(try await !person(house, "--version").1.contains("0.0.9"), "told once already")
        new.version = "0.0.8"
        #expect(try await person(house, "--version").1.contains("nyand 0.0.8 still runs"))
    }
}
