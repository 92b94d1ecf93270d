import NyanCore

/// What the row numbers printed last mean (CONTRACT.md §5 TRACK): the ids that stood beside them, never places in
/// a list that may have changed since.
enum LastListing {
    static func remember(_ tracks: [TrackReference]) {
        ListingFile.tracks.write(tracks.map(\.description))
        hasTold = !tracks.isEmpty
    }

    /// This run printed rows of tracks.
    private(set) static var hasTold = false

    /// Playlists have row numbers of their own.
    static func remember(_ playlists: [PlaylistReference]) {
        ListingFile.playlists.write(playlists.map(\.description))
    }

    /// Another account's rows name tracks that it need not have.
    static func forget() { ListingFile.forget() }

    /// The references in row order.
    static func tracks() throws(ListingFile.Absence) -> [TrackReference] {
        try references(.tracks) { TrackReference($0) }
    }

    static func playlists() throws(ListingFile.Absence) -> [PlaylistReference] {
        try references(.playlists) { PlaylistReference($0) }
    }

    /// The same where it does not matter why there are none; tracks as the lines they stand in.
    static func recall() -> [String] { (try? ListingFile.tracks.read()) ?? [] }
    static func recallPlaylists() -> [PlaylistReference] { (try? playlists()) ?? [] }

    /// A line that is no id would shift the rows behind it: then there are no rows at all.
    private static func references<Reference>(
        _ file: ListingFile, _ read: (String) -> Reference?
    ) throws(ListingFile.Absence) -> [Reference] {
        let lines = try file.read()
        let references = lines.compactMap(read)
        guard references.count == lines.count else { throw .damaged }
        return references
    }
}
