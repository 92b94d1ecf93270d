import NyanCore
import NyanDBus
import NyanWire

/// Watches downloads: until the wanted ones have ended, or for ever.
@MainActor final class DownloadFollower {
    /// What is waited for.
    enum Wish {
        case tracks([TrackID])
        /// Everything that was queued since this listing.
        case queued(since: [DownloadReport])
    }

    private let daemon: Daemon
    private let asJSON: Bool
    private var rows: [DownloadReport] = []
    private var places: [TrackID: Int] = [:]
    private var block = LiveBlock()
    /// The last line told of each download, and the last document.
    private var told: [TrackID: String] = [:]
    private var toldDocument = ""

    init(_ daemon: Daemon, asJSON: Bool) {
        self.daemon = daemon
        self.asJSON = asJSON
    }

    /// Ends when nothing wanted is under way any more: 0 when all are done.
    /// - Throws: status 1 with the reason where any failed or was cancelled, 3 where the daemon went away.
    func wait(for wish: Wish) async throws(Ending) -> Int32 {
        let follower = Follower(daemon, .downloads)
        try follower.start()
        var wait: DownloadWait?
        for await event in follower.stream {
            try take(event)
            switch event {
            case .listed(let listed): wait = try await begin(wish, listed)
            case .changed(let changed): wait?.take(changed)
            case .removed(let ids): wait?.remove(ids)
            default: break
            }
            if let wait, wait.isOver { return try finish(wait, wish) }
            draw()
        }
        return 0
    }

    /// Live bars on a terminal; elsewhere one line per change.
    func follow() async throws(Ending) -> Int32 {
        let follower = Follower(daemon, .downloads)
        try follower.start()
        for await event in follower.stream {
            try take(event)
            draw()
            tell(event)
        }
        return 0
    }

    private func take(_ event: Followed) throws(Ending) {
        switch event {
        case .listed(let listed): setRows(listed)
        case .changed(let changed):
            for row in changed {
                if let place = places[row.id] {
                    rows[place] = row
                } else {
                    places[row.id] = rows.count
                    rows.append(row)
                }
            }
        case .removed(let ids):
            let gone = Set(ids)
            setRows(rows.filter { !gone.contains($0.id) })
        case .absent: throw Daemon.ending(.absent)
        case .failed(let ending): throw ending
        default: break
        }
    }

    private func setRows(_ new: [DownloadReport]) {
        rows = new
        places = Dictionary(new.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { $1 })
    }

    private func begin(_ wish: Wish, _ listed: [DownloadReport]) async throws(Ending) -> DownloadWait {
        let wait: DownloadWait
        switch wish {
        case .queued(let before): wait = DownloadWait(listed: listed, before: before)
        case .tracks(let wanted):
            let known = Set(listed.map(\.id))
            let music = wanted.allSatisfy(known.contains) ? [:] : try await music()
            wait = DownloadWait(wanted, listed: listed, music: music)
        }
        let paused = wait.rows.count { $0.state == .paused }
        if paused > 0 { Terminal.complain("\(paused) paused: `nyanctl downloads resume` lets them go on") }
        return wait
    }

    private func music() async throws(Ending) -> [TrackID: ListedTrack] {
        do throws(ClientFailure) {
            let values = try await daemon.client.callLater(NyandInterfaces.library, "Music", [.string("")])
            let tracks = values.first.flatMap(TrackCoding.listedTracks) ?? []
            return Dictionary(tracks.map { ($0.track.id, $0) }, uniquingKeysWith: { $1 })
        } catch {
            throw Daemon.ending(error)
        }
    }

    private func finish(_ wait: DownloadWait, _ wish: Wish) throws(Ending) -> Int32 {
        block.clear()
        if asJSON {
            Terminal.print(JSONText.encode(wait.rows.map(DownloadDocument.init)))
        } else if case .tracks = wish {
            for row in wait.rows { Terminal.print(DownloadText.line(row)) }
        } else {
            for row in wait.failed { Terminal.print(DownloadText.line(row)) }
            Terminal.complain("\(wait.rows.count - wait.failed.count) done")
        }
        guard let first = wait.failed.first else { return 0 }
        let reason = first.problem ?? .init(code: Failure.Code.internal.rawValue, message: "it failed without a reason")
        let count = wait.failed.count == 1 ? DownloadText.name(first) : "\(wait.failed.count) of \(wait.rows.count)"
        throw .failed(code: reason.code, message: "not downloaded: \(count): \(reason.message)", status: 1)
    }

    /// Lines of what changed, or the whole document; the same is not told twice.
    private func tell(_ event: Followed) {
        if asJSON {
            let document = JSONText.encode(rows.map(DownloadDocument.init))
            if document != toldDocument { Terminal.print(document) }
            toldDocument = document
            return
        }
        guard !Terminal.canRedraw else { return }
        switch event {
        case .listed(let changed), .changed(let changed):
            for row in changed {
                let line = DownloadText.line(row)
                if told.updateValue(line, forKey: row.id) != line { Terminal.print(line) }
            }
        case .removed(let ids):
            for id in ids where told.removeValue(forKey: id) != nil { Terminal.print("removed  \(id)") }
        default: break
        }
    }

    private func draw() {
        guard Terminal.canRedraw, !asJSON else { return }
        block.draw(DownloadText.live(rows, columns: (Terminal.columns ?? 80) - 1, height: max(2, Terminal.rows - 1)))
    }
}

/// Lines that are drawn over in place.
@MainActor struct LiveBlock {
    private var drawn: [String] = []

    mutating func draw(_ lines: [String]) {
        guard lines != drawn else { return }
        Terminal.show(Self.over(drawn.count) + lines.map { $0 + "\n" }.joined())
        drawn = lines
    }

    mutating func clear() {
        if !drawn.isEmpty { Terminal.show(Self.over(drawn.count)) }
        drawn = []
    }

    private static func over(_ count: Int) -> String { count > 0 ? "\u{1b}[\(count)A\u{1b}[J" : "" }
}
