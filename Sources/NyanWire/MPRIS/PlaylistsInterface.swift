public import NyanCore
public import NyanDBus

/// `org.mpris.MediaPlayer2.Playlists` as data (mpris.md §7).
public enum PlaylistsInterface {
    public nonisolated static let name = "org.mpris.MediaPlayer2.Playlists"

    public nonisolated static let interface = Interface(
        name,
        methods: [
            Method("ActivatePlaylist", in: [Argument("PlaylistId", "o")]),
            Method(
                "GetPlaylists",
                in: [
                    Argument("Index", "u"), Argument("MaxCount", "u"), Argument("Order", "s"),
                    Argument("ReverseOrder", "b"),
                ], out: [Argument("Playlists", "a(oss)")]),
        ],
        properties: [
            Property("PlaylistCount", "u"), Property("Orderings", "as"), Property("ActivePlaylist", "(b(oss))"),
        ],
        // One argument of type struct, not three (mpris.md §7).
        signals: [Signal("PlaylistChanged", [Argument("Playlist", "(oss)")])])

    /// The object path a list is known by.
    public nonisolated static func path(of list: MusicList) -> ObjectPath {
        Names.playlists.appending(escaping: list.description)
    }

    /// Reads `path(of:)` back; nil for any other path.
    public nonisolated static func list(_ path: ObjectPath) -> MusicList? {
        guard let list = path.unescapedLastElement.flatMap({ MusicList($0) }), self.path(of: list) == path else {
            return nil
        }
        return list
    }
}
