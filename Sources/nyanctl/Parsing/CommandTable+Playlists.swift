/// Playlists, recommendations and lyrics.
extension CommandTable {
    static let playlists = [
        Command(
            name: "playlists", summary: "your own and followed playlists", arity: .none, run: PlaylistCommands.list),
        Command(
            name: "playlist",
            arguments: "ID [FILTER] | create TITLE | rename ID TITLE | delete ID | add ID TRACK… | remove ID TRACK…",
            summary: "its tracks, or change it; ID may be VK's address or a row",
            arity: .atLeast(1), run: PlaylistCommands.playlist),
        Command(
            name: "recommendations", arguments: "[TRACK]", summary: "what VK recommends, for you or like a track",
            arity: .between(0, 1), run: PlaylistCommands.recommendations),
        Command(
            name: "lyrics", arguments: "[TRACK]", summary: "the words of a track, or of the current one",
            options: [.init(name: "--follow", summary: "line by line as they are sung, track after track")],
            arity: .between(0, 1), run: LyricsCommand.run),
    ]
}
