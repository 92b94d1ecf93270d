public import NyanCore

/// Playlists and recommendations (vk-api.md §2.2, §2.3).
extension VKSource: PlaylistSource {
    public func playlistPage(owner: Int64?, offset: Int, count: Int) async throws(Failure) -> PlaylistPage {
        var parameters = [
            (name: "offset", value: String(max(offset, 0))),
            (name: "count", value: String(min(max(count, 1), 100))),
        ]
        if let owner { parameters.append((name: "owner_id", value: String(owner))) }
        let list: VKPlaylistList = try await feature("audio.getPlaylists", parameters, of: .playlists)
        return PlaylistPage(count: list.count, playlists: list.playlists, itemCount: list.itemCount)
    }

    public func playlist(_ reference: PlaylistReference) async throws(Failure) -> Playlist {
        var found: VKPlaylist = try await feature(
            "audio.getPlaylistById", Self.parameters(reference), of: .playlists)
        // VK need not repeat the key it was asked with.
        found.playlist.accessKey = found.playlist.accessKey ?? reference.accessKey
        return found.playlist
    }

    public func playlistTracks(
        _ reference: PlaylistReference, offset: Int, count: Int
    ) async throws(Failure) -> TrackPage {
        // `album_id` is what works with every kind of token (vk-api.md §2.2 `audio.get`).
        var parameters = [
            (name: "owner_id", value: String(reference.id.owner)),
            (name: "album_id", value: String(reference.id.number)),
            (name: "offset", value: String(max(offset, 0))), (name: "count", value: String(max(count, 1))),
        ]
        if let key = reference.accessKey { parameters.append((name: "access_key", value: key)) }
        let list: VKAudioList = try await feature("audio.get", parameters, of: .playlists)
        if Placeholder.isWhole(list.audios, count: list.count) { throw Placeholder.failure }
        guard let total = list.count else { throw Reaction.unreadable.failure }
        return TrackPage(count: total, tracks: list.audios.map(\.track), itemCount: list.itemCount)
    }

    public func createPlaylist(_ title: String, owner: Int64?) async throws(Failure) -> Playlist {
        var parameters = [(name: "title", value: title)]
        if let owner { parameters.append((name: "owner_id", value: String(owner))) }
        let made: VKPlaylist = try await feature(
            "audio.createPlaylist", parameters, of: .playlists, mayRepeat: false)
        return made.playlist
    }

    public func rename(_ playlist: Playlist, to title: String) async throws(Failure) {
        var parameters = Self.parameters(PlaylistReference(id: playlist.id)) + [(name: "title", value: title)]
        // A description that is not sent may count as an empty one.
        if let about = playlist.about { parameters.append((name: "description", value: about)) }
        let _: VKAnything = try await feature("audio.editPlaylist", parameters, of: .playlists)
    }

    public func delete(_ id: PlaylistID) async throws(Failure) {
        let _: VKAnything = try await feature(
            "audio.deletePlaylist", Self.parameters(PlaylistReference(id: id)), of: .playlists)
    }

    public func add(_ tracks: [TrackReference], to id: PlaylistID) async throws(Failure) {
        let _: VKAnything = try await feature(
            "audio.addToPlaylist", Self.parameters(PlaylistReference(id: id)) + [Self.audioIDs(tracks)],
            of: .playlists, mayRepeat: false)
    }

    public func remove(_ tracks: [TrackReference], from id: PlaylistID) async throws(Failure) {
        let _: VKAnything = try await feature(
            "audio.removeFromPlaylist", Self.parameters(PlaylistReference(id: id)) + [Self.audioIDs(tracks)],
            of: .playlists)
    }

    public func recommendations(like track: TrackReference?, count: Int) async throws(Failure) -> [Track] {
        var parameters = [(name: "count", value: String(min(max(count, 1), 100)))]
        if let track { parameters.append((name: "target_audio", value: track.id.description)) }
        let found: VKRecommendations = try await feature(
            "audio.getRecommendations", parameters, of: .recommendations)
        if Placeholder.isWhole(found.audios, count: nil) { throw Placeholder.failure }
        var seen: Set<TrackID> = []
        return found.audios.map(\.track).filter { seen.insert($0.id).inserted }
    }

    private static func parameters(_ reference: PlaylistReference) -> [(name: String, value: String)] {
        var parameters = [
            (name: "owner_id", value: String(reference.id.owner)),
            (name: "playlist_id", value: String(reference.id.number)),
        ]
        if let key = reference.accessKey { parameters.append((name: "access_key", value: key)) }
        return parameters
    }

    private static func audioIDs(_ tracks: [TrackReference]) -> (name: String, value: String) {
        (name: "audio_ids", value: tracks.map(\.description).joined(separator: ","))
    }
}
