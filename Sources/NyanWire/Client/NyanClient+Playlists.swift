public import NyanCore
public import NyanDBus

extension NyanClient {
    /// The person's playlists, and why it is a stored list, if it is.
    public func playlists() throws(ClientFailure) -> (playlists: [ListedPlaylist], notice: String?) {
        let values = try call(NyandInterfaces.playlists, "List", [], .network)
        guard values.count == 2, let listed: [ListedPlaylist] = PlaylistCoding.listed(values[0]),
            let notice = values[1].string
        else { throw .misunderstood("List") }
        return (listed, notice.isEmpty ? nil : notice)
    }

    /// A playlist's tracks, and why they are the stored ones, if they are.
    public func playlistTracks(
        _ playlist: String, filter: String
    ) throws(ClientFailure) -> (tracks: [ListedTrack], notice: String?) {
        let values = try call(
            NyandInterfaces.playlists, "Tracks", [.string(playlist), .string(filter)], .network)
        guard values.count == 2, let tracks = TrackCoding.listedTracks(values[0]), let notice = values[1].string
        else { throw .misunderstood("Tracks") }
        return (tracks, notice.isEmpty ? nil : notice)
    }

    /// A track's words; an empty track = the current one.
    public func lyrics(of track: String) throws(ClientFailure) -> (id: TrackID, lyrics: Lyrics) {
        let values = try call(NyandInterfaces.lyrics, "Get", [.string(track)], .network)
        guard let found = Self.lyrics(values) else { throw .misunderstood("Get") }
        return found
    }

    /// Reads an answer of `Lyrics.Get`; nil where it has another shape.
    public static func lyrics(_ values: [BusValue]) -> (id: TrackID, lyrics: Lyrics)? {
        guard values.count == 3, let id = values[0].string.flatMap({ TrackID($0) }),
            let lyrics = LyricsCoding.lyrics(lines: values[1], credits: values[2])
        else { return nil }
        return (id, lyrics)
    }
}
