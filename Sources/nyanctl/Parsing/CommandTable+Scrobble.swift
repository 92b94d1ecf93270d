/// What was listened to, told to others.
extension CommandTable {
    static let scrobble = [
        Command(
            name: "scrobble", arguments: "[login listenbrainz|lastfm | logout listenbrainz|lastfm]",
            summary: "tell ListenBrainz and Last.fm what you hear; alone: how it stands",
            options: [.init(name: "--finish", summary: "login lastfm: after you allowed it on the page")],
            arity: .between(0, 2), run: ScrobbleCommand.run)
    ]
}
