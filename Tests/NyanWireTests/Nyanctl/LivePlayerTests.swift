import Glibc
import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

extension Desk {
    /// nyanctl on a terminal of its own.
    func terminal(
        _ words: String..., columns: Int = 80, rows: Int = 24, input: TerminalProgram.Place = .terminal,
        output: TerminalProgram.Place = .terminal, errors: TerminalProgram.Place = .terminal
    ) throws -> TerminalProgram {
        try TerminalProgram(
            [Self.programPath] + words, environment: ["TERM": "xterm"].merging(environment) { $1 }, columns: columns,
            rows: rows, input: input, output: output, errors: errors)
    }
}

/// The live player as a person has it: on a terminal, with keys, signals and a daemon that comes and goes.
@Suite("The live player on a terminal", .serialized, .enabled(if: Desk.hasProgram), .timeLimit(.minutes(2)))
struct LivePlayerTests {
    private static let track = ListedTrack(
        track: Track(id: TrackID(owner: 1, audio: 2), accessKey: "ab", artist: "Кот", title: "Песня"))

    private func report(
        _ state: StatusReport.State = .paused, _ position: Double = 50, volume: Double = 0.8, buffered: Double? = nil
    ) -> StatusReport {
        StatusReport(
            state: state, track: Self.track, position: position, duration: 100, volume: volume, buffered: buffered)
    }

    private func begin(_ desk: Desk, _ first: StatusReport? = nil) throws -> ScriptedDaemon {
        let daemon = try desk.daemon()
        daemon.answers("Player.GetStatus", (first ?? report()).busValue)
        return daemon
    }

    private func row(_ state: Download.State, _ received: Int64 = 0) -> DownloadReport {
        DownloadReport(
            id: TrackID(owner: 1, audio: 2), artist: "Кот", title: "Песня", state: state, received: received, total: 100
        )
    }

    @Test("Keys do what the line above says, on a Russian keyboard too, and what is refused is told")
    func keys() async throws {
        let desk = try Desk()
        let daemon = try begin(desk)
        daemon.refuses("Player.Next", .notFound, "this is the last track of the queue")
        let program = try desk.terminal("player")
        try await program.until(contains: "‖ Кот – Песня  0:50 ━━━")
        #expect(program.output.contains("space pause"))
        for (typed, call) in [
            (" ", "Toggle"), ("p", "Previous"), ("з", "Previous"), ("s", "SetShuffle"), ("r", "SetRepeat"),
            ("+", "ChangeVolume"), ("\u{1b}[C", "SeekBy"), ("7", "SeekToFraction"),
        ] {
            let before = daemon.calls.count { $0 == "Player.\(call)" }
            program.type(typed)
            while daemon.calls.count(where: { $0 == "Player.\(call)" }) == before { await settle() }
        }
        #expect(daemon.arguments["Player.SeekToFraction"] == [.double(0.7)])
        program.type("n")
        try await program.until(contains: "1:40  this is the last track of the queue")
        try daemon.emit(report(volume: 0.35))
        program.type(" ")
        try await program.until(contains: "1:40  35 %")
        program.type("й")
        let outcome = await program.outcome()
        #expect(outcome.status == 0 && outcome.output.hasSuffix("\u{1b}[?25h\r\n"))
        #expect(program.isRestored)
    }

    @Test("l likes and d downloads exactly the track that is shown, and the line says what came of it")
    func wishes() async throws {
        let desk = try Desk()
        let daemon = try begin(desk)
        daemon.answers(
            "Profile.Add", .strings(["9_9"]), .strings([]), .array([], of: "(ss)"),
            .structure([.string(""), .string("")]))
        daemon.answers("Downloads.Add", .uint32(1), .array([], of: "(ss)"))
        daemon.answers("Downloads.Standing", .strings(["1_2"]))
        daemon.answers("Downloads.List", DownloadCoding.list([row(.running, 10)]))
        let program = try desk.terminal("player")
        try await program.until(contains: "Песня")
        program.type("l")
        try await program.until(contains: "added to the profile")
        #expect(daemon.arguments["Profile.Add"] == [.strings(["1_2_ab"])])
        program.type("в")
        try await program.until(contains: "queued for download")
        #expect(daemon.arguments["Downloads.Add"] == [.strings(["1_2_ab"])])
        try await program.until(contains: "downloading 10 %")
        try daemon.emit(row(.running, 60))
        try await program.until(contains: "downloading 60 %")
        // Another key: the line has its volume back, and only the end is told.
        program.type(" ")
        while daemon.calls.last != "Player.Toggle" { await settle() }
        let mark = program.mark
        try daemon.emit(row(.running, 90))
        try daemon.emit(row(.done, 100))
        #expect(!(try await program.until(contains: "  download finished", since: mark)).contains("90 %"))
        daemon.refuses("Profile.Add", .denied, "VK has no such track")
        program.type("l")
        try await program.until(contains: "VK has no such track")
        #expect(!program.isRestored)
    }

