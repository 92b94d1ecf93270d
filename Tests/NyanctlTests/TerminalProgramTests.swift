import Glibc
import NyanTestKit
import Testing

/// What the other tests' terminal promises them.
@Suite("A program on a terminal", .serialized, .timeLimit(.minutes(1)))
struct TerminalProgramTests {
    private func shell(_ script: String, errors: TerminalProgram.Place = .terminal) throws -> TerminalProgram {
        try TerminalProgram(
            ["/bin/sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"], columns: 33, rows: 7, errors: errors)
    }

    @Test("It controls the program, has the size it was given, and tells of another one")
    func size() async throws {
        let program = try shell("trap 'stty size; exit 4' WINCH; tty >/dev/tty; stty size; while :; do read line; done")
        try await program.until(contains: "7 33\r\n")
        #expect(program.output.hasPrefix(program.path + "\r\n"))
        program.resize(columns: 20, rows: 5)
        let outcome = await program.outcome()
        #expect(outcome.status == 4 && outcome.output.hasSuffix("5 20\r\n"))
    }

    @Test("Keys are typed, signals made of them, and settings that were left changed are seen")
    func keys() async throws {
        let program = try shell("stty -echo; echo ready; read line; echo \"<$line>\"; read more")
        try await program.until(contains: "ready")
        #expect(program.original.echoes)
        #expect(try !program.settings.echoes)
        #expect(!program.isRestored)
        let mark = program.mark
        program.type("кот\r")
        #expect(try await program.until(contains: "<кот>", since: mark) == "<кот>\r\n")
        program.type("\u{3}")
        #expect(await program.status() == 128 + SIGINT)
        #expect(!program.isRestored)
        let careful = try shell("stty -echo; stty echo; echo ready >&2", errors: .null)
        #expect(await careful.outcome().output.isEmpty)
        #expect(careful.isRestored)
    }

    @Test("A window that is closed ends the program; what does not come in time is told with what came")
    func hangUp() async throws {
        let program = try shell("echo ready; exec sleep 100")
        try await program.until(contains: "ready")
        let late = await #expect(throws: TerminalProgram.Late.self) {
            try await program.until(contains: "steady", within: 0.1)
        }
        #expect(late?.description.contains("ready") == true)
        program.hangUp()
        #expect(await program.status() == 128 + SIGHUP)
    }

    @Test("A terminal that is not read holds its program up, and what was written is there afterwards")
    func unread() async throws {
        let program = try shell("echo ready; head -c 300000 /dev/zero | tr '\\0' x; echo; echo done >&2")
        try await program.until(contains: "ready")
        program.stopReading()
        #expect(!program.output.contains("done"))
        program.readOn()
        let outcome = await program.outcome()
        #expect(outcome.output.count { $0 == "x" } == 300_000 && outcome.output.hasSuffix("done\r\n"))
    }
}
