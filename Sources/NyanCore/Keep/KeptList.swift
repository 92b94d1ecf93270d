/// What a keep rule is about: the profile, or a playlist.
public enum KeptList: Hashable, Sendable, CustomStringConvertible {
    case profile
    case playlist(PlaylistID)

    /// The word of `keep` for it: `profile`, or the playlist's id.
    public var description: String {
        switch self {
        case .profile: "profile"
        case .playlist(let id): id.description
        }
    }

    /// Reads `description` back, and VK's addresses of playlists; nil for anything else.
    public init?(_ text: some StringProtocol) {
        if text == "profile" {
            self = .profile
        } else if let reference = PlaylistReference(text) {
            self = .playlist(reference.id)
        } else {
            return nil
        }
    }
}

/// A rule with how far it is: one row of `keep`.
public struct KeepRule: Sendable, Equatable {
    public var list: KeptList
    /// The playlist's title; empty for the profile.
    public var title: String
    /// Tracks of the list as it was read last.
    public var tracks: Int
    /// Those with a file in My Music.
    public var here: Int
    /// Those whose download waits, runs or is paused.
    public var coming: Int
    /// Those VK gives no sound for now; they are looked at again after each sync.
    public var unavailable: Int
    /// Those whose download failed: `retry` or another `keep` tries them again.
    public var failed: Int
    /// Those the person took away, by a command or by hand: another `keep` brings them back.
    public var declined: Int

    public init(
        list: KeptList, title: String = "", tracks: Int = 0, here: Int = 0, coming: Int = 0, unavailable: Int = 0,
        failed: Int = 0, declined: Int = 0
    ) {
        self.list = list
        self.title = title
        self.tracks = tracks
        self.here = here
        self.coming = coming
        self.unavailable = unavailable
        self.failed = failed
        self.declined = declined
    }
}