    nonisolated private static let ways: [(String, Int32?, Int32)] = [
        ("q", nil, 0), ("\u{3}", nil, 0), ("", SIGINT, 130), ("", SIGTERM, 143), ("", SIGHUP, 129), ("", nil, 3),
    ]

    @Test("Whatever ends it, the terminal is as it was and its cursor is there", arguments: ways)
    func ends(typed: String, signal: Int32?, status: Int32) async throws {
        let desk = try Desk()
        let daemon = try begin(desk, report(.playing))
        let program = try desk.terminal("player")
        try await program.until(contains: "▶ Кот")
        #expect(!program.isRestored)
        program.type(typed)
        if let signal { program.send(signal) }
        if status == 3 { desk.bus.kill() }
        let outcome = await program.outcome()
        #expect(outcome.status == status)
        #expect(program.isRestored && outcome.output.contains("\u{1b}[?25h\r\n"))
        withExtendedLifetime(daemon) {}
    }

    @Test("A terminal that takes nothing (Ctrl-S) holds up neither SIGTERM nor keys; then the newest frame is drawn")
    func stoppedTerminal() async throws {
        let desk = try Desk()
        let daemon = try begin(desk)
        let program = try desk.terminal("player")
        try await program.until(contains: "Песня")
        for ends in [false, true] {
            program.type("\u{13}")
            let mark = program.mark
            for round in 1...20 { try daemon.emit(report(.paused, Double(round))) }
            let before = daemon.calls.count { $0 == "Player.Toggle" }
            if !ends { program.type(" ") }
            while !ends, daemon.calls.count(where: { $0 == "Player.Toggle" }) == before { await settle() }
            if ends { break }
            program.type("\u{11}")
            try await program.until(contains: "0:20", since: mark)
        }
        program.send(SIGTERM)
        #expect(await program.status(within: 10) == 128 + SIGTERM)
        #expect(program.isRestored)
    }

    @Test("d on a track that is there already says so, and nothing of a download that finished now")
    func oldDownload() async throws {
        let desk = try Desk()
        let daemon = try begin(desk)
        daemon.answers("Downloads.Add", .uint32(0), .array([], of: "(ss)"))
        daemon.answers("Downloads.Standing", .strings(["1_2"]))
        daemon.answers("Downloads.List", DownloadCoding.list([row(.done, 100)]))
        let program = try desk.terminal("player")
        try await program.until(contains: "Песня")
        for _ in 0...1 {
            let before = daemon.calls.count { $0 == "Downloads.Standing" }
            program.type("d")
            try await program.until(contains: "already there")
            while daemon.calls.count(where: { $0 == "Downloads.Standing" }) == before { await settle() }
        }
        while !daemon.calls.contains("Downloads.List") { await settle() }
        program.type("q")
        #expect(!(await program.outcome()).output.contains("download finished"))
    }

    @Test("A closed window ends it; one whose shell keeps hang-ups from it, too")
    func hangUp() async throws {
        let desk = try Desk()
        let daemon = try begin(desk)
        daemon.answers("Downloads.List", DownloadCoding.list([]))
        let player = try desk.terminal("player")
        try await player.until(contains: "Кот")
        player.hangUp()
        #expect(await player.status() == 128 + SIGHUP)
        for follower in ["status --follow", "lyrics --follow", "downloads --follow"] {
            let program = try TerminalProgram(
                ["/bin/sh", "-c", "trap '' HUP; echo ready; exec '\(Desk.programPath)' \(follower)"],
                environment: desk.environment)
            let before = daemon.calls.count
            try await program.until(contains: "ready")
            while daemon.calls.count == before { await settle() }
            program.hangUp()
            let outcome = await program.outcome()
            #expect(outcome.status == 128 + SIGHUP, "\(follower): \(outcome)")
        }
    }

    @Test("Keys that are gone end it as a hang-up does: which of the two is noticed first is chance")
    func keysGone() async throws {
        let desk = try Desk()
        let daemon = try begin(desk)
        // Not the terminal that controls it: no signal comes.
        let keyboard = try TerminalProgram(["/bin/sleep", "60"], environment: [:])
        let player = try desk.terminal("player", input: .file(keyboard.path))
        try await player.until(contains: "Кот")
        keyboard.hangUp()
        #expect(await player.status() == 128 + SIGHUP)
        withExtendedLifetime(daemon) {}
    }

