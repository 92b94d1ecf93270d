public import NyanCore
import NyanDBus

// The current track's cover, which is tried for longer than others.
extension CoverService {
    /// While tracks follow one another faster than this, nothing is fetched for those that are skipped.
    static let calm = Duration.milliseconds(300)

    /// The track that is current: its cover is tried for again after trouble for as long as it is. nil = there is none.
    public func watch(_ track: Track?) {
        if let watched, watched.track.id == track?.id, watched.track.coverURL == track?.coverURL { return }
        watched?.task.cancel()
        watched = nil
        guard let track else { return }
        let isBurst = lastWatch.map { time.now - $0 < Self.calm } ?? false
        lastWatch = time.now
        watched = (track, Task.onMain { [weak self] in await self?.keepTrying(track, afterCalm: isBurst) })
    }

    private func keepTrying(_ track: Track, afterCalm: Bool) async {
        if afterCalm, (try? await time.wait(for: Self.calm)) == nil { return }
        while !Task.isCancelled {
            if let path = await cover(of: track) {
                await cache.use(path)
                // So that the change to it needs no second look.
                if !Task.isCancelled, let next = following() { await cover(of: next) }
            }
            // An older picture is shown for as long as the new one cannot be had. In offline mode nothing is asked, so
            // that no moment would ever be too early: its end begins anew.
            guard !Task.isCancelled, !hasNewest(track), (try? connectivity.requireNetwork()) != nil else { return }
            let listed = try? await library.tracks([track.id]).first
            guard let address = track.coverURL ?? listed?.track.coverURL, let moment = patience.nextTry(address),
                moment > time.now, (try? await time.wait(for: moment - time.now)) != nil
            else { return }
        }
    }

    /// The network is there again, or wanted again: what failed for want of it is asked anew.
    func networkChanged() {
        let isOnline = connectivity.isOnline && !connectivity.isOfflineMode
        defer { wasOnline = isOnline }
        guard isOnline, !wasOnline else { return }
        patience.forgive()
        guard let track = watched?.track, !hasNewest(track) else { return }
        watch(nil)
        lastWatch = nil
        watch(track)
    }
}
