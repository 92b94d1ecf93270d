import NyanCore
import NyanWire

/// The listing of downloads for people: row number, state, then what there is to tell and has room, then name and reason.
/// Columns that no row uses are not there.
@MainActor struct DownloadTable {
    /// Numbers beside the name, in the order they stand; `rank`: the lower, the longer it stays on narrow terminals.
    private struct Column {
        var rank: Int
        var text: @MainActor (DownloadReport) -> String
    }

    private static let columns = [
        Column(rank: 0) { DownloadText.percent($0) }, Column(rank: 3) { DownloadText.size($0) },
        Column(rank: 2) { DownloadText.speed($0) }, Column(rank: 1) { DownloadText.left($0) },
    ]
    /// What names keep at least, while there are other columns to give up.
    private static func leastName(_ columns: Int) -> Int { min(24, columns * 2 / 5) }

    /// With `columns` each row is cut to that width.
    static func lines(_ rows: [DownloadReport], columns: Int?) -> [String] {
        let digits = "\(rows.count)".count
        let states = rows.reduce(0) { max($0, DisplayText.columns(DownloadText.state($1))) }
        var room = columns.map { $0 - digits - 2 - states - 2 - leastName($0) }
        var chosen: [(place: Int, width: Int, cells: [String])] = []
        for (place, column) in Self.columns.enumerated().sorted(by: { $0.element.rank < $1.element.rank }) {
            let cells = rows.map(column.text)
            let width = cells.reduce(0) { max($0, DisplayText.columns($1)) }
            guard width > 0 else { continue }
            if let left = room {
                guard left >= width + 2 else { continue }
                room = left - width - 2
            }
            chosen.append((place, width, cells))
        }
        chosen.sort { $0.place < $1.place }
        return rows.indices.map { index in
            var line = right("\(index + 1)", digits) + "  " + left(DownloadText.state(rows[index]), states) + "  "
            for column in chosen { line += right(column.cells[index], column.width) + "  " }
            return line + tail(rows[index], columns: columns.map { $0 - DisplayText.columns(line) })
        }.map { line in columns.map { DisplayText.cut(line, to: $0) } ?? line }
    }

    /// Name and reason; a long reason is worth three quarters of the room, and the name gives way to it.
    private static func tail(_ row: DownloadReport, columns: Int?) -> String {
        let name = DownloadText.name(row)
        guard let reason = DownloadText.reason(row) else { return name }
        guard let columns else { return "\(name): \(reason)" }
        // Of two that have no room the name is worth more.
        guard columns >= 12 else { return name }
        let wanted = min(DisplayText.columns(reason), max(columns * 3 / 4, columns - DisplayText.columns(name) - 2))
        return DisplayText.cut(name, to: max(0, columns - wanted - 2)) + ": " + reason
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - DisplayText.columns(text))) + text
    }

    private static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayText.columns(text)))
    }
}
