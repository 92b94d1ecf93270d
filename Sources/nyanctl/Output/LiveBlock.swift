import NyanCore

/// Lines at the cursor that are drawn over in place. The cursor always stands at the beginning of the line below them, so
/// that the program may end at any moment without leaving a mess.
@MainActor struct LiveBlock {
    private var drawn: [String] = []
    /// The terminal's width when they were drawn.
    private var width = 0
    /// The line that was bold.
    private var drawnBold: Int?

    /// `lines` must be shorter than `columns`, and fewer than the terminal's rows. `above` stays for good, above the block.
    /// `bold`: which of the lines stands out.
    mutating func draw(_ lines: [String], columns: Int, above: [String] = [], bold: Int? = nil) {
        guard lines != drawn || columns != width || bold != drawnBold || !above.isEmpty else { return }
        // Told apart only where it is written: a sequence takes no room.
        let styled = lines.enumerated().map { $0 == bold ? "\u{1b}[1m\($1)\u{1b}[22m" : $1 }
        // One piece, and each line is cleared behind its new text only: nothing flickers.
        Terminal.show(Self.text(styled, above: above, over: Self.rows(of: drawn, drawnAt: width, columns: columns)))
        (drawn, width, drawnBold) = (lines, columns, bold)
    }

    /// Takes the block away.
    mutating func clear(columns: Int) {
        if !drawn.isEmpty { draw([], columns: columns) }
    }

    /// Others have written to the terminal: what was drawn stays where it is, and the block begins anew below.
    mutating func forget() { drawn = [] }

    /// Escapes and text that put `lines` in the place of so many terminal rows above the cursor.
    static func text(_ lines: [String], above: [String], over rows: Int) -> String {
        let up = rows > 0 ? "\r\u{1b}[\(rows)A" : ""
        // No wrapping meanwhile: terminals differ in how wide joined emoji are, and a row too many would stay for ever.
        return "\u{1b}[?7l" + up + (above + lines).map { $0 + "\u{1b}[K\n" }.joined()
            + (rows > 0 ? "\u{1b}[J" : "") + "\u{1b}[?7h"
    }

    /// How many rows the lines take now: a terminal that became narrower has wrapped them.
    static func rows(of lines: [String], drawnAt width: Int, columns: Int) -> Int {
        guard columns < width, columns > 0 else { return lines.count }
        return lines.reduce(0) { $0 + max(1, (DisplayText.columns($1) + columns - 1) / columns) }
    }
}
