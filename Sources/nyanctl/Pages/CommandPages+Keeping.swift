/// Downloads and files.
extension CommandPages {
    static let keeping: [String: CommandPage] = [
        "download": CommandPage(
            subject: .keeping, forms: [[.tracks.orOption]],
            text: [
                "The files are ordinary tagged ones in the folder My Music (downloads.directory). It ends at once; --wait waits, and then exit status 1 says that something failed."
            ],
            examples: [
                .init("nyanctl download 3 4", "two rows of the listing printed last"),
                .init("nyanctl download --all --wait", "the whole profile, and wait for it"),
                .init("nyanctl download --playlist 2", "a playlist"),
                .init("nyanctl download --matching 'кошкин дом'", "what a filter finds in the profile"),
            ]),
        "downloads": CommandPage(
            subject: .keeping, forms: [[], [.word("pause", "resume"), .downloads.optional]],
            examples: [
                .init("nyanctl downloads", "how far they are"), .init("nyanctl downloads --follow", "watch them"),
                .init("nyanctl downloads pause", "hold all of them"),
            ]),
        "cancel": CommandPage(
            subject: .keeping, forms: [[.downloads.orOption]],
            examples: [
                .init("nyanctl cancel 3", "this one alone"),
                .init("nyanctl cancel --all", "everything that is not finished"),
            ]),
        "retry": CommandPage(
            subject: .keeping, forms: [[.downloads.orOption]],
            examples: [.init("nyanctl retry --all", "everything that failed")]),
        "keep": CommandPage(
            subject: .keeping, forms: [[.playlist("PLAYLIST", "profile").optional]],
            examples: [
                .init("nyanctl keep profile", "everything you have saved, now and later"),
                .init("nyanctl keep 2", "row 2 of `playlists`"), .init("nyanctl keep", "what is kept"),
            ]),
        "unkeep": CommandPage(
            subject: .keeping, forms: [[.playlist("PLAYLIST", "profile")]],
            text: [
                "Files are deleted only with --delete, and only those that nothing else wants. Without a terminal it needs --yes."
            ],
            examples: [
                .init("nyanctl unkeep 2", "its files stay"),
                .init("nyanctl unkeep profile --delete", "and its files go"),
            ]),
        "delete": CommandPage(
            subject: .keeping, forms: [[.tracks]],
            text: ["Takes ids and row numbers only. The track stays in the VK profile."],
            examples: [.init("nyanctl delete 3", "row 3 of `nyanctl music`, printed last")]),
        "export": CommandPage(
            subject: .keeping, forms: [[.founds, .folder]],
            text: ["What was not downloaded yet is named; the rest is copied all the same."],
            examples: [.init("nyanctl export 3 4 /media/stick", "two files onto a stick")]),
        "import": CommandPage(
            subject: .keeping, forms: [[.folder]],
            examples: [.init("nyanctl import ~/old-mp3s", "the folder and those in it")]),
    ]

    /// The account, other services, and the program.
    static let account: [String: CommandPage] = [
        "login": CommandPage(
            subject: .account, forms: [[]],
            text: [
                "Secrets come from standard input and never stand in the command line: a terminal asks for them and does not show them. They are proved with a real call first; what VK refuses is not stored.",
                "Exit status 4: VK refused, or wants something from you.",
            ],
            examples: [
                .init("nyanctl login", "the ways there are, and how each begins"),
                .init("nyanctl login --cookies", "with the session of a browser"),
                .init("nyanctl login --password +79990001122", "by a password"),
            ]),
        "logout": CommandPage(
            subject: .account, forms: [[]], examples: [.init("nyanctl logout", "files and queue stay")]),
        "whoami": CommandPage(
            subject: .account, forms: [[]], examples: [.init("nyanctl whoami", "whose account it is")]),
        "answer": CommandPage(
            subject: .account, forms: [[.text("TEXT").optional]],
            text: [
                "TEXT is the code or the letters that VK asks for; alone it asks for it and does not show what you type."
            ],
            examples: [.init("nyanctl answer 123456", "the code that came by SMS")]),
        "scrobble": CommandPage(
            subject: .account,
            forms: [
                [], [.word("login"), .word("listenbrainz", "lastfm")],
                [.word("logout"), .word("listenbrainz", "lastfm")],
            ],
            examples: [
                .init("nyanctl scrobble login listenbrainz", "asks for your token"),
                .init("nyanctl scrobble", "what was sent and what waits"),
            ]),
        "offline": CommandPage(
            subject: .account, forms: [[.word("on", "off")]], text: ["It holds over restarts, until `offline off`."],
            examples: [.init("nyanctl offline on", "no network at all"), .init("nyanctl offline off", "back again")]),
        "doctor": CommandPage(
            forms: [[]],
            text: [
                "It works without nyand, too. Exit status 1 says that there is something to mend, 3 that nyand does not run."
            ],
            examples: [.init("nyanctl doctor", "look at everything")]),
        "reload": CommandPage(
            forms: [[]], examples: [.init("nyanctl reload", "after a change of nyand.conf")]),
        "help": CommandPage(
            forms: [[.command.optional]], text: ["`nyanctl COMMAND --help` says the same."],
            examples: [.init("nyanctl help queue", "how `queue` is used")]),
    ]
}
