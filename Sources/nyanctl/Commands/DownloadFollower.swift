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
    private var told: [TrackID: (line: String, name: String)] = [:]
    private var documents = DownloadDocuments()
    private var toldDocument = ""
    private let outlet: LineOutlet
    /// The reader sleeps: what has changed meanwhile is told when it wakes.
    private var owesLines = false

    init(_ daemon: Daemon, asJSON: Bool) {
        follower = Follower(daemon, .downloads)
        self.asJSON = asJSON
        // A document has the whole list, so the older ones are worth nothing; a line is of one change.
        outlet = LineOutlet(keepsLittle: asJSON)
        screen = Terminal.canRedraw && !asJSON ? DownloadScreen(follower.yield) : nil
    }

    /// Never ends by itself.
    func run() async throws(Ending) -> Int32 {
        outlet.onClear = { [yield = follower.yield] in yield(.tick) }
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
                tellLines(event)
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
        if document != toldDocument { outlet.print(document) }
        toldDocument = document
    }

    /// The same is not told twice, also after the daemon's return. Of a download that changes often while nobody reads, only
    /// what became of it is told.
    private func tellLines(_ event: Followed) {
        if case .absent = event { Terminal.complain(Self.away) }
        if owesLines {
            owesLines = false
            return tell(rows.all, gone: told.keys.filter { rows[$0] == nil })
        }
        switch event {
        case .listed(let listed): tell(listed, gone: told.keys.filter { rows[$0] == nil })
        case .changed(let changed): tell(changed, gone: [])
        case .removed(let ids): tell([], gone: ids)
        default: break
        }
    }

    private func tell(_ changed: [DownloadReport], gone: [TrackID]) {
        for row in changed {
            let line = DownloadText.line(row)
            guard told[row.id]?.line != line else { continue }
            guard outlet.isClear() else { return owesLines = true }
            told[row.id] = (line, DownloadText.name(row))
            outlet.print(line)
        }
        for id in gone {
            guard let name = told[id]?.name else { continue }
            guard outlet.isClear() else { return owesLines = true }
            told[id] = nil
            outlet.print("\(Words.said("removed"))  \(name)")
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
