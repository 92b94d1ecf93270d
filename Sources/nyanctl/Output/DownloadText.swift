import NyanCore
import NyanWire

/// Downloads in words.
@MainActor enum DownloadText {
    /// `running 45 %  Artist – Title`, `failed  Artist – Title: the disk is full`.
    static func line(_ row: DownloadReport) -> String { "\(state(row))  \(name(row))\(reason(row))" }

    /// The id where nothing else is known.
    static func name(_ row: DownloadReport) -> String {
        guard !row.artist.isEmpty || !row.title.isEmpty else { return row.id.description }
        return TrackTable.name(Track(id: row.id, artist: row.artist, title: row.title))
    }

    static func state(_ row: DownloadReport) -> String {
        row.state == .running ? "running \(amount(row))" : row.state.rawValue
    }

    /// Why it failed, or why it waits although there is room.
    private static func reason(_ row: DownloadReport) -> String {
        guard row.state == .failed || row.state == .waiting, let problem = row.problem else { return "" }
        return ": \(Terminal.printable(problem.message))"
    }

    private static func amount(_ row: DownloadReport) -> String {
        guard let total = row.total, total > 0 else { return ByteText.text(row.received) }
        let percent = Int(max(0, min(1, Double(row.received) / Double(total))) * 100)
        return "\(percent) %"
    }

    /// A listing in columns: row number, state, name and reason. With `columns` each row is cut to that width.
    static func table(_ rows: [DownloadReport], columns: Int?) -> [String] {
        let digits = "\(rows.count)".count
        let states = rows.map(state)
        let width = states.map(\.count).max() ?? 0
        return rows.enumerated().map { place, row in
            let number = "\(place + 1)"
            let left = String(repeating: " ", count: digits - number.count) + number
            let gap = String(repeating: " ", count: width - states[place].count)
            let line = "\(left)  \(states[place])\(gap)  \(name(row))\(reason(row))"
            return columns.map { DisplayText.cut(line, to: $0) } ?? line
        }
    }

    /// What runs with bars, then one line about the rest; at most `height` lines of `columns`.
    static func live(_ rows: [DownloadReport], columns: Int, height: Int) -> [String] {
        let running = rows.filter { $0.state == .running }.prefix(max(1, height - 1))
        let bar = max(6, min(20, columns / 4))
        var lines = running.map {
            DisplayText.cut("\(ProgressBar.text($0, width: bar)) \(amount($0))  \(name($0))", to: columns)
        }
        let counts = Download.State.allCases.compactMap { state in
            let count = state == .running ? 0 : rows.count { $0.state == state }
            return count > 0 ? "\(count) \(state.rawValue)" : nil
        }
        if !counts.isEmpty { lines.append(DisplayText.cut(counts.joined(separator: ", "), to: columns)) }
        return lines
    }
}
