import NyanCore
import NyanWire
import NyanWords

/// What goes on with listed tracks just now: which one is played, and how far downloads are.
struct TrackMarks {
    var current: TrackID?
    var downloads: [TrackID: DownloadReport] = [:]

    /// Asked for only where a person looks at the listing: in a pipe it is the same whatever goes on. Without answers
    /// there are no marks.
    @MainActor static func now(_ daemon: Daemon?) -> TrackMarks {
        guard let daemon, Terminal.outputIsTerminal else { return TrackMarks() }
        var marks = TrackMarks()
        marks.current = (try? daemon.client.status())?.track?.track.id
        for row in (try? daemon.client.downloads()) ?? [] where row.state != .done { marks.downloads[row.id] = row }
        return marks
    }

    /// `↓` kept on disk, `45 %` and `…` on its way, `✗` cannot be had now. `harmless` makes foreign text printable.
    func text(_ listed: ListedTrack, _ harmless: (String) -> String = Terminal.printable) -> String {
        if listed.copyPath != nil { return "↓" }
        if !listed.track.isAvailable {
            return "✗ " + harmless(Words.said(listed.track.unavailableReason ?? "unavailable"))
        }
        guard let row = downloads[listed.track.id] else { return "" }
        switch row.state {
        case .running:
            let whole = row.total ?? 0
            return whole > 0 ? "\(Int(max(0, min(1, Double(row.received) / Double(whole))) * 100)) %" : "…"
        case .waiting: return "…"
        case .paused, .failed, .done: return Words.said(row.state.rawValue)
        }
    }
}
