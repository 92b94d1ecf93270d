import CSystem
import NyanCore
import NyanService
import NyanStore

/// What is always offline, and what was done to My Music by hand.
extension Composition {
    /// More files than this in one look: what it took is given back.
    private static let longLook = 2_000

    func makeMusicWatch() -> MusicWatch {
        let signals = FolderWatch()
        signals?.onLimit = { [log] in
            log.notice("My Music has more folders than the kernel watches (fs.inotify.max_user_watches)")
        }
        let watch = MusicWatch(
            sight: music, ledger: store, library: store, downloads: downloads, signals: signals, hub: hub, time: time,
            log: log)
        watch.onLook = { [weak self] files in if files > Self.longLook { self?.returnMemorySoon() } }
        return watch
    }

    func makeKeep() -> KeepService {
        let keep = KeepService(
            store: store, playlists: playlists, downloads: downloads, library: library, account: account,
            connectivity: connectivity, log: log)
        keep.onChange = { [weak self] in self?.playlists.onChange() }
        player.onGone = { [weak keep] id in try? await keep?.tookAway([id]) }
        return keep
    }

    /// Files first: what was taken away by hand is not brought again.
    func startKeeping() async {
        if mounts == nil { mounts = MountWatch { [weak self] in self?.musicWatch.changed() } }
        await musicWatch.start()
        await keep.start()
    }
}
