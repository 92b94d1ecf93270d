import NyanCore
import NyanWire
import NyanWords

/// One download in words, and the parts that tables and bars are made of.
@MainActor enum DownloadText {
    /// A change for pipes: `running  Artist – Title`, `done  Artist – Title (3.4 MB)`, `failed  Artist – Title: the disk
    /// is full`. Never how far it is, so that not every byte is a change.
    static func line(_ row: DownloadReport) -> String {
        let size = row.state == .done && row.received > 0 ? " (\(ByteText.text(row.received)))" : ""
        let reason = reason(row).map { ": \($0)" } ?? ""
        return "\(state(row))  \(name(row))\(size)\(reason)"
    }

    static func state(_ row: DownloadReport) -> String { Words.said(row.state.rawValue) }

    /// The id where nothing else is known.
    static func name(_ row: DownloadReport) -> String {
        guard !row.artist.isEmpty || !row.title.isEmpty else { return row.id.description }
        return TrackTable.name(Track(id: row.id, artist: row.artist, title: row.title))
    }

    /// Why it failed, or why it waits although there is room.
    static func reason(_ row: DownloadReport) -> String? {
        guard row.state == .failed || row.state == .waiting, let problem = row.problem else { return nil }
        return Terminal.printable(Words.said(problem.message))
    }

    /// `45 %`; empty for what is done, has not begun, or has a size nobody knows.
    static func percent(_ row: DownloadReport) -> String {
        guard row.state != .done, let total = row.total, total > 0, row.received > 0 || row.state == .running else {
            return ""
        }
        return "\(Int(max(0, min(1, Double(row.received) / Double(total))) * 100)) %"
    }

    /// `3.4/7.6 MB`, `3.4 MB` where the whole is not known, `7.6 MB` of what is done.
    static func size(_ row: DownloadReport) -> String {
        guard let total = row.total, total > row.received, row.state != .done else {
            return row.received > 0 ? ByteText.text(row.received) : ""
        }
        return row.received > 0 ? ByteText.part(row.received, of: total) : ByteText.text(total)
    }

    /// `1.2 MB/s`; empty where it is not known.
    static func speed(_ row: DownloadReport) -> String { row.speed.map(speed) ?? "" }
    static func speed(_ bytes: Int64) -> String { ByteText.text(bytes) + Words.said("/s") }

    /// `0:12`, `1:02:03`; empty where it is not known.
    static func left(_ row: DownloadReport) -> String { row.secondsLeft.map { TimeText.text(Double($0)) } ?? "" }

    /// `2 running, 12 waiting, 1 failed`, with the speed of all.
    static func summary(_ rows: [DownloadReport]) -> String {
        var counts: [Download.State: Int] = [:]
        var speed: Int64 = 0
        for row in rows {
            counts[row.state, default: 0] += 1
            // Whoever answers under the daemon's name may say any number.
            speed = speed.addingReportingOverflow(row.speed ?? 0).partialValue
        }
        let order: [Download.State] = [.running, .waiting, .paused, .failed, .done]
        let words = order.compactMap { state in counts[state].map { "\($0) \(state.rawValue)" } }
        return words.map { Words.said($0) }.joined(separator: ", ") + (speed > 0 ? "  \(Self.speed(speed))" : "")
    }
}
