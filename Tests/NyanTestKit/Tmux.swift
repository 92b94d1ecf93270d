import Glibc

/// A terminal for a program that wants one: a tmux server of the test's own, with one pane. Ends with the last reference.
///
/// Keys go in by `send-keys`, what is seen comes out by `capture-pane`; tmux is a terminal in its own right, so what it
/// shows is what a person would see.
public final class Tmux {
    private let environment: [String: String]
    private let name: String
    private static var count = 0

    /// Starts the server with `words` in its pane. The environment is the program's, beside `TERM`, which is tmux's.
    public init(
        _ words: [String], environment: [String: String], columns: Int = 80, rows: Int = 24
    ) async throws {
        Self.count += 1
        name = "nyan-test-\(getpid())-\(Self.count)"
        self.environment = environment
        try await run(
            ["new-session", "-d", "-s", "it", "-x", "\(columns)", "-y", "\(rows)"] + words)
        // Else a client's size would count, and there is none.
        try await run(["set-option", "-g", "window-size", "manual"])
    }

    isolated deinit {
        // Nothing waits for it, and it says something only where the program has closed the terminal itself.
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        _ = try? Program.spawn(tmux + ["kill-server"], environment, (nothing, nothing, nothing))
        close(nothing)
    }

    private var tmux: [String] { ["/usr/bin/tmux", "-L", name, "-f", "/dev/null"] }

    @discardableResult
    private func run(_ words: [String]) async throws -> String {
        let outcome = try await Program(tmux + words, environment: environment).outcome()
        guard outcome.status == 0 else { throw Refused(words: words, said: outcome.errors) }
        return outcome.output
    }

    /// tmux would not do something.
    public struct Refused: Error {
        public let words: [String], said: String
    }

    /// Presses keys by tmux' names: `Enter`, `Up`, `C-c`, `F5`, a letter.
    public func press(_ keys: String...) async throws { try await run(["send-keys", "-t", "it"] + keys) }

    /// Types text as it is.
    public func type(_ text: String) async throws { try await run(["send-keys", "-t", "it", "-l", "--", text]) }

    /// Pastes text the way a terminal does, between marks where the program asked for them.
    public func paste(_ text: String) async throws {
        try await run(["set-buffer", "-b", "it", "--", text])
        try await run(["paste-buffer", "-p", "-b", "it", "-t", "it"])
    }

    /// Presses and releases the left button over a cell, counted from 0.
    public func click(row: Int, column: Int, times: Int = 1) async throws {
        let cell = "\(column + 1);\(row + 1)"
        try await type(String(repeating: "\u{1b}[<0;\(cell)M\u{1b}[<0;\(cell)m", count: times))
    }

    /// Turns the wheel over a cell, down where `steps` is more than 0.
    public func wheel(_ steps: Int, row: Int, column: Int) async throws {
        let one = "\u{1b}[<\(steps > 0 ? 65 : 64);\(column + 1);\(row + 1)M"
        try await type(String(repeating: one, count: abs(steps)))
    }

    public func resize(columns: Int, rows: Int) async throws {
        try await run(["resize-window", "-t", "it", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// The lines that are seen, without blanks at their ends. `styled`: with the sequences of their colours and weights.
    public func screen(styled: Bool = false) async throws -> [String] {
        let text = try await run(["capture-pane", "-p", "-t", "it"] + (styled ? ["-e"] : []))
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
    }

    /// What tmux knows about the pane, by the name of its format: `pane_pid`, `alternate_on`, `cursor_x`.
    public func know(_ format: String) async throws -> String {
        try await run(["display-message", "-p", "-t", "it", "#{\(format)}"]).split(separator: "\n").first.map(
            String.init)
            ?? ""
    }

    /// Closes the terminal while the program runs in it.
    public func closePane() async throws { try await run(["kill-pane", "-t", "it"]) }
}
