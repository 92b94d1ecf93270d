public import NyanDBus

/// The interfaces of `org.nyantunes.Nyand` as data: everything MPRIS has no word for.
///
/// Tracks are named by references (`OWNER_ID` or `OWNER_ID_KEY`), places in the queue by positions from 1. Errors are
/// `org.nyantunes.Nyand1.Error.*` (`FailureCoding`).
public enum NyandInterfaces {
    /// Transport with answers a person can act on; MPRIS has the same deeds without words.
    public nonisolated static let player = Interface(
        "org.nyantunes.Nyand1.Player",
        methods: [
            Method("GetStatus", out: [Argument("status", "a{sv}")]),
            // Resumes, or starts the queue, or queues the profile (offline: My Music).
            Method("Play"),
            // Replaces the queue by these tracks and starts at an index from 0. Beside references, `file:`, `http:` and
            // `https:` addresses are taken, here and by Queue.Add.
            Method("PlayTracks", in: [Argument("tracks", "as"), Argument("start", "u")]),
            Method("Pause"), Method("Toggle"), Method("Stop"), Method("Next"), Method("Previous"),
            // Microseconds, as MPRIS counts.
            Method("SeekBy", in: [Argument("offset", "x")]), Method("SeekTo", in: [Argument("position", "x")]),
            // A part of the track's length, 0…1.
            Method("SeekToFraction", in: [Argument("fraction", "d")]),
            // 0…1; answers what was kept.
            Method("SetVolume", in: [Argument("volume", "d")], out: [Argument("volume", "d")]),
            Method("ChangeVolume", in: [Argument("change", "d")], out: [Argument("volume", "d")]),
            Method("SetShuffle", in: [Argument("on", "b")]), Method("SetRepeat", in: [Argument("mode", "s")]),
            // Pauses by itself: `time` (after microseconds), `track` (where the current one ends), `off`.
            Method("SetSleepTimer", in: [Argument("mode", "s"), Argument("after", "x")]),
        ],
        signals: [
            // The whole status, once per change, never per second.
            Signal("StatusChanged", [Argument("status", "a{sv}")])
        ])

    public nonisolated static let queue = Interface(
        "org.nyantunes.Nyand1.Queue",
        methods: [
            Method("List", out: [Argument("tracks", TrackCoding.listSignature), Argument("current", "u")]),
            Method("Add", in: [Argument("tracks", "as"), Argument("next", "b")], out: [Argument("length", "u")]),
            Method("Remove", in: [Argument("positions", "au")], out: [Argument("length", "u")]),
            Method("Move", in: [Argument("from", "u"), Argument("to", "u")]),
            Method("Clear"),
        ])

    public nonisolated static let library = Interface(
        "org.nyantunes.Nyand1.Library",
        methods: [
            // `owner` 0 = the signed-in person; `filter` empty = everything.
            Method(
                "Profile", in: [Argument("filter", "s"), Argument("owner", "x")],
                out: [Argument("tracks", TrackCoding.listSignature)]),
            Method(
                "Music", in: [Argument("filter", "s")], out: [Argument("tracks", TrackCoding.listSignature)]),
            Method(
                "Search", in: [Argument("text", "s"), Argument("count", "u"), Argument("byArtist", "b")],
                out: [Argument("tracks", TrackCoding.listSignature)]),
            // The library's tracks that a quoted text selects.
            Method(
                "Select", in: [Argument("text", "s")], out: [Argument("tracks", TrackCoding.listSignature)]),
            // Any of the four as one run of bytes (`TrackSheet`), for clients that list thousands: `list` is `Profile`,
            // `Music`, `Search` or `Select`, `number` the owner or the count.
            Method(
                "Sheet",
                in: [
                    Argument("list", "s"), Argument("text", "s"), Argument("number", "x"), Argument("byArtist", "b"),
                ],
                out: [Argument("tracks", "ay")]),
            Method(
                "Sync",
                out: [
                    Argument("total", "u"), Argument("added", "u"), Argument("removed", "u"),
                    Argument("unavailable", "u"), Argument("changes", SyncCoding.changesSignature),
                    Argument("moreChanges", "u"),
                ]),
            // Deletes finished copies; answers how many files and how many bytes that freed.
            Method(
                "DeleteCopies", in: [Argument("tracks", "as")],
                out: [Argument("files", "u"), Argument("bytes", "x")]),
        ],
        signals: [
            // While the profile is read: how many tracks so far, of how many. 0 of 0 when it is over.
            Signal("SyncProgress", [Argument("read", "u"), Argument("total", "u")]),
            // The profile or My Music may be another now; at most four times a second.
            Signal("Changed", []),
        ])

