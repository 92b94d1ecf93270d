public import NyanCore
import Synchronization

/// Playlists and lyrics in memory.
public nonisolated final class MemoryPlaylists: PlaylistStore, LyricsStore {
    private struct State {
        var listed: [PlaylistID] = []
        var playlists: [PlaylistID: Playlist] = [:]
        var tracks: [PlaylistID: [Track]] = [:]
        var lyrics: [TrackID: StoredLyrics] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    private static func row(_ id: PlaylistID, _ state: State) -> ListedPlaylist? {
        state.playlists[id].map { ListedPlaylist(playlist: $0, isRead: state.tracks[id] != nil) }
    }

    public func playlists() async throws(Failure) -> [ListedPlaylist] {
        state.withLock { state in state.listed.compactMap { Self.row($0, state) } }
    }

    public func playlist(_ id: PlaylistID) async throws(Failure) -> ListedPlaylist? {
        state.withLock { Self.row(id, $0) }
    }

    public func tracks(of id: PlaylistID, matching filter: String?) async throws(Failure) -> [ListedTrack]? {
        state.withLock { state in
            state.tracks[id]?.filter { filter == nil || $0.title.contains(filter ?? "") }.map { ListedTrack(track: $0) }
        }
    }

    public func setPlaylists(_ playlists: [Playlist]) async throws(Failure) -> Bool {
        state.withLock { state in
            let before = state.listed.compactMap { state.playlists[$0] }
            for playlist in playlists { state.playlists[playlist.id] = playlist }
            state.listed = playlists.map(\.id)
            return before != playlists
        }
    }

    public func setTracks(_ tracks: [Track], of playlist: Playlist) async throws(Failure) -> Bool {
        state.withLock { state in
            let before = state.tracks[playlist.id]
            state.playlists[playlist.id] = playlist
            state.tracks[playlist.id] = tracks
            return before != tracks
        }
    }

    public func setDescription(_ playlist: Playlist, first: Bool) async throws(Failure) {
        state.withLock { state in
            state.playlists[playlist.id] = playlist
            if first { state.listed.insert(playlist.id, at: 0) }
        }
    }

    public func forgetPlaylist(_ id: PlaylistID) async throws(Failure) {
        state.withLock { state in
            state.listed.removeAll { $0 == id }
            state.playlists[id] = nil
            state.tracks[id] = nil
        }
    }

    public func lyrics(of id: TrackID) async throws(Failure) -> StoredLyrics? { state.withLock { $0.lyrics[id] } }

    public func setLyrics(_ lyrics: StoredLyrics, of id: TrackID) async throws(Failure) {
        state.withLock { $0.lyrics[id] = lyrics }
    }
}
