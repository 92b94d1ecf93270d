public import NyanCore

/// Playlists, lyrics and the status as VK has them, and what goes wrong with them.
public final class ScriptedPlaylists: PlaylistSource, LyricsSource, BroadcastSource {
    /// The person's list.
    public var playlists: [Playlist] = []
    /// Every playlist's tracks, foreign ones included.
    public var tracks: [PlaylistID: [Track]] = [:]
    public var words: [TrackID: Lyrics] = [:]
    public var recommended: [Track] = []
    /// What the next calls of a name fail with; nil = that one succeeds.
    public var failures: [String: [Failure?]] = [:]
    /// Calls of these names are carried out before they fail: their answer is lost.
    public var acting: Set<String> = []
    /// Holds up every call while shut.
    public let latch = Latch()
    /// Names of the calls, in order.
    public private(set) var calls: [String] = []
    /// What the status was set to, in order.
    public private(set) var status: [TrackID?] = []
    /// The tracks of the calls that added some.
    public private(set) var added: [[TrackID]] = []
    private var lastNumber: Int64 = 1000

    public init() {}

    /// Puts a playlist there.
    public func put(_ playlist: Playlist, _ tracks: [Track], listed: Bool = true) {
        if listed { playlists.append(playlist) }
        self.tracks[playlist.id] = tracks
    }

    private func call<Answer>(_ name: String, _ work: () throws(Failure) -> Answer) async throws(Failure) -> Answer {
        calls.append(name)
        await latch.pass()
        if Task.isCancelled { throw Failure(.cancelled, "cancelled") }
        var failure: Failure?
        if var waiting = failures[name], !waiting.isEmpty {
            failure = waiting.removeFirst()
            failures[name] = waiting
        }
        guard let failure else { return try work() }
        if acting.contains(name) { _ = try work() }
        throw failure
    }

    public func playlistPage(owner: Int64?, offset: Int, count: Int) async throws(Failure) -> PlaylistPage {
        try await call("list") { () throws(Failure) in
            let page = Array(playlists.dropFirst(offset).prefix(count))
            return PlaylistPage(count: playlists.count, playlists: page, itemCount: page.count)
        }
    }

    public func playlist(_ reference: PlaylistReference) async throws(Failure) -> Playlist {
        try await call("describe") { () throws(Failure) in
            if let listed = playlists.first(where: { $0.id == reference.id }) { return listed }
            guard let tracks = tracks[reference.id] else { throw Failure(.notFound, "VK knows no such playlist") }
            return Playlist(
                id: reference.id, accessKey: reference.accessKey, title: "Foreign", count: tracks.count)
        }
    }

    public func playlistTracks(
        _ reference: PlaylistReference, offset: Int, count: Int
    ) async throws(Failure) -> TrackPage {
        try await call("tracks") { () throws(Failure) in
            guard let tracks = tracks[reference.id] else { throw Failure(.notFound, "VK knows no such playlist") }
            let page = Array(tracks.dropFirst(offset).prefix(count))
            return TrackPage(count: tracks.count, tracks: page, itemCount: page.count)
        }
    }

    public func createPlaylist(_ title: String, owner: Int64?) async throws(Failure) -> Playlist {
        try await call("create") { () throws(Failure) in
            lastNumber += 1
            let made = Playlist(id: PlaylistID(owner: owner ?? 1, number: lastNumber), title: title)
            playlists.insert(made, at: 0)
            tracks[made.id] = []
            return made
        }
    }

    public func rename(_ playlist: Playlist, to title: String) async throws(Failure) {
        try await call("rename") { () throws(Failure) in
            guard let place = playlists.firstIndex(where: { $0.id == playlist.id }) else {
                throw Failure(.denied, "not yours")
            }
            playlists[place].title = title
        }
    }

    public func delete(_ id: PlaylistID) async throws(Failure) {
        try await call("delete") { () throws(Failure) in
            guard playlists.contains(where: { $0.id == id || $0.follow == id }) else {
                throw Failure(.notFound, "VK knows no such playlist")
            }
            playlists.removeAll { $0.id == id || $0.follow == id }
        }
    }

    public func add(_ tracks: [TrackReference], to id: PlaylistID) async throws(Failure) {
        added.append(tracks.map(\.id))
        try await call("add") { () throws(Failure) in
            self.tracks[id, default: []] += tracks.map { Track(id: $0.id, artist: "Artist", title: "Title") }
        }
    }

    public func remove(_ tracks: [TrackReference], from id: PlaylistID) async throws(Failure) {
        try await call("remove") { () throws(Failure) in
            self.tracks[id]?.removeAll { track in tracks.contains { $0.id == track.id } }
        }
    }

    public func recommendations(like track: TrackReference?, count: Int) async throws(Failure) -> [Track] {
        try await call("recommend") { () throws(Failure) in recommended }
    }

    public func lyrics(of track: TrackReference) async throws(Failure) -> Lyrics? {
        try await call("lyrics") { () throws(Failure) in words[track.id] }
    }

    public func setBroadcast(_ track: TrackID?) async throws(Failure) {
        try await call("status") { () throws(Failure) in status.append(track) }
    }
}
