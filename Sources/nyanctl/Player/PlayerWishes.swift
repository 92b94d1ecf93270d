import NyanCore
import NyanDBus
import NyanWire
import NyanWords

/// What a person wants for the track the live player shows: `l` and `d`. Waits for nothing; what comes of it is told in
/// words, and of a download until its end.
@MainActor final class PlayerWishes {
    private let daemon: Daemon
    private let tell: @Sendable (Followed) -> Void
    /// Starts with the first wish for a download.
    private var downloads: Follower?
    private var rows = DownloadRows()
    /// Downloads whose end was not told yet.
    private var watched: Set<TrackID> = []
    /// Those among them that were there already when they were wished for: an old end is no news.
    private var old: Set<TrackID> = []

    init(_ daemon: Daemon, _ tell: @escaping @Sendable (Followed) -> Void) {
        self.daemon = daemon
        self.tell = tell
    }

    /// Exactly the track that was shown, not the one that plays when the call comes.
    func like(_ track: Track) {
        tell(.sentence("asking VK …"))
        call(NyandInterfaces.profile, "Add", track, .network) { values, tell in
            guard let report = AddReport(values) else { return }
            tell(.sentence(report.stopped?.message ?? report.words(of: 1)))
        }
    }

    func download(_ track: Track) {
        call(NyandInterfaces.downloads, "Add", track, .network) { [weak self] values, tell in
            let refused = values.dropFirst().first?.elements ?? []
            if let reason = refused.first?[1]?.string { return tell(.sentence("not downloaded: \(reason)")) }
            let isOld = values.first?.integer == 0
            tell(.progress(isOld ? "already there" : "queued for download"))
            self?.watch(track, isOld: isOld)
        }
    }

    private func call(
        _ interface: Interface, _ member: String, _ track: Track, _ patience: NyanClient.Patience,
        _ finish: @escaping ([BusValue], _ tell: (Followed) -> Void) -> Void
    ) {
        let tell = tell
        daemon.client.begin(interface, member, [.strings([track.reference.description])], patience) { outcome in
            switch outcome {
            case .success(let values): finish(values, tell)
            case .failure(.refused(let failure)): tell(.sentence(failure.message))
            case .failure(.silent): tell(.sentence("nyand did not answer in time"))
            case .failure: break
            }
        }
    }

    /// Its row may have another id: VK has some tracks twice.
    private func watch(_ track: Track, isOld: Bool) {
        call(NyandInterfaces.downloads, "Standing", track, .quick) { [weak self] values, _ in
            guard let self else { return }
            let id = values.first?.strings?.first.flatMap { TrackID($0) } ?? track.id
            watched.insert(id)
            if isOld { old.insert(id) } else { old.remove(id) }
            if downloads == nil { follow() } else { tellRows([id]) }
        }
    }

    private func follow() {
        let follower = Follower(daemon, .downloads)
        downloads = follower
        Task.onMain { [weak self] in
            do throws(Ending) { try follower.start() } catch { return }
            for await event in follower.stream { self?.take(event) }
        }
    }

    private func take(_ event: Followed) {
        switch event {
        case .listed(let listed):
            rows.set(listed)
            tellRows(Array(watched))
        case .changed(let changed):
            rows.take(changed)
            tellRows(changed.map(\.id))
        case .removed(let ids):
            rows.remove(ids)
            for id in ids where watched.remove(id) != nil { tell(.sentence("the download was cancelled")) }
        default: break
        }
    }

    private func tellRows(_ ids: [TrackID]) {
        for id in ids where watched.contains(id) {
            guard let row = rows[id] else { continue }
            let wasOld = old.remove(id) != nil
            switch row.state {
            case .done:
                watched.remove(id)
                if !wasOld { tell(.sentence("download finished")) }
            case .failed:
                watched.remove(id)
                tell(.sentence("not downloaded: \(row.problem?.message ?? "")"))
            case .waiting: if let problem = row.problem { tell(.progress("download waiting: \(problem.message)")) }
            case .paused: tell(.progress("download paused"))
            case .running: tell(.progress("downloading \(DownloadText.percent(row))"))
            }
        }
    }
}
