/// Port: playlists and recommendations at VK (vk-api.md §2.2, §2.3). Main actor; errors are a person's.
///
/// A method that VK keeps from this token's client fails as `.unsupported`: it says nothing about the other methods.
@MainActor public protocol PlaylistSource: AnyObject {
    /// One page of a person's own and followed playlists; `owner` nil = whose token it is.
    func playlistPage(owner: Int64?, offset: Int, count: Int) async throws(Failure) -> PlaylistPage
    /// The description alone.
    func playlist(_ reference: PlaylistReference) async throws(Failure) -> Playlist
    func playlistTracks(_ reference: PlaylistReference, offset: Int, count: Int) async throws(Failure) -> TrackPage
    /// Asked once only, since each call that reaches VK makes another playlist: a `lostAnswer` says that it may have.
    func createPlaylist(_ title: String, owner: Int64?) async throws(Failure) -> Playlist
    func rename(_ playlist: Playlist, to title: String) async throws(Failure)
    /// Deletes an own playlist, follows somebody else's no more.
    func delete(_ id: PlaylistID) async throws(Failure)
    /// Asked once only, like `createPlaylist`. At most `mostAtOnce` tracks.
    func add(_ tracks: [TrackReference], to id: PlaylistID) async throws(Failure)
    func remove(_ tracks: [TrackReference], from id: PlaylistID) async throws(Failure)
    /// Like a track, or for this person.
    func recommendations(like track: TrackReference?, count: Int) async throws(Failure) -> [Track]
}

extension Failure {
    /// A call that was made once may have been carried out although it failed so: look before it is made again.
    public var isLostAnswer: Bool {
        switch code {
        case .network, .timeout, .badAnswer: true
        case .serverBusy: retry == .later
        default: false
        }
    }
}

/// Port: a track's words at VK (vk-api.md §2.4).
@MainActor public protocol LyricsSource: AnyObject {
    /// nil = VK has none.
    func lyrics(of track: TrackReference) async throws(Failure) -> Lyrics?
}

/// Port: the track shown in the person's VK status (vk-api.md §2.6).
@MainActor public protocol BroadcastSource: AnyObject {
    /// nil = show none. Asked once; cancelling the task gives it up at once.
    /// - Throws: `.denied` where the person or VK does not want it shown (errors 220, 221).
    func setBroadcast(_ track: TrackID?) async throws(Failure)
}
