import NyanCore

/// Text as ncurses is given it: scalars that take, by the C library's count, the columns `DisplayText` counted, so that
/// nothing behind them moves. What the two count differently (joined emoji, a coloured heart, letters younger than the
/// system) is simplified, and filled with blanks.
nonisolated struct PaintedText: Equatable {
    private(set) var scalars: [UInt32] = []
    private(set) var columns = 0

    /// A cell holds a letter and this many marks (ncurses' `CCHARW_MAX` less one).
    private static let marksInCell = 4

    /// The text in at most `limit` columns; a wide letter that would cross the limit leaves a blank. `width` is the C
    /// library's `wcwidth`.
    init(_ text: String, limit: Int, width: (UInt32) -> Int) {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            scalars = text.utf8.prefix(max(0, limit)).map { UInt32($0) }
            columns = scalars.count
            return
        }
        for character in text {
            let want = DisplayText.columns(String(character))
            guard want > 0 else { continue }
            guard columns + want <= limit else {
                fill(to: min(limit, columns + want))
                return
            }
            scalars += Self.cell(character, want, width)
            columns += want
        }
    }

    /// Blanks up to a column.
    mutating func fill(to column: Int) {
        guard column > columns else { return }
        scalars += Array(repeating: 0x20, count: column - columns)
        columns = column
    }

    /// Scalars of exactly `want` columns.
    private static func cell(_ character: Character, _ want: Int, _ width: (UInt32) -> Int) -> [UInt32] {
        let all = character.unicodeScalars.map(\.value)
        let kept = all.filter { !isJoining($0) }
        if kept.count == all.count, let cell = fitting(all, want, width) { return cell }
        // A letter with marks the library knows otherwise, or an emoji made of several: the first stands for all.
        guard let first = kept.first else { return Array(repeating: 0x20, count: want) }
        if let cell = fitting([first], want, width) { return cell }
        let own = width(first)
        if own > 0, own < want { return [first] + Array(repeating: 0x20, count: want - own) }
        return [0xFFFD] + Array(repeating: 0x20, count: want - 1)
    }

    private static func fitting(_ scalars: [UInt32], _ want: Int, _ width: (UInt32) -> Int) -> [UInt32]? {
        let widths = scalars.map(width)
        guard let first = widths.first, first > 0, !widths.contains(where: { $0 < 0 }) else { return nil }
        guard widths.reduce(0, +) == want else { return nil }
        guard widths.dropFirst().allSatisfy({ $0 == 0 }) else { return scalars }
        return Array(scalars.prefix(1 + marksInCell))
    }

    /// Joins, colours or tags what stands before it; terminals disagree on what that comes to.
    private static func isJoining(_ value: UInt32) -> Bool {
        switch value {
        case 0x200B...0x200D, 0x2060...0x2064, 0xFE00...0xFE0F, 0x1F3FB...0x1F3FF, 0x20E3, 0xE0000...0xE01EF: true
        default: false
        }
    }
}
