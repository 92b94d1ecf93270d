/// What plays.
extension CommandPages {
    static let playing: [String: CommandPage] = [
        "play": CommandPage(
            subject: .playing, forms: [[.sounds.optional]],
            text: [
                "Alone it goes on where it was, or starts the queue, or queues the profile (offline: My Music).",
                "One row number queues the whole listing that was printed last and starts there. Several words queue what each of them selects.",
            ],
            examples: [
                .init("nyanctl play", "go on"),
                .init("nyanctl play 3", "the listing printed last, from its row 3"),
                .init("nyanctl play 'кошкин дом'", "what matches in the library"),
                .init("nyanctl play ~/song.flac https://example.org/radio.mp3", "a file, then an address"),
            ]),
        "pause": CommandPage(subject: .playing, forms: [[]], examples: [.init("nyanctl pause", "hold the sound here")]),
        "toggle": CommandPage(
            subject: .playing, forms: [[]], examples: [.init("nyanctl toggle", "for a key of the keyboard")]),
        "stop": CommandPage(subject: .playing, forms: [[]], examples: [.init("nyanctl stop", "end the sound")]),
        "next": CommandPage(subject: .playing, forms: [[]], examples: [.init("nyanctl next", "skip this track")]),
        "prev": CommandPage(
            subject: .playing, forms: [[]], text: ["With shuffle on it goes back the way it came."],
            examples: [.init("nyanctl prev", "back to the start, or to the track before")]),
        "seek": CommandPage(
            subject: .playing, forms: [[.time("[+|-]TIME")]],
            text: ["TIME is seconds, minutes and seconds (1:30), hours too (1:02:03), or a part of the track (50%)."],
            examples: [
                .init("nyanctl seek 1:30", "to that place"), .init("nyanctl seek -10", "ten seconds back"),
                .init("nyanctl seek 50%", "to the middle"),
            ]),
        "volume": CommandPage(
            subject: .playing, forms: [[.number("[+|-]N").optional]],
            examples: [
                .init("nyanctl volume", "say how loud it is"), .init("nyanctl volume 40", "set it"),
                .init("nyanctl volume -5", "a little softer"),
            ]),
        "shuffle": CommandPage(
            subject: .playing, forms: [[.word("on", "off").optional]],
            text: ["No track comes twice before all have played."],
            examples: [.init("nyanctl shuffle on", "play in a shuffled order")]),
        "repeat": CommandPage(
            subject: .playing, forms: [[.word("off", "track", "queue").optional]],
            examples: [.init("nyanctl repeat queue", "begin again at the end")]),
        "sleep": CommandPage(
            subject: .playing, forms: [[.time("TIME", "track", "off").optional]],
            text: [
                "A plain number is minutes. The sound fades out first. The timer goes on while paused and ends with `stop`."
            ],
            examples: [
                .init("nyanctl sleep 30", "pause in half an hour"),
                .init("nyanctl sleep 1h30min", "in an hour and a half"),
                .init("nyanctl sleep track", "where this track ends"), .init("nyanctl sleep", "say what is set"),
            ]),
        "status": CommandPage(
            subject: .playing, forms: [[]],
            text: [
                "With --follow a line is printed at once and then one per change; it waits for nyand when nyand goes away, and ends with whoever reads it.",
                "Words of --format, in braces: state, artist, title, album, id, position, duration, left, percent, buffered, volume, shuffle, repeat, queue, sleep, output, problem, cover. Ready-made forms: @waybar, @i3blocks, @polybar, @tmux.",
                "{title|max:30|pango} cuts and then escapes; json, tmux and polybar escape for these. {artist|or:nobody} says what stands where there is no artist, {left|seconds} makes seconds of a time, {?title}…{/} shows what is between only where there is a title, {!title}…{/} only where there is none.",
            ],
            examples: [
                .init("nyanctl status", "what plays now"),
                .init("nyanctl status --follow --format '{artist} – {title}'", "for a status bar"),
                .init("nyanctl status --json", "for a script"),
            ]),
        "player": CommandPage(
            subject: .playing, forms: [[]],
            text: [
                "Space pauses, the left and right arrows seek, up and down or + and - change the volume, n and p the track, s and r the order; 0 to 9 go to a tenth of the track. l adds what is shown to the profile, d downloads it, q ends the player and lets the music play."
            ],
            examples: [.init("nyanctl player", "watch and steer in one line")]),
        "ui": CommandPage(
            subject: .playing, forms: [[]], text: ["`?` shows its keys, q leaves it and lets the music play."],
            examples: [.init("nyanctl ui", "lists, queue and player on one screen")]),
        "queue": CommandPage(
            subject: .playing,
            forms: [
                [], [.word("add"), .sounds], [.word("remove"), .position("POS", isMany: true)],
                [.word("move"), .position("FROM"), .position("TO")], [.word("clear")],
            ],
            examples: [
                .init("nyanctl queue", "show it"), .init("nyanctl queue add --next 5", "hear row 5 after this track"),
                .init("nyanctl queue move 4 1", "what is fourth comes first"),
                .init("nyanctl queue remove 2 3", "drop two positions"),
            ]),
        "history": CommandPage(
            subject: .playing, forms: [[]],
            text: [
                "A play counts from 30 seconds or half a track on; the newest 10,000 are kept. Its rows are row numbers."
            ],
            examples: [.init("nyanctl history -n 5", "the last five tracks that were heard")]),
        "lyrics": CommandPage(
            subject: .playing, forms: [[.found.optional]],
            text: [
                "With --follow a terminal shows the words around the line that is sung; anywhere else each line is printed when it is sung."
            ],
            examples: [
                .init("nyanctl lyrics", "the words of what plays"),
                .init("nyanctl lyrics --follow", "line by line, as they are sung"),
            ]),
    ]
}
