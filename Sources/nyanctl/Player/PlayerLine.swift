import NyanCore
import NyanWire
import NyanWords

/// The line itself: `▶ Artist – Title  1:02 ━━━━──┄┄┄┄ 3:34  80 %`. A value: what of it fits, and how long it stays true.
@MainActor struct PlayerLine {
    private let report: StatusReport
    private let columns: Int
    /// What stands behind the times.
    private let tail: String
    /// Columns of the progress bar; 0 = there is no room for one.
    private let bar: Int

    /// At most `columns` wide: first the bar goes, then what stands behind the times, then the name is cut. A `notice` is
    /// told instead of what stands behind the times.
    init(_ report: StatusReport, columns: Int, notice: String? = nil) {
        self.report = report
        self.columns = columns
        var tail = notice.map { "  \(Terminal.printable(Words.said($0)))" } ?? Self.tail(report)
        let times = Self.times(report)
        // A tail that leaves the name no room is worth less than the name, a notice is worth more.
        if notice == nil, columns - times - DisplayText.columns(tail) < Self.leastName { tail = "" }
        let room = columns - times - DisplayText.columns(tail)
        self.tail = tail
        bar = room >= Self.leastName + Self.leastBar + 1 ? min(30, max(Self.leastBar, (room - 1) / 3)) : 0
    }

    /// A name of less room than the first needs the tail's, and it is never shorter than the last.
    private static let (leastName, leastBar, shortestName) = (8, 8, 3)

    func text(position: Double) -> String {
        guard columns > 0 else { return "" }
        guard report.state != .absent else {
            return DisplayText.cut(Words.said("nyand is not running; waiting for it"), to: columns)
        }
        let head = "\(Self.icon(report.state)) "
        guard let track = report.track else {
            return DisplayText.cut(head + Words.said("nothing queued") + tail, to: columns)
        }
        let room = columns - Self.times(report) - DisplayText.columns(tail)
        let name = DisplayText.cut(
            TrackTable.name(track.track), to: max(Self.shortestName, bar > 0 ? room - bar - 1 : room))
        let now = TimeText.text(position)
        let part = report.duration.map { $0 > 0 ? position / $0 : 0 } ?? 0
        let middle = bar > 0 ? " \(ProgressBar.text(part, buffered: report.buffered, width: bar)) " : "/"
        return DisplayText.cut("\(head)\(name)  \(now)\(middle)\(Self.end(report))\(tail)", to: columns)
    }

    /// Seconds until the text is another by itself: the next second, or the next column of a bar that runs faster. nil =
    /// until something happens, and nobody needs to wake up before.
    func pause(at position: Double) -> Double? {
        guard report.state == .playing, report.track != nil, position.isFinite else { return nil }
        guard let duration = report.duration, duration > 0 else { return position.rounded(.down) + 1 - position }
        guard position < duration else { return nil }
        var next = position.rounded(.down) + 1
        if bar > 0 {
            let column = duration / Double(bar)
            next = min(next, ((position / column).rounded(.down) + 1) * column)
        }
        return max(0.01, next - position)
    }

    /// Columns of all but the name, the bar and the tail. The time that runs has the width it will have at the end.
    private static func times(_ report: StatusReport) -> Int {
        let end = end(report)
        return 2 + 2 + max(end.count, TimeText.text(report.position).count) + 1 + end.count
    }

    private static func end(_ report: StatusReport) -> String { report.duration.map(TimeText.text) ?? "-:--" }

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

    /// The fractions are clamped to 0…1. What is not there yet (`buffered`; nil = all is) is dotted.
    static func text(_ fraction: Double, buffered: Double? = nil, width: Int) -> String {
        let filled = Int((part(fraction) * Double(width)).rounded(.down))
        let there = max(filled, Int((part(buffered ?? 1) * Double(width)).rounded(.up)))
        return String(repeating: "━", count: filled) + String(repeating: "─", count: max(0, there - filled))
            + String(repeating: "┄", count: max(0, width - there))
    }

    private static func part(_ fraction: Double) -> Double { fraction.isFinite ? max(0, min(1, fraction)) : 0 }
}
