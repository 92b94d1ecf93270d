public import NyanDBus

/// What a shell offers while a line is being typed.
extension NyandInterfaces {
    public nonisolated static let completion = Interface(
        "org.nyantunes.Nyand1.Completion",
        methods: [
            // Pairs of texts, at most `limit` and never more than 200, from what is known here: VK is never asked.
            // `kind`: `titles` (artist and title of tracks one of which begins with `text`), `tracks` (those of `ids`),
            // `downloads`, `queue` (positions), `playlists`, `people`; but for `titles` a word and what it stands for.
            // A kind that is not known has no pairs.
            Method(
                "Offer",
                in: [Argument("kind", "s"), Argument("text", "s"), Argument("ids", "as"), Argument("limit", "u")],
                out: [Argument("offers", "a(ss)")])
        ])
}
