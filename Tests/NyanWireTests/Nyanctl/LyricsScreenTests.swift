import Glibc
import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// `lyrics --follow` as a person sees it.
@Suite("Words on a terminal", .serialized, .enabled(if: Desk.hasProgram), .timeLimit(.minutes(2)))
struct LyricsScreenTests {
    private func report(_ audio: Int64, _ state: StatusReport.State, _ position: Double) -> StatusReport {
        let track = Track(id: TrackID(owner: 1, audio: audio), artist: "Кот", title: "T\(audio)")
        return StatusReport(state: state, track: ListedTrack(track: track), position: position)
    }

    /// `Lyrics.Get` answers by the track: 1 has timed words, 2 has plain ones, 3 none.
    private func begin(_ desk: Desk) throws -> ScriptedDaemon {
        let daemon = try desk.daemon()
        daemon.answers("Player.GetStatus", report(1, .paused, 0).busValue)
        func lyrics(_ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
            let id = arguments[0].string ?? ""
            switch id {
            case "1_1":
                let lines = (0..<30).map { Lyrics.Line(begin: 1000 + $0 * 100_000, text: "строка \($0)\u{1b}") }
                return .reply([.string(id)] + LyricsCoding.values(Lyrics(lines: lines)))
            case "1_2":
                return .reply([.string(id)] + LyricsCoding.values(Lyrics(lines: [.init(text: "x"), .init(text: "y")])))
            default: throw FailureCoding.busError(Failure(.notFound, "there are no lyrics for this track"))
            }
        }
        daemon.replies["Lyrics.Get"] = lyrics
        return daemon
    }

    @Test(
        "The line that is sung is marked, bold where colours are wanted, and moves with the sound",
        arguments: [false, true])
    func marks(isPlain: Bool) async throws {
        let desk = try Desk()
        if isPlain { desk.environment["NO_COLOR"] = "1" }
        let daemon = try begin(desk)
        let program = try desk.terminal("lyrics", "--follow", columns: 40, rows: 8)
        let first = try await program.until(contains: "  строка 5\\x1B")
        #expect(first.contains("♪ Кот – T1") && !first.contains("▸") && !first.contains("строка 6"))
        try daemon.emit(report(1, .playing, 0.9))
        // Its moment comes by itself.
        let sung = try await program.until(contains: "▸ строка 0\\x1B")
        #expect(sung.contains("\u{1b}[1m▸ строка 0\\x1B\u{1b}[22m") == !isPlain)
        var mark = program.mark
        try daemon.emit(report(1, .playing, 2001.5))
        let moved = try await program.until(contains: "▸ строка 20", since: mark)
        #expect(moved.contains("  строка 17") && moved.contains("  строка 22") && !moved.contains("строка 23"))
        mark = program.mark
        try daemon.emit(report(1, .paused, 101.5))
        try await program.until(contains: "▸ строка 1\\", since: mark)
        mark = program.mark
        program.resize(columns: 10, rows: 4)
        try await program.until(contains: "▸ строка…", since: mark)
        program.type("\u{3}")
        #expect(await program.status() == 128 + SIGINT)
        #expect(program.isRestored)
    }

    @Test("Another track's words take the place; those without times stay, and where there are none it is said")
    func tracks() async throws {
        let desk = try Desk()
        var daemon: ScriptedDaemon? = try begin(desk)
        let program = try desk.terminal("lyrics", "--follow")
        try await program.until(contains: "строка 5")
        var mark = program.mark
        try daemon?.emit(report(2, .playing, 0))
        #expect(try await program.until(contains: "y\r\n", since: mark).hasSuffix("♪ Кот – T2\r\nx\r\ny\r\n"))
        mark = program.mark
        try daemon?.emit(report(3, .playing, 0))
        try await program.until(contains: "♪ Кот – T3: there are no lyrics for this track\r\n", since: mark)
        mark = program.mark
        daemon?.connection.close()
        daemon = nil
        try await program.until(contains: "nyand is not running", since: mark)
        daemon = try begin(desk)
        try await program.until(contains: "строка 5", since: mark)
    }

    @Test("Beside words for a pipe the name on the terminal is harmless; what is late is not said of another track")
    func names() async throws {
        let desk = try Desk()
        let daemon = try begin(desk)
        var late: CallContext?
        let usual = try #require(daemon.replies["Lyrics.Get"])
        func lyrics(_ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
            guard arguments[0].string == "1_3" else { return try usual(arguments, context) }
            late = context
            return .taken
        }
        daemon.replies["Lyrics.Get"] = lyrics
        let track = Track(id: TrackID(owner: 1, audio: 3), artist: "Кот", title: "a\u{202e}b")
        daemon.answers(
            "Player.GetStatus", StatusReport(state: .playing, track: ListedTrack(track: track)).busValue)
        let program = try desk.terminal("lyrics", "--follow", output: .file(desk.home + "/words"))
        let first = try await program.until(contains: "♪ Кот – a")
        #expect(!first.unicodeScalars.contains("\u{202e}"))
        while late == nil { await settle() }
        try daemon.emit(report(2, .playing, 0))
        try await program.until(contains: "♪ Кот – T2")
        let mark = program.mark
        late?.fail(FailureCoding.busError(Failure(.notFound, "there are no lyrics for this track")))
        try daemon.emit(report(1, .playing, 0))
        try await program.until(contains: "♪ Кот – T1", since: mark)
        #expect(!program.output.contains("there are no lyrics"))
    }
}
