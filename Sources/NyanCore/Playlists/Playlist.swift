/// A playlist's identity at VK, written `OWNER_ID` (vk-api.md §2).
///
/// A negative owner is a community or the licensed catalogue; a negative number is a list that VK makes itself and makes
/// anew when it is opened (§2.3).
public struct PlaylistID: Hashable, Sendable, CustomStringConvertible {
    public var owner: Int64
    /// The playlist's number under its owner; never 0.
    public var number: Int64

    public init(owner: Int64, number: Int64) {
        self.owner = owner
        self.number = number
    }

    public var description: String { "\(owner)_\(number)" }

    /// VK makes it and nobody else can change it; what it holds differs from day to day.
    public var isGenerated: Bool { number < 0 }
}

/// A saved list of tracks as VK describes it, without its tracks.
public struct Playlist: Sendable, Equatable {
    public var id: PlaylistID
    /// Opens somebody else's playlist; part of no identity.
    public var accessKey: String?
    /// Entities decoded once; may be empty.
    public var title: String
    public var about: String?
    /// How many tracks VK counts; more than it shows where some are blocked (vk-api.md §2.2).
    public var count: Int
    /// In the person's list, but made by somebody else.
    public var isFollowed: Bool
    /// What must be deleted to follow it no more, where that is not `id` (vk-api.md §2.3 `followed`).
    public var follow: PlaylistID?

    public init(
        id: PlaylistID, accessKey: String? = nil, title: String, about: String? = nil, count: Int = 0,
        isFollowed: Bool = false, follow: PlaylistID? = nil
    ) {
        self.id = id
        self.accessKey = accessKey
        self.title = title
        self.about = about
        self.count = count
        self.isFollowed = isFollowed
        self.follow = follow
    }

    public var reference: PlaylistReference { PlaylistReference(id: id, accessKey: accessKey) }
}

/// A playlist with what this machine knows about it: one row of `playlists` (CONTRACT.md "JSON").
public struct ListedPlaylist: Sendable, Equatable {
    public var playlist: Playlist
    /// Always offline, also what is added to it later.
    public var isKept: Bool
    /// Its tracks were read at least once.
    public var isRead: Bool

    public init(playlist: Playlist, isKept: Bool = false, isRead: Bool = false) {
        self.playlist = playlist
        self.isKept = isKept
        self.isRead = isRead
    }
}