    public nonisolated static let history = Interface(
        "org.nyantunes.Nyand1.History",
        methods: [
            // What was really heard, newest first: when it began (seconds since 1970) and for how many seconds.
            Method(
                "List", in: [Argument("count", "u")],
                out: [Argument("tracks", TrackCoding.listSignature), Argument("moments", "a(xd)")])
        ])

    /// Track references and reasons.
    public nonisolated static let refusedSignature: Signature = "a(ss)"

    public nonisolated static let downloads = Interface(
        "org.nyantunes.Nyand1.Downloads",
        methods: [
            Method("List", out: [Argument("downloads", DownloadCoding.listSignature)]),
            // `refused`: those that cannot be had, each with the reason; the others are queued all the same.
            Method(
                "Add", in: [Argument("tracks", "as")],
                out: [Argument("queued", "u"), Argument("refused", refusedSignature)]),
            // The ids under which these are kept or fetched: one recording may have several, and one file.
            Method("Standing", in: [Argument("tracks", "as")], out: [Argument("ids", "as")]),
            // An empty list = all of them.
            Method("Cancel", in: [Argument("tracks", "as")], out: [Argument("cancelled", "u")]),
            Method("Retry", in: [Argument("tracks", "as")], out: [Argument("retried", "u")]),
            Method("Pause", in: [Argument("tracks", "as")], out: [Argument("paused", "u")]),
            Method("Resume", in: [Argument("tracks", "as")], out: [Argument("resumed", "u")]),
            // What `Library.Profile` and `Playlists.Tracks` list. `coming`: the ids of all that is not in My Music yet and
            // can be had, queued now or before. `notice`: why it is what was read last.
            Method(
                "AddProfile", in: [Argument("filter", "s")],
                out: [Argument("queued", "u"), Argument("refused", refusedSignature), Argument("coming", "as")]),
            Method(
                "AddPlaylist", in: [Argument("playlist", "s")],
                out: [
                    Argument("queued", "u"), Argument("refused", refusedSignature), Argument("coming", "as"),
                    Argument("notice", "s"),
                ]),
        ],
        signals: [
            // Those whose row changed, at most a few times a second.
            Signal("Changed", [Argument("downloads", DownloadCoding.listSignature)]),
            // Those that are in the list no more (cancelled, or their copy was deleted).
            Signal("Removed", [Argument("tracks", "as")]),
        ])

    /// id, name, tracks, kind of login, kind of locations.
    public nonisolated static let accountSignature: Signature = "(xsuss)"

    public nonisolated static let account = Interface(
        "org.nyantunes.Nyand1.Account",
        methods: [
            // The secret is read from the descriptor to its end; it never travels in a message (CONTRACT.md §4).
            Method(
                "Login",
                in: [Argument("kind", "s"), Argument("secret", "h"), Argument("profile", "s")],
                out: [Argument("account", accountSignature)]),
            Method("Logout"),
            Method("WhoAmI", out: [Argument("account", accountSignature)]),
            // The page a person opens for `Login` of kind `url`; the address it ends at is that login's secret.
            Method("AuthorizeAddress", in: [Argument("profile", "s")], out: [Argument("address", "s")]),
            Method(
                "LoginWithPassword",
                in: [Argument("user", "s"), Argument("password", "h"), Argument("profile", "s")],
                out: [Argument("account", accountSignature)]),
            // What became of the login that this caller began last: its account; an error as `Login`'s where it failed or
            // waits for an answer to VK.
            Method("LoginOutcome", out: [Argument("account", accountSignature)]),
            // What VK asks the person (error `ChallengeNeeded`, `problem` of the status); answers what came of it, which
            // need not be what this caller waits for. The answer may be a secret, so it comes as `Login`'s does.
            Method("Answer", in: [Argument("answer", "h")], out: [Argument("words", "s")]),
            // Unix seconds at which the login ends for good; 0 = VK named no end.
            Method("LoginEnds", out: [Argument("moment", "x")]),
        ])

    public nonisolated static let daemon = Interface(
        "org.nyantunes.Nyand1.Daemon",
        methods: [
            Method("SetOfflineMode", in: [Argument("on", "b")]),
            Method("Reload"),
        ],
        properties: [Property("Version", "s", emitsChanged: .const)])

    public nonisolated static let all = [
        player, queue, library, history, downloads, playlists, lyrics, account, daemon, profile, people, files,
        keep, scrobble, doctor, completion,
    ]
}
