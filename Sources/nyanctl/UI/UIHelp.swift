import NyanCore
import NyanWords

/// The help over everything: the table of the keys, in a window of some size.
@MainActor enum UIHelp {
    static func lines(_ size: Size, from top: Int) -> [[UIPart]] {
        let rows = rows(size)
        let room = room(size)
        let first = clamped(top, size)
        var lines = [[UIPart(" " + Words.said("Keys"), .strong)]]
        lines += rows[first..<min(rows.count, first + room)]
        lines += Array(repeating: [], count: max(0, size.rows - 1 - lines.count))
        let isWhole = rows.count <= room
        lines.append([
            UIPart(" " + Words.said(isWhole ? "any key closes" : "↑ and ↓ scroll, any other key closes"), .faint)
        ])
        return lines
    }

    /// The last row that can be the first one seen.
    static func last(_ size: Size) -> Int { max(0, rows(size).count - room(size)) }

    static func clamped(_ top: Int, _ size: Size) -> Int { max(0, min(top, last(size))) }

    private static func room(_ size: Size) -> Int { max(1, size.rows - 2) }

    /// What a key does goes on in the next row where there is no room.
    private static func rows(_ size: Size) -> [[UIPart]] {
        let rows = UIKeys.help(isShort: size.columns < 60)
        let width = rows.reduce(0) { max($0, DisplayText.columns($1.keys)) }
        return rows.flatMap { row in
            wrapped(row.summary, to: size.columns - width - 3).enumerated().map { number, text in
                let keys = DisplayText.fitted(number == 0 ? row.keys : "", to: width)
                return [UIPart(" " + keys, .strong), UIPart("  " + text)]
            }
        }
    }

    /// Lines of at most so many columns, parted between words; a longer word stands in a line of its own.
    static func wrapped(_ text: String, to columns: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, DisplayText.columns(last) + 1 + DisplayText.columns(word) <= columns {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
