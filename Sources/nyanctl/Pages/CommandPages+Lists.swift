/// Lists of music.
extension CommandPages {
    static let lists: [String: CommandPage] = [
        "profile": CommandPage(
            subject: .finding, forms: [[.text("FILTER").optional]],
            text: [
                "In VK's order, newest first, as it was read last. Rows of the listing can be used as TRACK in the next commands.",
                "FILTER finds every track that has a word beginning with each of yours, in artist, title or album, in any order.",
            ],
            examples: [
                .init("nyanctl profile", "all that you have saved"),
                .init("nyanctl profile кош дом", "what has both words"),
                .init("nyanctl profile --owner durov", "somebody else's"),
            ]),
        "music": CommandPage(
            subject: .finding, forms: [[.text("FILTER").optional]],
            text: ["What is here plays without a network."],
            examples: [.init("nyanctl music", "all files, newest first"), .init("nyanctl music ария", "some of them")]),
        "search": CommandPage(
            subject: .finding, forms: [[.text("TEXT")]],
            text: ["Up to 1000 tracks, in VK's order. What is found can be played, added and downloaded by its row."],
            examples: [
                .init("nyanctl search кино группа крови", "find tracks"),
                .init("nyanctl search --artist -n 100 кино", "a hundred of one artist"),
            ]),
        "recommendations": CommandPage(
            subject: .finding, forms: [[.found.optional]],
            examples: [
                .init("nyanctl recommendations", "for you"), .init("nyanctl recommendations 3", "like row 3"),
            ]),
        "friends": CommandPage(
            subject: .finding, forms: [[]],
            examples: [.init("nyanctl friends", "whose lists `profile --owner` can show")]),
        "groups": CommandPage(
            subject: .finding, forms: [[]],
            examples: [.init("nyanctl groups", "their ids are negative, which is no option")]),
        "playlists": CommandPage(
            subject: .finding, forms: [[]],
            text: ["Its rows are numbers of their own, for `playlist`, `keep` and `download --playlist`."],
            examples: [.init("nyanctl playlists", "then `nyanctl playlist 2` lists the second")]),
        "sync": CommandPage(
            subject: .finding, forms: [[]],
            text: [
                "It also happens by itself (vk.sync-interval). A track leaves the list only when it was missing twice."
            ],
            examples: [.init("nyanctl sync", "see at once what was changed at VK")]),
    ]

    /// The VK profile and playlists.
    static let saving: [String: CommandPage] = [
        "add": CommandPage(
            subject: .saving, forms: [[.tracks]],
            examples: [.init("nyanctl add 3 4", "rows 3 and 4 of what `search` found")]),
        "like": CommandPage(subject: .saving, forms: [[]], examples: [.init("nyanctl like", "save what plays")]),
        "remove": CommandPage(
            subject: .saving, forms: [[.tracks]],
            text: ["Takes ids and row numbers only, and says the id with which `restore` brings a track back."],
            examples: [.init("nyanctl remove 3", "row 3 of the listing printed last")]),
        "restore": CommandPage(
            subject: .saving, forms: [[.track]],
            examples: [.init("nyanctl restore 123456_456239321", "the id that `remove` has said")]),
        "playlist": CommandPage(
            subject: .saving,
            forms: [
                [.playlist("ID"), .text("FILTER").optional], [.word("create"), .text("TITLE")],
                [.word("rename"), .playlist("ID"), .text("TITLE")], [.word("delete"), .playlist("ID")],
                [.word("add"), .playlist("ID"), .tracks], [.word("remove"), .playlist("ID"), .tracks],
            ],
            text: [
                "ID is OWNER_ID, an address at VK, or a row of `playlists`. Deleting somebody else's only ends that you follow it."
            ],
            examples: [
                .init("nyanctl playlist 2", "the tracks of row 2 of `playlists`"),
                .init("nyanctl playlist https://vk.com/music/playlist/-147845620_2390", "anybody's, by its address"),
                .init("nyanctl playlist create В дорогу", "make one; its id is printed"),
                .init("nyanctl playlist add 1 5 6", "rows 5 and 6 into the first playlist"),
            ]),
    ]
}
