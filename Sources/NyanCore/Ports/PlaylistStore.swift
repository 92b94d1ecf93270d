/// Port: what we know of playlists, on disk. Returning means durable against kill -9.
public protocol PlaylistStore: Sendable {
    /// The person's own and followed playlists in VK's order.
    func playlists() async throws(Failure) -> [ListedPlaylist]
    /// Any that was ever read, also somebody else's.
    func playlist(_ id: PlaylistID) async throws(Failure) -> ListedPlaylist?
    /// Tracks in the playlist's order; nil = its tracks were never read. `filter` as `LibraryStore.profile`.
    func tracks(of id: PlaylistID, matching filter: String?) async throws(Failure) -> [ListedTrack]?
    /// Takes over the whole list of the person's playlists. One that left it stays known if it was read or is kept.
    /// - Returns: whether anything differs from before.
    func setPlaylists(_ playlists: [Playlist]) async throws(Failure) -> Bool
    /// Takes over a playlist's tracks, in order; its description too.
    /// - Returns: whether anything differs from before.
    func setTracks(_ tracks: [Track], of playlist: Playlist) async throws(Failure) -> Bool
    /// Takes over a description; `first` = a new one at the top of the list.
    func setDescription(_ playlist: Playlist, first: Bool) async throws(Failure)
    func forgetPlaylist(_ id: PlaylistID) async throws(Failure)
}

/// What is known of a track's words.
public struct StoredLyrics: Sendable, Equatable {
    /// nil = VK has none.
    public var lyrics: Lyrics?
    /// When VK was asked, in seconds since 1970.
    public var askedAt: Int64

    public init(lyrics: Lyrics?, askedAt: Int64) {
        self.lyrics = lyrics
        self.askedAt = askedAt
    }
}

/// Port: lyrics that were read, on disk.
public protocol LyricsStore: Sendable {
    /// nil = VK was never asked.
    func lyrics(of id: TrackID) async throws(Failure) -> StoredLyrics?
    func setLyrics(_ lyrics: StoredLyrics, of id: TrackID) async throws(Failure)
}