    @Test("Ctrl-Z gives the shell its terminal, `fg` takes it again")
    func stops() async throws {
        let desk = try Desk()
        let daemon = try begin(desk)
        var environment = desk.environment
        environment.merge(["TERM": "xterm", "PATH": "/usr/bin:/bin", "PS1": "ready> "]) { $1 }
        let shell = try TerminalProgram(
            ["/bin/bash", "--norc", "--noprofile", "--noediting", "-i"], environment: environment)
        try await shell.until(contains: "ready> ")
        for stop in ["\u{1a}", ""] {
            var mark = shell.mark
            shell.type(stop == "\u{1a}" ? "'\(Desk.programPath)' player\r" : "fg\r")
            try await shell.until(contains: "Песня", since: mark)
            mark = shell.mark
            if stop.isEmpty {
                // As another program would stop it.
                let found = try await Program(
                    ["/usr/bin/pkill", "-TSTP", "-P", "\(shell.processID)"], environment: environment
                ).status()
                #expect(found == 0)
            } else {
                shell.type(stop)
            }
            let stopped = try await shell.until(contains: "ready> ", since: mark)
            #expect(stopped.contains("\u{1b}[?25h") && stopped.contains("Stopped"))
            #expect(shell.isRestored)
        }
        let mark = shell.mark
        shell.type("fg\r")
        try await shell.until(contains: "\u{1b}[?25l", since: mark)
        try await shell.until(contains: "‖ Кот – Песня", since: mark)
        shell.type("q")
        try await shell.until(contains: "ready> ", since: mark)
        shell.type("echo ended $?\r")
        try await shell.until(contains: "ended 0", since: mark)
        withExtendedLifetime(daemon) {}
    }

    @Test("The line fits a window that changes, and is always drawn from where the cursor stayed: its beginning")
    func resizes() async throws {
        let desk = try Desk()
        let daemon = try begin(desk)
        let program = try desk.terminal("player", columns: 60)
        try await program.until(contains: "80 %\r\u{1b}[?7h")
        for columns in [20, 7, 1, 40, 120] {
            let mark = program.mark
            program.resize(columns: columns, rows: 3)
            let drawn = try await program.until(contains: "\u{1b}[?7h", since: mark)
            #expect(
                drawn.hasPrefix("\u{1b}[?25l\u{1b}[?7l\r\u{1b}[J") && drawn.hasSuffix("\r\u{1b}[?7h"),
                "\(drawn.debugDescription)")
            #expect(DisplayText.columns(drawn.dropFirst(15).dropLast(6)) < max(1, columns), "\(columns)")
        }
        withExtendedLifetime(daemon) {}
    }

    @Test("What is not loaded yet is dotted, and asked for while it plays; a daemon that goes away is waited for")
    func daemon() async throws {
        let desk = try Desk()
        var daemon: ScriptedDaemon? = try begin(desk, report(.playing, 10, buffered: 0.5))
        let program = try desk.terminal("player")
        try await program.until(contains: "┄")
        daemon?.answers("Player.GetStatus", report(.playing, 12, buffered: 1).busValue)
        try await program.until("a whole bar") { $0.split(separator: "\u{1b}[J").last?.contains("┄") == false }
        daemon?.connection.close()
        daemon = nil
        try await program.until(contains: "nyand is not running; waiting for it")
        let mark = program.mark
        daemon = try begin(desk)
        try await program.until(contains: "‖ Кот", since: mark)
        var trouble = report()
        trouble.problem = .init(code: "network", message: "VK is not reachable")
        try daemon?.emit(trouble)
        try await program.until(contains: "80 %  VK is not reachable")
    }

    @Test(
        "Without a terminal that it could draw on it says so, and ends with 2", arguments: ["input", "output", "dumb"])
    func refuses(lacking: String) async throws {
        let desk = try Desk()
        desk.environment["TERM"] = lacking == "dumb" ? "dumb" : "xterm"
        let program = try desk.terminal(
            "player", input: lacking == "input" ? .null : .terminal, output: lacking == "output" ? .null : .terminal)
        let outcome = await program.outcome()
        #expect(outcome.status == 2 && outcome.output.contains("the player needs a terminal"))
        #expect(!outcome.output.contains("\u{1b}"))
        #expect(try await desk.ctl("player", "--json").status == 2)
    }
}
