public import NyanCore
public import NyanDBus
import NyanWire

/// `org.mpris.MediaPlayer2.Playlists`: the listener's lists, known by heart, and starting one of them (mpris.md §7).
public final class MPRISPlaylistsFrontend: InterfaceHandler {
    private let shelf: PlaylistShelf
    private let state: () -> PlaybackState

    public init(shelf: PlaylistShelf, state: @escaping () -> PlaybackState) {
        self.shelf = shelf
        self.state = state
    }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        switch member {
        case "ActivatePlaylist":
            guard let list = arguments[0].objectPath.flatMap(PlaylistsInterface.list) else {
                throw .invalidArguments("there is no such playlist")
            }
            let choice = shelf.makeChoice()
            return .desktop { [shelf] () async throws(Failure) in try await shelf.start(list, choice: choice) }
        case "GetPlaylists":
            shelf.look()
            return .reply([
                PlaylistsProjection.page(
                    of: shelf.rows, from: arguments[0].uint32 ?? 0, atMost: arguments[1].uint32 ?? 0,
                    order: arguments[2].string ?? "", reversed: arguments[3].bool ?? false)
            ])
        default: throw .unknownMethod(member, in: PlaylistsInterface.name)
        }
    }

    public func get(_ property: String) -> BusValue? {
        PlaylistsProjection.value(of: property, in: shelf.shown(in: state()))
    }
}
