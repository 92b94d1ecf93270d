import Glibc
import NyanCore
import NyanWire
import NyanWords
import Testing

@testable import nyanctl

/// Every table of nyanctl at the widths of real terminals and as a pipe gets it.
@Suite("Tables, to the byte")
struct TableTests {
    nonisolated static let widths: [Int?] = [20, 40, 80, 200, nil]

    private func name(_ table: String, _ columns: Int?) -> String { "\(table)-\(columns.map(String.init) ?? "pipe")" }

    private func track(
        _ number: Int64, _ artist: String, _ title: String, _ seconds: Int = 214, path: String? = nil,
        reason: String? = nil, explicit: Bool = false
    ) -> ListedTrack {
        ListedTrack(
            track: Track(
                id: TrackID(owner: 1, audio: number), artist: artist, title: title, duration: seconds,
                isAvailable: reason == nil, unavailableReason: reason, isExplicit: explicit), copyPath: path)
    }

    private var tracks: [ListedTrack] {
        [
            track(1, "Кино", "Группа крови", 285, path: "/m/a.mp3"), track(2, "坂本龍一", "戦場のメリークリスマス", 0),
            track(3, "e\u{301}toile", "й и\u{306} ё", 3723, reason: "the rights holder has withdrawn it"),
            track(4, "", "", 60), track(5, "Кот 🐈", "👩‍👩‍👧‍👦 👍🏽 🏳️‍🌈 ❤️ 1️⃣ 🇷🇺", 4, explicit: true),
            track(6, "فرقة", "שלום עולם", 199, path: "/m/b.m4a"), track(7, "नमस्ते", "ไทย กำ", 100_000),
            track(8, "Long", String(repeating: "Очень длинное название ", count: 8), path: "/m/c.mp3", explicit: true),
            track(9, "한국어", "ㅎㅏㄴ \u{1112}\u{1161}\u{11AB}", 77), track(10, "Zero\u{200B}width", "soft\u{AD}hyphen", 9),
            track(11, "Somebody", "on its way", 120), track(12, "Somebody", "failed", 120),
            track(13, "Some", "waits", 1),
        ]
    }

    private var marks: TrackMarks {
        var marks = TrackMarks(current: TrackID(owner: 1, audio: 6))
        for (number, state) in [(11, .running), (12, .failed), (13, .waiting)] as [(Int64, Download.State)] {
            let id = TrackID(owner: 1, audio: number)
            marks.downloads[id] = DownloadReport(
                id: id, artist: "", title: "", state: state, received: 45, total: 100)
        }
        return marks
    }

