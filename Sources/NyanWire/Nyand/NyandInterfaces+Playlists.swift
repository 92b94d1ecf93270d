public import NyanDBus

/// Playlists are named as `PlaylistReference` reads them: `OWNER_ID`, `OWNER_ID_KEY`, or VK's address.
extension NyandInterfaces {
    public nonisolated static let playlists = Interface(
        "org.nyantunes.Nyand1.Playlists",
        methods: [
            // Own and followed ones. A notice says why it is the stored list that is shown; empty = it was read now.
            Method(
                "List", out: [Argument("playlists", PlaylistCoding.listSignature), Argument("notice", "s")]),
            // Any playlist's tracks; `filter` empty = all.
            Method(
                "Tracks", in: [Argument("playlist", "s"), Argument("filter", "s")],
                out: [Argument("tracks", TrackCoding.listSignature), Argument("notice", "s")]),
            Method("Create", in: [Argument("title", "s")], out: [Argument("playlist", PlaylistCoding.signature)]),
            Method("Rename", in: [Argument("playlist", "s"), Argument("title", "s")]),
            // Deletes an own one, follows somebody else's no more; answers what it was.
            Method(
                "Delete", in: [Argument("playlist", "s")], out: [Argument("title", "s"), Argument("followed", "b")]),
            Method(
                "Add", in: [Argument("playlist", "s"), Argument("tracks", "as")], out: [Argument("added", "u")]),
            Method(
                "Remove", in: [Argument("playlist", "s"), Argument("tracks", "as")],
                out: [Argument("removed", "u")]),
            // What VK recommends like a track; an empty one = for the person.
            Method(
                "Recommendations", in: [Argument("track", "s")],
                out: [Argument("tracks", TrackCoding.listSignature)]),
        ],
        signals: [
            // The list, or some playlist's tracks, are others than before.
            Signal("Changed", [])
        ])

    public nonisolated static let lyrics = Interface(
        "org.nyantunes.Nyand1.Lyrics",
        methods: [
            // An empty track = the current one. A line's begin in milliseconds, -1 = unknown.
            Method(
                "Get", in: [Argument("track", "s")],
                out: [
                    Argument("id", "s"), Argument("lines", LyricsCoding.linesSignature), Argument("credits", "s"),
                ])
        ])
}
