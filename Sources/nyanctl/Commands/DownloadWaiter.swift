import Dispatch
import NyanCore
import NyanDBus
import NyanWire

/// `download --wait`: watches what was wished for until all of it has ended, and tells each end.
@MainActor final class DownloadWaiter {
    /// How long a daemon that went away may take to come back: a service manager starts it again within moments.
    private static let patience: Duration = .seconds(10)

    private let daemon: Daemon
    private let follower: Follower
    private let asJSON: Bool
    private let patience: Duration
    private let screen: DownloadScreen?
    private var fresh = FreshRows()
    private var told: Set<TrackID> = []
    private var toldPaused = 0
    private let clock = DispatchSource.makeTimerSource(queue: .main)

    init(_ daemon: Daemon, _ invocation: Invocation) {
        self.daemon = daemon
        asJSON = invocation.asJSON
        patience = invocation.timeout ?? Self.patience
        follower = Follower(daemon, .downloads)
        screen = Terminal.canRedraw && !asJSON ? DownloadScreen(follower.yield) : nil
    }

    /// Ends when nothing wanted is under way any more: 0 when all are done.
    /// - Throws: status 1 with the reason where any failed or was cancelled, 3 where the daemon went away for good.
    func wait(for wanted: [TrackID]) async throws(Ending) -> Int32 {
        try follower.start()
        clock.setEventHandler { [yield = follower.yield] in yield(.leave(3)) }
        clock.activate()
        var wait: DownloadWait?
        var notice: String?
        for await event in follower.stream {
            switch event {
            case .listed(let listed):
                clock.schedule(deadline: .distantFuture)
                notice = nil
                wait = try await begin(wanted, listed)
            case .changed(let changed): wait?.take(changed)
            case .removed(let ids): wait?.remove(ids)
            case .absent:
                guard wait != nil else { throw Daemon.ending(.absent) }
                notice = DownloadFollower.away
                if screen == nil { Terminal.complain(DownloadFollower.away) }
                clock.schedule(deadline: .now() + patience / .seconds(1))
            case .leave: throw leave()
            case .failed(let ending): throw ending
            default: break
            }
            fresh.note(event)
            guard let wait else { continue }
            show(wait, notice)
            if notice == nil, wait.isOver { return try finish(wait) }
        }
        return 0
    }

    private func leave() -> Ending {
        screen?.clear()
        return Daemon.ending(.absent)
    }

    private func begin(_ wanted: [TrackID], _ listed: [DownloadReport]) async throws(Ending) -> DownloadWait {
        let known = Set(listed.map(\.id))
        let music = wanted.allSatisfy(known.contains) ? [:] : try await music()
        let wait = DownloadWait(wanted, listed: listed, music: music)
        let paused = wait.rows.count { $0.state == .paused }
        if paused > toldPaused {
            screen?.clear()
            Terminal.complain("\(paused) paused: `nyanctl downloads resume` lets \(paused == 1 ? "it" : "them") go on")
        }
        toldPaused = paused
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

    /// Bars on a terminal; what has ended is told once, in lines.
    private func show(_ wait: DownloadWait, _ notice: String?) {
        guard !asJSON else { return }
        let failed = Set(wait.failed.map(\.id))
        let ended = wait.rows.filter {
            ($0.state == .done || failed.contains($0.id)) && told.insert($0.id).inserted
        }
        guard let screen else { return ended.forEach { Terminal.print(DownloadText.line($0)) } }
        var rows = DownloadRows()
        rows.set(wait.rows)
        rows.forgetSpeeds(except: fresh.ids)
        screen.draw(wait.isOver ? [] : rows.all, ended: ended, notice: notice)
    }

    private func finish(_ wait: DownloadWait) throws(Ending) -> Int32 {
        screen?.clear()
        if asJSON { Terminal.print(JSONText.encode(wait.rows.map { DownloadDocument($0) })) }
        guard let first = wait.failed.first else {
            if !asJSON, let words = DownloadWords.ended(wait.rows) { Terminal.complain(words) }
            return 0
        }
        let reason = first.problem ?? .init(code: Failure.Code.internal.rawValue, message: "it failed without a reason")
        let count = wait.failed.count == 1 ? DownloadText.name(first) : "\(wait.failed.count) of \(wait.rows.count)"
        throw .failed(code: reason.code, message: "not downloaded: \(count): \(reason.message)", status: 1)
    }
}
