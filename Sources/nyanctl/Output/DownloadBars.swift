import NyanCore
import NyanWire

/// Downloads as they run, for a block of lines that is drawn over in place.
@MainActor enum DownloadBars {
    /// Waiting ones that have a reason for it, at most.
    private static let reasons = 3

    /// What runs with bars, then why others wait, then one line about all; at most `height` lines of `columns`.
    static func lines(_ rows: [DownloadReport], columns: Int, height: Int) -> [String] {
        guard !rows.isEmpty, height > 0, columns > 0 else { return [] }
        let room = max(0, height - 1)
        let layout = Layout(columns: columns)
        var lines: [String] = rows.lazy.filter { $0.state == .running }.prefix(room).map { layout.line($0) }
        let held = rows.lazy.filter { $0.state == .waiting && $0.problem != nil }
        lines += held.prefix(min(reasons, room - lines.count)).map { waiting($0, columns) }
        return lines + [DisplayText.cut(DownloadText.summary(rows), to: columns)]
    }

    private static func waiting(_ row: DownloadReport, _ columns: Int) -> String {
        DisplayText.cut(
            "\(DownloadText.state(row)): \(DownloadText.reason(row) ?? "")  \(DownloadText.name(row))", to: columns)
    }

    /// Which parts a row has room for. Widths are the same in all rows and at all times, so that nothing jumps.
    private struct Layout {
        private static let (percent, left, speed, size) = (6, 7, 9, 13)

        let columns: Int
        let bar: Int
        private let hasLeft, hasSpeed, hasSize: Bool
        private let name: Int

        init(columns: Int) {
            self.columns = columns
            bar = columns >= 34 ? max(8, min(20, columns / 6)) : 0
            hasLeft = columns >= 46
            hasSpeed = columns >= 58
            hasSize = columns >= 74
            let parts = [
                (bar > 0, bar), (true, Self.percent), (hasLeft, Self.left), (hasSpeed, Self.speed),
                (hasSize, Self.size),
            ]
            name = columns - parts.reduce(0) { $0 + ($1.0 ? $1.1 + 2 : 0) }
        }

        /// `Artist – Title  ━━━━────  45 %  3.4/7.6 MB  1.2 MB/s  0:12`
        @MainActor func line(_ row: DownloadReport) -> String {
            // Where the whole is not known, what is there says more.
            let amount = row.total == nil ? ByteText.text(row.received) : DownloadText.percent(row)
            guard name > 0 else { return DisplayText.cut(amount, to: columns) }
            var parts = [DisplayText.fitted(DownloadText.name(row), to: name)]
            if bar > 0 { parts.append(ProgressBar.text(row, width: bar)) }
            parts.append(right(amount, Self.percent))
            if hasSize { parts.append(right(DownloadText.size(row), Self.size)) }
            if hasSpeed { parts.append(right(DownloadText.speed(row), Self.speed)) }
            if hasLeft { parts.append(right(DownloadText.left(row), Self.left)) }
            return DisplayText.cut(parts.joined(separator: "  "), to: columns)
        }

        private func right(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - DisplayText.columns(text))) + text
        }
    }
}