    private func fits(_ lines: [String], _ columns: Int?) {
        for line in lines {
            #expect(line.last != " ")
            if let columns { #expect(DisplayText.columns(line) <= columns) }
        }
    }

    @Test("A profile, with what is played, fetched and cannot be had", arguments: widths)
    func profile(columns: Int?) throws {
        let lines = TrackTable.lines(tracks, columns: columns, marks: columns == nil ? TrackMarks() : marks)
        fits(lines, columns)
        try GoldenTable.check(name("profile", columns), lines)
    }

    @Test("My Music, with size, bitrate and form of the files", arguments: widths)
    func music(columns: Int?) throws {
        let files: [(String, Int64)] = [
            ("/m/a.mp3", 11_530_000), ("/m/b.m4a", 3_100_000), ("/m.x/noending", 999), ("/m/c.mp3", 0),
        ]
        let copies = tracks.enumerated().map { place, listed in
            let file = files[place % 4]
            return place == 1 ? CopyText() : CopyText(file.0, bytes: file.1, seconds: listed.track.duration)
        }
        let lines = TrackTable.lines(tracks, columns: columns, copies: copies)
        fits(lines, columns)
        try GoldenTable.check(name("music", columns), lines)
    }

    @Test("The history, with days a person knows, and the queue, with what is played", arguments: widths)
    func history(columns: Int?) throws {
        setenv("TZ", "UTC", 1)
        tzset()
        let now: Int64 = 1_764_547_200
        let moments = tracks.indices.map { now - Int64($0) * 20_000 }
        let notes = columns == nil ? moments.map(PlayTimeText.local) : PlayTimeText.near(moments, now: now)
        let lines = TrackTable.lines(tracks, columns: columns, notes: notes)
        fits(lines, columns)
        try GoldenTable.check(name("history", columns), lines)
        try GoldenTable.check(name("queue", columns), TrackTable.lines(tracks, columns: columns, current: 3))
    }

    @Test("Playlists", arguments: widths)
    func playlists(columns: Int?) throws {
        let lists = tracks.enumerated().map { place, listed in
            ListedPlaylist(
                playlist: Playlist(
                    id: PlaylistID(owner: place == 2 ? -2_000_550_144 : 1, number: listed.track.id.audio),
                    title: listed.track.title, count: place * place * 7, isFollowed: place == 2), isKept: place % 3 == 2
            )
        }
        let lines = PlaylistTable.lines(lists, columns: columns)
        fits(lines, columns)
        try GoldenTable.check(name("playlists", columns), lines)
    }

    @Test("People", arguments: widths)
    func people(columns: Int?) throws {
        let people = tracks.enumerated().map { place, listed in
            Person(
                id: (place == 2 ? -2_000_550_144 : 1) * listed.track.id.audio, name: listed.track.title,
                screenName: place % 2 == 0 ? "name_\(place)" : nil, canListen: place % 4 != 3,
                obstacle: "the list is closed")
        }
        let lines = PeopleTable.lines(people, columns: columns)
        fits(lines, columns)
        try GoldenTable.check(name("people", columns), lines)
    }

    @Test("Downloads", arguments: widths)
    func downloads(columns: Int?) throws {
        let states: [Download.State] = [.running, .waiting, .paused, .failed, .done]
        let rows = tracks.enumerated().map { place, listed in
            DownloadReport(
                id: listed.track.id, artist: listed.track.artist, title: listed.track.title, state: states[place % 5],
                received: Int64(place) * 1_234_567, total: place % 3 == 0 ? nil : 12_345_678,
                problem: place % 5 == 3 ? .init(code: "disk-full", message: "the disk is full: make room in it") : nil,
                speed: place % 5 == 0 ? 1_250_000 : nil)
        }
        let lines = DownloadTable.lines(rows, columns: columns)
        if let columns { for line in lines { #expect(DisplayText.columns(line) <= columns) } }
        try GoldenTable.check(name("downloads", columns), lines)
    }
}

@Suite("What is told of a file")
struct CopyTextTests {
    @Test(
        "An average near above a usual rate is that rate; what says nothing is not said",
        arguments: [
            (8_000_000, 200, 320), (8_200_000, 200, 320), (8_400_000, 200, 336), (7_000_000, 200, 280),
            (3_200_000, 200, 128),
            (16_000, 1, 128), (0, 10, nil), (1000, 0, nil), (1, 100, nil), (9_000_000_000, 1, nil),
        ] as [(Int64, Int, Int?)])
    func rate(bytes: Int64, seconds: Int, rate: Int?) { #expect(CopyText.rate(bytes: bytes, seconds: seconds) == rate) }

    @Test("The form is the name's ending, of a file that is there")
    func form() {
        #expect(CopyText("/a.b/c.MP3", bytes: 5, seconds: 0).form == "mp3")
        for path in ["/a.b/c", "/a/c.", "/a/c.длин", "/a/c.toolong", "/a/c.m p"] {
            #expect(CopyText(path, bytes: 5, seconds: 0).form == "")
        }
        #expect(CopyText(listed("A", "T", path: "/nowhere/at/all.mp3")) == CopyText())
        #expect(CopyText(listed("A", "T", path: "/etc")) == CopyText())
        #expect(CopyText(listed("A", "T", path: "/etc/passwd")).size.hasSuffix("B"))
    }
}

@Suite("Rows as they are typed")
struct RowWordTests {
    @Test(
        "Numbers, ranges and lists are rows; everything else is none",
        arguments: [
            ("3", [3...3]), ("3-7", [3...7]), ("3,5,8-10", [3...3, 5...5, 8...10]), ("3,", [3...3]), ("007", [7...7]),
            ("0", [0...0]), ("9999999", [9_999_999...9_999_999]), ("", nil), (",", nil), ("3,,5", nil), ("-3", nil),
            ("3-", nil), ("3--5", nil), ("3-5-7", nil), (" 3", nil), ("3 ", nil), ("+3", nil), ("3.5", nil),
            ("1_2", nil),
            ("12345678", [12_345_678...12_345_678]), ("3-99999999999999999999", [3...Int.max]), ("٣", nil),
            ("3–5", nil), ("a", nil), ("3,a", nil),
        ] as [(String, [ClosedRange<Int>]?)])
    func shapes(word: String, parts: [ClosedRange<Int>]?) {
        #expect(RowWord(word)?.parts.map { $0.first...$0.last } == parts)
    }

    @Test("One number alone is a single row; a range and a list are a choice, also of one")
    func single() {
        #expect(RowWord("3")?.single == 3 && RowWord("007")?.single == 7)
        for word in ["4-4", "4,", "3-4", "3,3"] { #expect(RowWord(word) != nil && RowWord(word)?.single == nil) }
    }
}

@Suite("Which pager")
struct PagerChoiceTests {
    @Test(
        "The person's own goes before the system's; empty and cat are none; less only where it is",
        arguments: [
            (["NYANCTL_PAGER": "more", "PAGER": "less -S"], "more"), (["PAGER": "less -S"], "less -S"),
            (["NYANCTL_PAGER": "", "PAGER": "less"], nil), (["PAGER": " "], nil), (["PAGER": "cat"], nil),
            (["PATH": "/nowhere"], nil), (["PATH": "/nowhere", "PAGER": "x"], "x"),
        ] as [([String: String], String?)])
    func choice(variables: [String: String], command: String?) { #expect(Pager.command { variables[$0] } == command) }

    @Test(
        "A program with plain words is the shell's last deed; the rest is the shell's",
        arguments: [
            ("less", true), ("/usr/bin/less -R  +G", true), ("/nowhere/less", false), ("no-such-pager", false),
            ("exit 3", false), ("less; x", false), ("LESS=x less", false), ("less >x", false), ("le'ss'", false),
            ("less $X", false), ("~/less", false),
        ])
    func line(command: String, isAlone: Bool) {
        let line = Pager.line(command.replacing("less", with: "head")) { _ in nil }
        #expect(line == (isAlone ? "exec " : "") + command.replacing("less", with: "head"))
    }

    @Test("Lines that a terminal wraps take more than one row")
    func height() {
        #expect(Pager.height(of: ["", "1234567890", "12345678901", "坂本龍一坂本"], columns: 10) == 1 + 1 + 2 + 2)
    }
}
