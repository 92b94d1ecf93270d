import FoundationEssentials
import Glibc
import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// `downloads --follow` and `download --wait`: on a real terminal, in a pipe, as JSON, and while the daemon comes and goes.
@Suite("Following downloads", .serialized, .enabled(if: Desk.hasProgram), .timeLimit(.minutes(2)))
struct DownloadFollowTests {
    private func row(
        _ audio: Int64, _ state: Download.State, _ received: Int64 = 0, why: String? = nil, speed: Int64? = nil
    ) -> DownloadReport {
        DownloadReport(
            id: TrackID(owner: 1, audio: audio), artist: "Кот", title: "T\(audio)", state: state, received: received,
            total: 8_000_000, problem: why.map { .init(code: "network", message: $0) }, speed: speed)
    }

    private func lists(_ daemon: ScriptedDaemon, _ rows: DownloadReport...) {
        daemon.answers("Downloads.List", DownloadCoding.list(rows))
    }

    /// The next line that has this in it.
    private func line(_ program: Program, with part: String) async throws -> String {
        while let line = await program.line() { if line.contains(part) { return line } }
        throw Ended(errors: program.errors)
    }

    private struct Ended: Error { var errors: String }

    @Test(
        "A pipe gets a line per change of state or reason, none for bytes, and nothing twice over the daemon's return")
    func pipe() async throws {
        let desk = try Desk()
        var daemon: ScriptedDaemon? = try desk.daemon()
        lists(try #require(daemon), row(1, .running, 1000), row(2, .waiting))
        let program = try desk.start("downloads", "--follow")
        #expect(await program.line() == "running  Кот – T1")
        #expect(await program.line() == "waiting  Кот – T2")
        for received in stride(from: 2000, to: 9000, by: 1000) {
            try daemon?.emit(row(1, .running, Int64(received), speed: 1000))
        }
        try daemon?.emit(row(1, .done, 8_000_000), row(2, .waiting, why: "busy until 14:05"))
        #expect(await program.line() == "done  Кот – T1 (8.0 MB)")
        #expect(await program.line() == "waiting  Кот – T2: busy until 14:05")
        daemon?.connection.close()
        daemon = nil
        while !program.errors.contains("waiting for it to come back") { await settle() }
        daemon = try desk.daemon()
        lists(try #require(daemon), row(1, .done, 8_000_000), row(2, .running))
        #expect(await program.line() == "running  Кот – T2")
        try daemon?.connection.emit(
            Names.nyandPath, NyandInterfaces.downloads.name, "Removed", [.strings(["1_2"])])
        #expect(await program.line() == "removed  Кот – T2")
    }

    @Test("JSON is the whole list at once and after each change, one line that the daemon is away, and the list again")
    func json() async throws {
        struct Row: Decodable, Equatable { let id: String, received: Int64, speed: Int64?, timeLeft: Int? }
        let desk = try Desk()
        var daemon: ScriptedDaemon? = try desk.daemon()
        lists(try #require(daemon), row(1, .running, 1000), row(2, .waiting))
        let program = try desk.start("downloads", "--follow", "--json")
        func rows() async throws -> [Row] {
            try JSONDecoder().decode([Row].self, from: Data(try #require(await program.line()).utf8))
        }
        #expect(try await rows().map(\.received) == [1000, 0])
        try daemon?.emit(row(1, .running, 4_000_000, speed: 500_000))
        #expect(
            try await rows() == [
                Row(id: "1_1", received: 4_000_000, speed: 500_000, timeLeft: 8),
                Row(id: "1_2", received: 0, speed: nil, timeLeft: nil),
            ])
        daemon?.connection.close()
        daemon = nil
        #expect(await program.line() == #"{"state":"absent"}"#)
        daemon = try desk.daemon()
        lists(try #require(daemon), row(2, .running))
        #expect(try await rows().map(\.id) == ["1_2"])
        #expect(program.errors.isEmpty)
    }

    @Test("A terminal gets bars that follow its width, what has ended above them, and word of a daemon that is away")
    func terminal() async throws {
        let desk = try Desk()
        desk.environment["TERM"] = "xterm"
        var daemon: ScriptedDaemon? = try desk.daemon()
        lists(try #require(daemon), row(1, .running, 2_000_000, speed: 1_000_000), row(2, .waiting))
        let program = try Program(
            [
                "/usr/bin/script", "-qec",
                "tty; stty cols 80 rows 6; exec '\(Desk.programPath)' downloads --follow", "/dev/null",
            ], environment: desk.environment)
        let name = try #require(await program.line()).split(separator: "\r").joined()
        let wide = try await line(program, with: "T1")
        #expect(wide.contains("━") && wide.contains("25 %") && wide.contains("1.0 MB/s") && wide.contains("0:06"))
        #expect(try await line(program, with: "running").contains("1 running, 1 waiting  1.0 MB/s"))
        // Nothing runs, so no tick draws anew: what does is the terminal's word.
        try daemon?.emit(row(1, .waiting, 2_000_000, why: "busy"))
        #expect(try await line(program, with: "waiting: busy").contains("busy  Кот – T1"))
        let stty = try await Program(["/usr/bin/stty", "-F", name, "cols", "20"], environment: desk.environment)
            .outcome()
        #expect(stty.status == 0, "\(stty.errors)")
        #expect(try await line(program, with: "waiting: busy").contains("busy  Кот…"))
        try daemon?.emit(row(1, .running, 2_000_000, speed: 1_000_000))
        let narrow = try await line(program, with: "T1")
        #expect(narrow.contains("25 %") && !narrow.contains("MB/s") && !narrow.contains("━"))
        try daemon?.emit(row(1, .done, 8_000_000), row(2, .running, 80_000))
        #expect(try await line(program, with: "done").contains("done  Кот – T1"))
        #expect(try await line(program, with: "T2").contains("1 %"))
        daemon?.connection.close()
        daemon = nil
        _ = try await line(program, with: "nyand is not runni")
        daemon = try desk.daemon()
        lists(try #require(daemon), row(2, .running, 800_000))
        #expect(try await line(program, with: "T2").contains("10 %"))
    }

    @Test("No escape sequences where nothing can be drawn over", arguments: ["dumb", "pipe"])
    func plain(kind: String) async throws {
        let desk = try Desk()
        desk.environment["TERM"] = kind == "dumb" ? "dumb" : "xterm"
        let daemon = try desk.daemon()
        lists(daemon, row(1, .running, 2_000_000, speed: 1_000_000), row(2, .failed, why: "no room"))
        let tail = kind == "dumb" ? "" : " | cat"
        let program = try Program(
            ["/usr/bin/script", "-qec", "'\(Desk.programPath)' downloads --follow\(tail)", "/dev/null"],
            environment: desk.environment)
        let lines = [try await line(program, with: "T1"), try await line(program, with: "T2")]
        #expect(lines.allSatisfy { !$0.contains("\u{1b}") })
        #expect(lines[1].hasPrefix("failed  Кот – T2: no room"))
    }

    @Test("download --wait outlives a restart of the daemon, tells each end as it comes, and sums up")
    func waits() async throws {
        let desk = try Desk()
        var daemon: ScriptedDaemon? = try desk.daemon()
        daemon?.answers("Downloads.Add", .uint32(2), .array([], of: "(ss)"))
        lists(try #require(daemon), row(1, .running), row(2, .waiting), row(3, .done))
        let program = try desk.start("download", "1_1", "1_2", "--wait")
        while daemon?.calls.contains("Downloads.List") != true { await settle() }
        await settle()
        try daemon?.emit(row(1, .done, 8_000_000), row(3, .failed))
        #expect(await program.line() == "done  Кот – T1 (8.0 MB)")
        daemon?.connection.close()
        daemon = nil
        while !program.errors.contains("waiting for it to come back") { await settle() }
        daemon = try desk.daemon()
        lists(try #require(daemon), row(1, .done, 8_000_000), row(2, .done, 8_000_000))
        #expect(await program.line() == "done  Кот – T2 (8.0 MB)")
        #expect(await program.line() == nil)
        #expect(await program.status() == 0)
        #expect(program.errors.hasPrefix("2 queued\n") && program.errors.hasSuffix("\n2 downloaded\n"))
    }

    @Test("What commands did is told to people on standard error, and to programs as JSON on standard output")
    func words() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Downloads.Add", .uint32(1), .array([], of: "(ss)"))
        daemon.answers("Downloads.Cancel", .uint32(2))
        daemon.answers("Downloads.Retry", .uint32(0))
        daemon.answers("Downloads.Pause", .uint32(3))
        daemon.answers("Downloads.Resume", .uint32(1))
        for (command, words, document) in [
            ("download 1_1 1_2 1_1", "1 queued, 1 already there", #"{"queued":1}"#),
            ("cancel --all", "2 cancelled", #"{"cancelled":2}"#),
            ("retry --all", "nothing to try again", #"{"retried":0}"#),
            ("downloads pause", "3 paused", #"{"paused":3}"#), ("downloads resume 1_1", "1 resumed", #"{"resumed":1}"#),
        ] {
            let arguments = command.split(separator: " ").map(String.init)
            let plain = try await Program([Desk.programPath] + arguments, environment: desk.environment).outcome()
            #expect(plain.status == 0 && plain.output.isEmpty && plain.errors == words + "\n", "\(command)")
            let json = try await Program([Desk.programPath, "--json"] + arguments, environment: desk.environment)
                .outcome()
            #expect(json.status == 0 && json.output == document + "\n" && json.errors.isEmpty, "\(command)")
        }
    }

    @Test("A list that stands still says why")
    func standstill() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        lists(daemon, row(1, .waiting))
        daemon.answers("Player.GetStatus", StatusReport(state: .stopped, isOfflineMode: true).busValue)
        let outcome = try await desk.ctl("downloads")
        #expect(outcome.output == "1  waiting  8.0 MB  Кот – T1\n")
        #expect(outcome.errors == "offline mode is on: `nyanctl offline off` lets them go on\n")
        #expect(try await desk.ctl("downloads", "--json").errors.isEmpty)
    }
}
