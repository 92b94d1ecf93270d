import Glibc
import NyanCore
import NyanWire
import NyanWords

/// `lyrics --follow` on a terminal: the words around the line that is sung, which is marked, and bold where the person
/// wants no plain text (`NO_COLOR`).
@MainActor final class SungScreen {
    private var block = LiveBlock()
    private let signals = TerminalSignals()
    private let isPlain = Terminal.environment("NO_COLOR") != nil

    /// `yield` is told of the terminal's changes.
    init(_ yield: @escaping @Sendable (Followed) -> Void) {
        signals.on(SIGWINCH) { yield(.redraw) }
        // Others have had the terminal while we were stopped.
        signals.on(SIGCONT) { [weak self] in
            self?.block.forget()
            yield(.redraw)
        }
    }

    func draw(_ name: String?, _ lyrics: Lyrics?, sung: Int?) {
        let (columns, height) = ((Terminal.columns ?? 80) - 1, min(Terminal.rows - 1, Self.height))
        var lines: [String] = []
        var bold: Int?
        if let name, let lyrics, lyrics.isTimed {
            let window = Self.window(of: lyrics.lines.count, around: sung, height: height - 1)
            let words = window.map { ($0 == sung ? "▸ " : "  ") + DisplayText.escaped(lyrics.lines[$0].text) }
            lines = (["♪ " + name] + words).map { DisplayText.cut($0, to: columns) }
            bold = isPlain ? nil : sung.map { $0 - window.lowerBound + 1 }
        }
        block.draw(lines, columns: columns + 1, bold: bold)
    }

    /// Takes the words away: what is printed then stays.
    func clear() { block.clear(columns: Terminal.columns ?? 80) }

    /// More lines than that nobody sings along with.
    private static let height = 12

    /// Which of so many lines are shown; the one that is sung stands in the middle where it can.
    static func window(of count: Int, around line: Int?, height: Int) -> Range<Int> {
        let length = max(0, min(count, height))
        let first = min(max(0, (line ?? 0) - length / 2), count - length)
        return first..<first + length
    }
}
