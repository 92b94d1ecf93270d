import Dispatch
import NyanCore
import NyanDBus
import NyanWire
import NyanWords

/// `downloads --follow`: bars on a terminal, one line per change for pipes, one document per change as JSON. A daemon that
/// goes away is waited for.
@MainActor final class DownloadFollower {
    static let away = "nyand is not running; waiting for it to come back"

    private let follower: Follower
    private let asJSON: Bool
    private let screen: DownloadScreen?
    private var rows = DownloadRows()
    private var fresh = FreshRows()
    /// The last line told of each download, and the last document.
    private var told: [TrackID: String] = [:]
    private var documents = DownloadDocuments()
    private var toldDocument = ""

    init(_ daemon: Daemon, asJSON: Bool) {
        follower = Follower(daemon, .downloads)
        self.asJSON = asJSON
        screen = Terminal.canRedraw && !asJSON ? DownloadScreen(follower.yield) : nil
    }

    /// Never ends by itself.
    func run() async throws(Ending) -> Int32 {
        try follower.start()
        var saidAnything = false
        var notice: String?
        for await event in follower.stream {
            let before = rows
            switch event {
            case .listed(let listed):
                rows.set(listed)
                notice = nil
            case .changed(let changed): rows.take(changed)
            case .removed(let ids): rows.remove(ids)
            case .absent: notice = Self.away
            case .failed(let ending) where !saidAnything: throw ending
            default: break
            }
            fresh.note(event)
            rows.forgetSpeeds(except: fresh.ids)
            saidAnything = true
            if let screen {
                screen.draw(notice == nil ? rows.all : [], ended: ended(since: before, event), notice: notice)
            } else if asJSON {
                tellDocument(event)
            } else {
                tellLines(event, before)
            }
        }
        return 0
    }

    /// What has come to its end by this event; those that had ended before are only counted.
    private func ended(since before: DownloadRows, _ event: Followed) -> [DownloadReport] {
        guard case .changed(let changed) = event else { return [] }
        return changed.filter { ($0.state == .done || $0.state == .failed) && before[$0.id]?.state != $0.state }
    }

    private func tellDocument(_ event: Followed) {
        let document: String
        switch event {
        case .listed, .changed, .removed: document = documents.text(rows.all)
        case .absent: document = JSONText.encode(["state": StatusReport.State.absent.rawValue])
        default: return
        }
        if document != toldDocument { Terminal.print(document) }
        toldDocument = document
    }

    /// The same is not told twice, also after the daemon's return.
    private func tellLines(_ event: Followed, _ before: DownloadRows) {
        switch event {
        case .listed(let changed), .changed(let changed):
            for row in changed {
                let line = DownloadText.line(row)
                if told.updateValue(line, forKey: row.id) != line { Terminal.print(line) }
            }
            if case .listed = event { tellGone(told.keys.filter { rows[$0] == nil }, before) }
        case .removed(let ids): tellGone(ids, before)
        case .absent: Terminal.complain(Self.away)
        default: break
        }
    }

    private func tellGone(_ ids: [TrackID], _ before: DownloadRows) {
        let gone = Set(ids.filter { told.removeValue(forKey: $0) != nil })
        for row in before.all where gone.contains(row.id) {
            Terminal.print("\(Words.said("removed"))  \(DownloadText.name(row))")
        }
    }
}

/// Which rows were told of in the last five seconds. Nothing is told of those that stand still, so their speed grows old.
struct FreshRows {
    private var heard: [TrackID: ContinuousClock.Instant] = [:]

    var ids: Set<TrackID> { Set(heard.keys) }

    mutating func note(_ event: Followed, at now: ContinuousClock.Instant = .now) {
        switch event {
        case .listed(let rows), .changed(let rows):
            for row in rows where row.state == .running { heard[row.id] = now }
        default: break
        }
        heard = heard.filter { now - $0.value < .seconds(5) }
    }
}
