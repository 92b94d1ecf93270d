import Glibc
import NyanCore

/// How much is told. Raw values are journald's priorities.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    case error = 3, warning = 4, notice = 5, info = 6, debug = 7

    public nonisolated init?(name: String) {
        guard let level = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = level
    }

    public nonisolated static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }
}

/// One line per thing worth telling, on standard error; with journald's `<N>` prefix when that is the journal.
///
/// Never given a secret: callers pass `Failure.message` and ids, not URLs.
public struct Log: Sendable {
    public let level: LogLevel
    /// Shared by all copies.
    public let lastTrouble = LastTrouble()
    private let prefixed: Bool

    public nonisolated init(level: LogLevel, toJournal: Bool = false) {
        self.level = level
        prefixed = toJournal
    }

    public nonisolated func error(_ text: @autoclosure () -> String) { write(.error, text) }
    public nonisolated func warning(_ text: @autoclosure () -> String) { write(.warning, text) }
    public nonisolated func notice(_ text: @autoclosure () -> String) { write(.notice, text) }
    public nonisolated func info(_ text: @autoclosure () -> String) { write(.info, text) }
    public nonisolated func debug(_ text: @autoclosure () -> String) { write(.debug, text) }

    /// So many bytes of a line are told.
    private static nonisolated let longest = 4096

    /// One line per event, whatever a title or a service's error holds, and nothing that moves the terminal it is read on.
    private static nonisolated func line(_ text: String) -> String {
        // Cut before, so that megabytes are not escaped, and after, as a sign's escape is longer than the sign.
        let first = String(decoding: text.utf8.prefix(longest + 1), as: UTF8.self)
        let escaped = DisplayText.escaped(String(first.map { $0.isNewline ? " " : $0 }))
        guard text.utf8.count > longest || escaped.utf8.count > longest else { return escaped }
        return String(decoding: escaped.utf8.prefix(longest), as: UTF8.self) + "…"
    }

    private nonisolated func write(_ level: LogLevel, _ text: () -> String) {
        guard level <= max(self.level, .warning) else { return }
        let line = Self.line(text())
        if level <= .warning { lastTrouble.note(level, line) }
        guard level <= self.level else { return }
        var bytes = Array(((prefixed ? "<\(level.rawValue)>" : "nyand: ") + line + "\n").utf8)
        _ = bytes.withUnsafeMutableBytes { Glibc.write(2, $0.baseAddress, $0.count) }
    }
}
