import FoundationEssentials
import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// CONTRACT.md "Exit status", with the real program against a daemon that does as it is told.
@Suite("How nyanctl ends", .timeLimit(.minutes(2)), .enabled(if: Desk.hasProgram))
struct ExitStatusTests {
    /// What `--json` puts on standard error.
    private struct Trouble: Decodable { let code: String, message: String }

    @Test("A command that was done is silent and ends with 0")
    func done() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let outcome = try await desk.ctl("pause")
        #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty)
        #expect(daemon.calls == ["Player.Pause"])
    }

    @Test(
        "A refusal becomes its exit status, with its sentence on standard error only",
        arguments: [
            (.internal, 1), (.badArgument, 2), (.notSignedIn, 4), (.notFound, 5), (.network, 6), (.offline, 6),
        ] as [(Failure.Code, Int32)])
    func refused(code: Failure.Code, status: Int32) async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.refuses("Player.Next", code, "так нельзя")
        let plain = try await desk.ctl("next")
        #expect(plain.status == status && plain.output.isEmpty && plain.errors == "nyanctl: так нельзя\n")
        let json = try await desk.ctl("next", "--json")
        #expect(json.status == status && json.output.isEmpty)
        let trouble = try JSONDecoder().decode(Trouble.self, from: Data(json.errors.utf8))
        #expect(trouble.code == code.rawValue && trouble.message == "так нельзя")
    }

    @Test(
        "What export cannot do ends with the status of its reason",
        arguments: [(Failure.Code.notFound, 5), (.damagedSound, 1), (.unsupported, 1)] as [(Failure.Code, Int32)])
    func exported(code: Failure.Code, status: Int32) async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let refused = BusValue.structure([.string("1_1"), .string("no"), .string(code.rawValue)])
        daemon.answers(
            "Files.Export", .uint32(0), .uint32(0), .int64(0), .array([refused], of: "(sss)"),
            .structure([.string(""), .string("")]))
        let outcome = try await desk.ctl("export", "1_1", "/stick", "--json")
        #expect(outcome.status == status, "\(outcome)")
        #expect(outcome.errors.contains(#""code":"\#(code.rawValue)""#))
    }

    @Test("Skipped files count also where they are not named")
    func imported() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let named = BusValue.structure([.string("/t/x.mp3"), .string("damaged")])
        daemon.answers(
            "Files.Import", .uint32(1), .uint32(0), .uint32(3), .array([named], of: "(ss)"),
            .structure([.string(""), .string("")]))
        let errors = try await desk.ctl("import", "/t").errors
        #expect(errors == "skipped /t/x.mp3: damaged\nskipped 2 more\nimported 1 file, 3 skipped\n")
    }

    @Test(
        "Wrong usage ends with 2 and shows the usage line on standard error, without asking the daemon",
        arguments: [
            (["nonsense"], "COMMAND"), (["pause", "--nonsense"], "nyanctl pause"), ([], "COMMAND"),
            (["seek", "soon"], "nyanctl seek"), (["volume", "101"], "nyanctl volume"),
            (["search", " "], "nyanctl search"), (["play", ""], "nyanctl play"),
            (["delete", "some", "text"], "nyanctl delete"), (["download"], "nyanctl download"),
            (["download", "--all", "1_2"], "nyanctl download"), (["queue", "remove", "0"], "nyanctl queue"),
            (["queue", "jump"], "nyanctl queue"), (["--timeout", "soon", "pause"], "COMMAND"),
            (["status", "--json", "--format", "{title}"], "usage"), (["login"], "nyanctl login"),
            (["status", "--every", "1"], "nyanctl status"), (["status", "--follow", "--every", "0"], "nyanctl status"),
            (["import", ""], "nyanctl import"), (["export", "1_1", ""], "nyanctl export"),
            (["unkeep", "profile", "--delete"], "nyanctl unkeep"),
            (["--json", "unkeep", "profile", "--delete"], "usage"),
        ] as [([String], String)])
    func usage(words: [String], shown: String) async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let outcome = try await Program([Desk.programPath] + words, environment: desk.environment).outcome()
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("usage") && outcome.errors.contains(shown), "\(outcome.errors)")
        #expect(daemon.calls.isEmpty)
    }

    @Test("Without a daemon, and without a bus, it ends with 3")
    func absent() async throws {
        let desk = try Desk()
        let outcome = try await desk.ctl("status")
        #expect(outcome.status == 3 && outcome.output.isEmpty && outcome.errors.contains("not running"))
        desk.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere/at/all"
        #expect(try await desk.ctl("status").status == 3)
    }

    @Test(
        "With no bus named anywhere it ends with 3 as well, and says which trouble it is",
        .enabled(if: !OwnSession.isThere, "the session of whoever runs this would be found"))
    func busless() async throws {
        let desk = try Desk()
        desk.environment["DBUS_SESSION_BUS_ADDRESS"] = nil
        let busless = try await desk.ctl("status", "--json")
        #expect(busless.status == 3)
        #expect(try JSONDecoder().decode(Trouble.self, from: Data(busless.errors.utf8)).code == "no-bus")
    }

    @Test("A daemon that dies instead of answering is one that is not running")
    func died() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.replies["Player.Next"] = { [weak daemon] _, _ in
            daemon?.connection.close()
            return .taken
        }
        #expect(try await desk.ctl("next").status == 3)
    }

    @Test("A silent daemon is waited for as long as --timeout says, and the end is 7")
    func silent() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        var kept: [CallContext] = []
        daemon.replies["Player.Next"] = { _, context in
            kept.append(context)
            return .taken
        }
        let start = ContinuousClock.now
        let outcome = try await desk.ctl("next", "--timeout=0.3")
        #expect(outcome.status == 7 && outcome.errors.contains("did not answer in time"))
        #expect((.milliseconds(300)..<(.seconds(15))).contains(ContinuousClock.now - start))
        #expect(kept.count == 1)
    }

    @Test("A full output is a failure, a closed one is silent")
    func output() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Library.Music", TrackCoding.list(Array(repeating: sampleTracks[1], count: 20_000)))
        let full = try await shell(desk, "\"$0\" status > /dev/full")
        #expect(full.status == 1 && full.errors.contains("cannot be written"))
        let closed = try await shell(desk, "{ \"$0\" music; echo \"ended $?\" >&2; } | head -n 1")
        #expect(closed.errors == "ended 141\n")
        let none = try await shell(desk, "\"$0\" status >&- <&-")
        #expect(none.status == 0 && none.errors.isEmpty)
    }

    private func shell(_ desk: Desk, _ script: String) async throws -> Program.Outcome {
        var environment = desk.environment
        environment["PATH"] = "/usr/bin:/bin"
        return try await Program(["/bin/sh", "-c", script, Desk.programPath], environment: environment).outcome()
    }
}
