public import NyanCore
public import NyanDBus

/// Playlists as they travel; an empty string stands for an absent key.
public enum PlaylistCoding {
    /// id, access key, title, count, followed, kept.
    public nonisolated static let signature: Signature = "(sssubb)"
    public nonisolated static let listSignature: Signature = "a(sssubb)"

    public nonisolated static func value(_ listed: ListedPlaylist) -> BusValue {
        let playlist = listed.playlist
        return .structure([
            .string(playlist.id.description), .string(playlist.accessKey ?? ""), .string(playlist.title),
            .uint32(UInt32(clamping: playlist.count)), .bool(playlist.isFollowed), .bool(listed.isKept),
        ])
    }

    public nonisolated static func list(_ playlists: [ListedPlaylist]) -> BusValue {
        .array(playlists.map(value), of: signature)
    }

    /// nil where the value has another shape.
    public nonisolated static func listed(_ value: BusValue) -> ListedPlaylist? {
        guard let fields = value.fields, fields.count == 6,
            let id = fields[0].string.flatMap({ PlaylistReference($0) })?.id, let key = fields[1].string,
            let title = fields[2].string, let count = fields[3].integer, let followed = fields[4].bool,
            let kept = fields[5].bool
        else { return nil }
        return ListedPlaylist(
            playlist: Playlist(
                id: id, accessKey: key.isEmpty ? nil : key, title: title, count: count, isFollowed: followed),
            isKept: kept)
    }

    public nonisolated static func listed(_ value: BusValue) -> [ListedPlaylist]? {
        guard let elements = value.elements else { return nil }
        let playlists = elements.compactMap { listed($0) as ListedPlaylist? }
        return playlists.count == elements.count ? playlists : nil
    }
}

/// Lyrics as they travel: a line's begin in milliseconds, -1 = unknown; no credits are empty ones.
public enum LyricsCoding {
    public nonisolated static let linesSignature: Signature = "a(xs)"

    public nonisolated static func values(_ lyrics: Lyrics) -> [BusValue] {
        [
            .array(
                lyrics.lines.map { .structure([.int64(Int64($0.begin ?? -1)), .string($0.text)]) }, of: "(xs)"),
            .string(lyrics.credits ?? ""),
        ]
    }

    /// nil where the values have another shape.
    public nonisolated static func lyrics(lines: BusValue, credits: BusValue) -> Lyrics? {
        guard let elements = lines.elements, let credits = credits.string else { return nil }
        var found: [Lyrics.Line] = []
        for element in elements {
            guard let fields = element.fields, fields.count == 2, let begin = fields[0].integer,
                let text = fields[1].string
            else { return nil }
            found.append(Lyrics.Line(begin: begin >= 0 ? begin : nil, text: text))
        }
        return Lyrics(lines: found, credits: credits.isEmpty ? nil : credits)
    }
}
