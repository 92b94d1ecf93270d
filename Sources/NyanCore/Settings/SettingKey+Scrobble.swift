/// Scrobbling: who is signed in there decides whether anything is sent, so the settings only say where to.
extension SettingKey {
    static let scrobble: [SettingKey] = [
        SettingKey(
            "scrobble", "listenbrainz-url", "https://api.listenbrainz.org",
            "ListenBrainz, or a server of your own that speaks its language.", reloads: true, \.listenBrainzURL,
            SettingValue.address),
        SettingKey(
            "scrobble", "lastfm-url", "https://ws.audioscrobbler.com/2.0",
            "Last.fm, or a site that speaks its language.", reloads: true, \.lastFMURL, SettingValue.address),
    ]
}
