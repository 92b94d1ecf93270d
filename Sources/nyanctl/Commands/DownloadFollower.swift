import NyanCore
import NyanDBus
import NyanWire

/// Watches downloads: until the wanted ones have ended, or for ever.
@MainActor final class DownloadFollower {
    private let daemon: Daemon
    /// nil = every download that is under way when the watching starts.
    private var wanted: Set<TrackID>?
    private let asJSON: Bool
    private var rows: [DownloadReport] = []
    private var drawn = 0

    init(_ daemon: Daemon, wanted: Set<TrackID>?, asJSON: Bool) {
        self.daemon = daemon
        self.wanted = wanted
        self.asJSON = asJSON
    }

    /// Returns 0 when all are done, 1 when any failed or was cancelled, 3 when the daemon went away.
    func wait() async throws(Ending) -> Int32 {
        let follower = Follower()
        try follower.follow(daemon, downloads: true)
        try await load()
        let waitedFor = wanted ?? Set(rows.filter { $0.state.isUnderWay }.map(\.id))
        if let ended = ending(waitedFor) { return finish(waitedFor, ended) }
        for await event in follower.stream {
            take(event)
            if case .owner(nil) = event { throw Daemon.ending(.absent) }
            draw()
            if let ended = ending(waitedFor) { return finish(waitedFor, ended) }
        }
        return 0
    }

    /// Live bars on a terminal; elsewhere one line per change.
    func follow() async throws(Ending) -> Int32 {
        let follower = Follower()
        try follower.follow(daemon, downloads: true)
        try await load()
        draw()
        if !Terminal.outputIsTerminal { tell(rows) }
        for await event in follower.stream {
            take(event)
            if case .owner(nil) = event { throw Daemon.ending(.absent) }
            draw()
            if case .downloads(let changed) = event, !Terminal.outputIsTerminal { tell(changed) }
        }
        return 0
    }

    private func load() async throws(Ending) {
        do throws(ClientFailure) {
            let values = try await daemon.client.callLater(NyandInterfaces.downloads, "List")
            rows = values.first.flatMap(DownloadCoding.reports) ?? []
        } catch {
            throw Daemon.ending(error)
        }
    }

    private func take(_ event: Followed) {
        switch event {
        case .downloads(let changed):
            for row in changed {
                if let place = rows.firstIndex(where: { $0.id == row.id }) { rows[place] = row } else { rows.append(row) }
            }
        case .removed(let ids): rows.removeAll { ids.contains($0.id) }
        default: break
        }
    }

    /// nil while any is under way; then whether all are done. One that is not listed any more counts as not done,
    /// unless it never had a row because its file was there before.
    private func ending(_ waitedFor: Set<TrackID>) -> Bool? {
        let known = rows.filter { waitedFor.contains($0.id) }
        if known.contains(where: { $0.state.isUnderWay }) { return nil }
        return known.allSatisfy { $0.state == .done }
    }

    private func finish(_ waitedFor: Set<TrackID>, _ allDone: Bool) -> Int32 {
        clear()
        let ended = rows.filter { waitedFor.contains($0.id) }
        if asJSON {
            Terminal.print(JSONText.encode(ended.map(DownloadDocument.init)))
        } else {
            for row in ended { Terminal.print(DownloadText.line(row)) }
        }
        return allDone ? 0 : 1
    }

    private func tell(_ changed: [DownloadReport]) {
        if asJSON { return Terminal.print(JSONText.encode(changed.map(DownloadDocument.init))) }
        for row in changed { Terminal.print(DownloadText.line(row)) }
    }

    /// Redraws the block of running ones in place.
    private func draw() {
        guard Terminal.outputIsTerminal, !asJSON, let columns = Terminal.columns else { return }
        clear()
        let running = rows.filter { $0.state == .running }.prefix(8)
        for row in running {
            Terminal.print(DisplayText.cut("\(ProgressBar.text(row, width: 20)) \(DownloadText.line(row))", to: columns - 1))
        }
        let waiting = rows.count { $0.state == .waiting }
        if waiting > 0 { Terminal.print("\(waiting) waiting") }
        drawn = running.count + (waiting > 0 ? 1 : 0)
    }

    private func clear() {
        guard drawn > 0 else { return }
        Terminal.show("\u{1b}[\(drawn)A\u{1b}[J")
        drawn = 0
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
        let filled = Int((max(0, min(1, fraction)) * Double(width)).rounded(.down))
        return String(repeating: "━", count: filled) + String(repeating: "─", count: max(0, width - filled))
    }
}
