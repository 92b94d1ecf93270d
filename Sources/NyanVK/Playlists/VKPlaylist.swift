import NyanCore

/// A playlist object as VK sends it, the fields nyand uses (vk-api.md §2.3). Any may be missing but the identity.
nonisolated struct VKPlaylist: Decodable {
    var playlist: Playlist

    private enum Unreadable: Error { case identity }

    /// Two numbers that name a playlist, within another object.
    private struct Identity: Decodable {
        var id: PlaylistID
        var accessKey: String?

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: AnyKey.self)
            guard let owner = fields.int64("owner_id"), owner != 0,
                let number = fields.int64("playlist_id") ?? fields.int64("id"), number != 0
            else { throw Unreadable.identity }
            id = PlaylistID(owner: owner, number: number)
            accessKey = fields.filledText("access_key")
        }
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: AnyKey.self)
        guard let owner = fields.int64("owner_id"), owner != 0,
            let number = fields.int64("id") ?? fields.int64("playlist_id"), number != 0
        else { throw Unreadable.identity }
        let id = PlaylistID(owner: owner, number: number)
        let original: Identity? = fields.object("original")
        let followed: Identity? = fields.object("followed")
        let title = TitleText.shown(fields.text("title") ?? "")
        playlist = Playlist(
            id: id, accessKey: Self.usable(fields.filledText("access_key"), of: id),
            title: fields.filledText("subtitle").map { title.isEmpty ? TitleText.shown($0) : title } ?? title,
            about: fields.filledText("description").map(Entities.decode), count: max(fields.int("count") ?? 0, 0),
            isFollowed: fields.flag("is_following") || original != nil || followed != nil, follow: followed?.id)
    }

    /// Dropped when it does not fit the written form `OWNER_ID_KEY`.
    private static func usable(_ key: String?, of id: PlaylistID) -> String? {
        key.flatMap { $0.utf8.count > AnswerLimits.key ? nil : PlaylistReference("\(id)_\($0)")?.accessKey }
    }
}

/// Playlists as `audio.getPlaylists` answers them.
nonisolated struct VKPlaylistList: Decodable {
    var count: Int
    var playlists: [Playlist]
    /// Items VK sent, unreadable ones included.
    var itemCount: Int

    private enum Unreadable: Error { case shape }

    /// - Throws: without a count: what is not known to be whole would make others look gone.
    init(from decoder: any Decoder) throws {
        if let bare = try? LenientArray<VKPlaylist>(from: decoder) {
            // PHP writes an empty object as an empty array (vk-api.md §5).
            guard bare.sentCount == 0 else { throw Unreadable.shape }
            (count, playlists, itemCount) = (0, [], 0)
            return
        }
        let fields = try decoder.container(keyedBy: AnyKey.self)
        guard let count = fields.int("count") else { throw Unreadable.shape }
        let items: LenientArray<VKPlaylist> = try fields.list("items")
        self.count = max(count, 0)
        playlists = items.elements.map(\.playlist)
        itemCount = items.sentCount
    }
}

/// An answer nobody looks into: 1, a list of ids, an object.
nonisolated struct VKAnything: Decodable {
    init(from decoder: any Decoder) throws {}
}

/// Recommended tracks: under `items`, `audios`, or both (vk-api.md §2.2).
nonisolated struct VKRecommendations: Decodable {
    var audios: [VKAudio]

    private enum Unreadable: Error { case shape }

    init(from decoder: any Decoder) throws {
        if let bare = try? LenientArray<VKAudio>(from: decoder) {
            audios = bare.elements
            return
        }
        let fields = try decoder.container(keyedBy: AnyKey.self)
        let lists: [LenientArray<VKAudio>] = ["items", "audios"].compactMap { fields.object($0) }
        guard !lists.isEmpty || fields.has("count") else { throw Unreadable.shape }
        audios = lists.flatMap(\.elements)
    }
}
