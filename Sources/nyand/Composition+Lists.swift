import NyanCore
import NyanDBus
import NyanService
import NyanWire

/// MPRIS' two lists: what plays round the current entry, and what can be started as a whole (mpris.md §6, §7).
extension Composition {
    /// With more entries than this, what a change of the queue took for a moment is worth giving back.
    private static let longQueue = 2_000

    /// A long queue is held several times over while it is changed and written; a burst of that must leave nothing.
    func queueChanged() {
        if player.state.entries.count > Self.longQueue { returnMemorySoon() }
    }

    func makeShelf() -> PlaylistShelf {
        PlaylistShelf(
            playlists: playlists, library: library, player: player, account: account, connectivity: connectivity,
            origin: origin, hub: hub)
    }

    /// Both interfaces, for the object that MPRIS knows.
    func mprisLists() -> [(Interface, any InterfaceHandler)] {
        let (player, covers) = (player, covers)
        return [
            (
                TrackListInterface.interface,
                TrackListFrontend(
                    player: player, snapshot: { [unowned self] in snapshot() }, coverPath: { covers.path(of: $0) })
            ),
            (PlaylistsInterface.interface, MPRISPlaylistsFrontend(shelf: shelf, state: { player.state })),
        ]
    }

    /// The own interface's player, which notes where a whole list is queued.
    func playerFrontend() -> PlayerFrontend {
        PlayerFrontend(
            player: player, library: library, origin: origin, snapshot: { [unowned self] in snapshot() })
    }

    /// The track list's part of the player's publisher.
    func trackListPublisher(on connection: Connection) -> TrackListPublisher {
        TrackListPublisher(connection: connection, told: snapshot(), coverPath: { [covers] in covers.path(of: $0) })
    }

    /// From here on changes of the lists are told. To be called once whoever else hears of playlists does so.
    func playlistsPublisher(on connection: Connection) -> PlaylistsPublisher {
        let tell = playlists.onChange
        playlists.onChange = { [weak shelf] in
            tell()
            shelf?.reload()
        }
        return PlaylistsPublisher(connection: connection, hub: hub, shelf: shelf, state: { [player] in player.state })
    }
}

extension Composition {
    /// Those that tell how far a sync is, and that a listing may be another now.
    func libraryPublishers(on connection: Connection) -> [AnyObject] {
        [
            SyncPublisher(connection: connection, syncs: library.syncs),
            LibraryPublisher(connection: connection, hub: hub, time: time),
        ]
    }
}
