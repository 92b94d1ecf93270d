import NyanCore
import NyanWire
import NyanWords

/// A status in words.
@MainActor enum StatusText {
    /// `playing  Artist – Title  1:02/3:34`; with `columns` the name is cut so that the time still fits.
    static func line(_ report: StatusReport, columns: Int? = nil) -> String {
        guard let track = report.track else { return Words.said(report.state.rawValue) }
        let (head, name, tail) = (
            "\(Words.said(report.state.rawValue))  ", TrackTable.name(track.track), "  \(time(report))"
        )
        guard let columns else { return head + name + tail }
        let room = max(10, columns - DisplayText.columns(head + tail))
        return DisplayText.cut(head + DisplayText.cut(name, to: room) + tail, to: columns)
    }

    static func block(_ report: StatusReport) -> String {
        var lines = [line(report, columns: Terminal.columns)]
        var facts: [String] = []
        if let position = report.queuePosition { facts.append("track \(position) of \(report.queueLength)") }
        facts.append("volume \(Int((report.volume * 100).rounded())) %")
        facts.append("shuffle \(report.shuffle ? "on" : "off")")
        facts.append("repeat \(report.repeatMode.rawValue)")
        if let sleep = sleep(report.sleepTimer) { facts.append("sleep \(sleep)") }
        if let buffered = report.buffered, buffered < 1 { facts.append("buffered \(Int(buffered * 100)) %") }
        lines.append(row(facts))
        var notes: [String] = []
        if !report.isSignedIn { notes.append("not signed in") }
        if report.isOfflineMode { notes.append("offline mode") } else if !report.isOnline { notes.append("no network") }
        if report.output == .missing { notes.append("no sound output: playing silently") }
        if report.output == .lost { notes.append("the sound output is gone") }
        if !notes.isEmpty { lines.append(row(notes)) }
        if let problem = report.problem { lines.append(Words.said("problem: \(Terminal.printable(problem.message))")) }
        return lines.dropFirst().reduce(into: lines[0]) { $0 += "\n" + $1 }
    }

    /// What is said one by one, on one line. Not by `joined`, whose first use takes as long as all of a status' other words
    /// (docs/decisions/0040).
    private static func row(_ sentences: [String]) -> String {
        sentences.reduce(into: "") { row, sentence in row += (row.isEmpty ? "" : ", ") + Words.said(sentence) }
    }

    /// `29:43` or `track`; nil where it is not set.
    static func sleep(_ timer: StatusReport.SleepTimer?) -> String? {
        switch timer {
        case .remaining(let seconds): TimeText.text(seconds.rounded(.up))
        case .endOfTrack: "track"
        case nil: nil
        }
    }

    static func time(_ report: StatusReport) -> String {
        let position = TimeText.text(report.position)
        return report.duration.map { "\(position)/\(TimeText.text($0))" } ?? position
    }
}
