import NyanCore
import NyanWire
import NyanWords

/// The line itself: `▶ Artist – Title  1:02 ━━━━────── 3:34  80 %`.
@MainActor enum PlayerLine {
    /// At most `columns` wide: first the bar goes, then what stands behind the times, then the name is cut.
    static func text(_ report: StatusReport, position: Double, columns: Int, notice: String? = nil) -> String {
        guard columns > 0 else { return "" }
        guard report.state != .absent else {
            return DisplayText.cut(Words.said("nyand is not running; waiting for it"), to: columns)
        }
        let head = "\(icon(report.state)) "
        var tail = notice.map { "  \(Terminal.printable(Words.said($0)))" } ?? self.tail(report)
        guard let track = report.track else {
            return DisplayText.cut(head + Words.said("nothing queued") + tail, to: columns)
        }
        let name = TrackTable.name(track.track)
        let (now, end) = (TimeText.text(position), report.duration.map(TimeText.text) ?? "-:--")
        let times = DisplayText.columns(head) + 2 + now.count + 1 + end.count
        // A tail that leaves the name no room is worth less than the name, a notice is worth more.
        if notice == nil, columns - times - DisplayText.columns(tail) < leastName { tail = "" }
        let room = columns - times - DisplayText.columns(tail)
        let bar = room >= leastName + leastBar + 1 ? min(30, max(leastBar, (room - 1) / 3)) : 0
        let cut = DisplayText.cut(name, to: max(leastName, bar > 0 ? room - bar - 1 : room))
        let part = report.duration.map { $0 > 0 ? position / $0 : 0 } ?? 0
        let middle = bar > 0 ? " \(ProgressBar.text(part, width: bar)) " : "/"
        return DisplayText.cut("\(head)\(cut)  \(now)\(middle)\(end)\(tail)", to: columns)
    }

    private static let leastName = 8
    private static let leastBar = 8

    private static func tail(_ report: StatusReport) -> String {
        var tail = "  \(Int((report.volume * 100).rounded())) %"
        if report.shuffle { tail += Words.said(" shuffle") }
        if report.repeatMode != .off { tail += Words.said(" repeat \(report.repeatMode.rawValue)") }
        if report.output != .ok { tail += Words.said(report.output == .missing ? " (silent)" : " (no output)") }
        if let problem = report.problem, report.state != .playing {
            tail += "  \(Terminal.printable(Words.said(problem.message)))"
        }
        return tail
    }

    private static func icon(_ state: StatusReport.State) -> String {
        switch state {
        case .playing: "▶"
        case .paused: "‖"
        case .buffering: "…"
        case .stopped, .absent: "■"
        }
    }
}

/// Bars of block characters.
enum ProgressBar {
    static func text(_ row: DownloadReport, width: Int) -> String {
        guard let total = row.total, total > 0 else { return text(0, width: width) }
        return text(Double(row.received) / Double(total), width: width)
    }

    /// `fraction` is clamped to 0…1.
    static func text(_ fraction: Double, width: Int) -> String {
        let part = fraction.isFinite ? max(0, min(1, fraction)) : 0
        let filled = Int((part * Double(width)).rounded(.down))
        return String(repeating: "━", count: filled) + String(repeating: "─", count: max(0, width - filled))
    }
}
