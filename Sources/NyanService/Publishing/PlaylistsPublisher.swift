public import NyanCore
public import NyanDBus
import NyanWire

/// Tells the bus how the listener's lists changed, and which of them the queue is of: one projection, one diff, one
/// signal per turn and a `PlaylistChanged` for each list that is called otherwise (mpris.md §7).
public final class PlaylistsPublisher {
    private let connection: Connection
    private let shelf: PlaylistShelf
    private let state: () -> PlaybackState
    private var told: PlaylistsProjection.Shown

    public init(
        connection: Connection, hub: EventHub, shelf: PlaylistShelf, state: @escaping () -> PlaybackState
    ) {
        self.connection = connection
        self.shelf = shelf
        self.state = state
        told = shelf.shown(in: state())
        hub.subscribe { [weak self] changes in if changes.contains(.queue) { self?.publish() } }
        shelf.onChange = { [weak hub] in hub?.changed(.queue) }
    }

    private func publish() {
        let now = shelf.shown(in: state())
        guard now != told else { return }
        let (properties, renamed) = PlaylistsProjection.changes(from: told, to: now)
        told = now
        for row in renamed {
            try? connection.emit(
                Names.mprisPath, PlaylistsInterface.name, "PlaylistChanged", [PlaylistsProjection.row(row)])
        }
        try? connection.emitPropertiesChanged(Names.mprisPath, PlaylistsInterface.name, properties)
    }
}

extension PlaylistShelf {
    /// What MPRIS shows of it while the player is in this state.
    func shown(in state: PlaybackState) -> PlaylistsProjection.Shown {
        PlaylistsProjection.Shown(rows: rows, active: origin.list(in: state))
    }
}
