import Glibc
import NyanCore
import NyanTestKit
import Testing

/// `nyanctl ui` as a person starts it: from a shell, in a terminal.
final class UIStage {
    let house: House
    let tmux: Tmux
    private static let prompt = "ready> "

    /// The house needs no daemon for programs that only look at the terminal.
    init(_ house: House, columns: Int = 80, rows: Int = 24, _ extra: [String: String] = [:]) async throws {
        self.house = house
        var environment = house.environment
        environment["PATH"] = House.programs + ":/usr/bin:/bin"
        environment["PS1"] = Self.prompt
        environment["TMUX_TMPDIR"] = house.home
        // The runtime's own reports of a crash would fill the screen.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        environment.merge(extra) { $1 }
        tmux = try await Tmux(
            ["/bin/bash", "--norc", "--noprofile", "-i"], environment: environment, columns: columns, rows: rows)
        try await sees("ready>")
    }

    /// The ui in a house that is signed in, with the profile on the screen.
    static func ofProfile(_ command: String = "nyanctl ui", sees text: String = "450 tracks") async throws -> UIStage {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        let stage = try await UIStage(house)
        try await stage.start(command)
        try await stage.sees(text)
        return stage
    }

    /// Types a command.
    func run(_ command: String) async throws {
        try await tmux.type(command)
        try await tmux.press("Enter")
    }

    /// Waits until the screen shows a text.
    func sees(_ text: String, at location: SourceLocation = #_sourceLocation) async throws {
        try await until("the screen shows \(text)", at: location) { $0.contains { $0.contains(text) } }
    }

    func seesNo(_ text: String, at location: SourceLocation = #_sourceLocation) async throws {
        try await until("the screen shows no \(text)", at: location) { !$0.contains { $0.contains(text) } }
    }

    /// Waits until the lines on the screen are so; a failure shows them.
    func until(
        _ what: Comment, at location: SourceLocation = #_sourceLocation, _ isSo: ([String]) -> Bool
    ) async throws {
        var lines: [String] = []
        do {
            try await house.until(
                what,
                {
                    lines = try await tmux.screen()
                    return isSo(lines)
                }, at: location)
        } catch {
            Issue.record("the screen showed:\n\(lines.joined(separator: "\n"))", sourceLocation: location)
            throw error
        }
    }

    /// Where a text stands on the screen, once it does.
    func place(of text: String) async throws -> (row: Int, column: Int) {
        var lines: [String] = []
        try await until("the screen shows \(text)") {
            lines = $0
            return $0.contains { $0.contains(text) }
        }
        let row = try #require(lines.firstIndex { $0.contains(text) }, "no \(text) in \(lines)")
        let before = try #require(lines[row].firstRange(of: text)).lowerBound
        return (row, DisplayText.columns(lines[row][..<before]))
    }

    /// The shell is back, on the screen as it was before, with the terminal's settings as they were.
    func isGivenBack(at location: SourceLocation = #_sourceLocation) async throws {
        try await house.until(
            "the other screen is left",
            {
                try await tmux.know("alternate_on") == "0"
            }, at: location)
        try await run("clear; stty -a | cmp - $HOME/stty && echo as before: $?")
        try await sees("as before: 0", at: location)
        #expect(try await tmux.know("cursor_flag") == "1", sourceLocation: location)
        #expect(try await tmux.know("mouse_any_flag") == "0", sourceLocation: location)
        #expect(try await tmux.know("keypad_cursor_flag") == "0", sourceLocation: location)
    }

    /// Notes the terminal's settings, and starts the ui.
    func start(_ command: String = "nyanctl ui", at location: SourceLocation = #_sourceLocation) async throws {
        try await run("clear; stty -a > $HOME/stty; echo before it")
        try await sees("before it", at: location)
        try await run(command)
        try await house.until(
            "the ui has the other screen",
            {
                try await tmux.know("alternate_on") == "1"
            }, at: location)
    }

    /// The process of the ui; 0 where there is none.
    func process() async throws -> pid_t {
        let found = try await Program(
            ["/usr/bin/pgrep", "-P", tmux.know("pane_pid"), "nyanctl"], environment: house.environment
        ).outcome().output
        return pid_t(found.split(separator: "\n").first ?? "") ?? 0
    }
}
