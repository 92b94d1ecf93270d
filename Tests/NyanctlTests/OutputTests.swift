import NyanCore
import NyanWire
import Testing

@testable import nyanctl

/// Rows for tests.
func listed(
    _ artist: String, _ title: String, _ duration: Int = 214, path: String? = nil, reason: String? = nil
) -> ListedTrack {
    ListedTrack(
        track: Track(
            id: TrackID(owner: 1, audio: 2), artist: artist, title: title, duration: duration,
            isAvailable: reason == nil, unavailableReason: reason),
        copyPath: path)
}

@Suite("Listings")
struct TrackTableTests {
    private let tracks = [
        listed("Кино", "Группа крови", 285, path: "/m/a.mp3"), listed("坂本", "戦場", 0),
        listed("e\u{301}toile", "x", 3723, reason: "gone"), listed("", "", 60),
    ]

    @Test("Columns line up whatever the letters' widths are, and the current row is marked")
    func aligned() {
        #expect(
            TrackTable.lines(tracks, columns: nil, current: 2) == [
                " 1  Кино – Группа крови     4:45  ↓",
                ">2  坂本 – 戦場                -",
                " 3  e\u{301}toile – x           1:02:03  ✗ gone",
                " 4  Unknown – Unknown       1:00",
            ])
    }

    @Test("No row is wider than the terminal or ends in a blank", arguments: [12, 20, 24, 30, 33, 40, 80, 200])
    func cut(columns: Int) {
        let many = tracks + (0..<20).map { listed("Artist \($0)", String(repeating: "длинно ", count: $0)) }
        for line in TrackTable.lines(many, columns: columns) {
            #expect(DisplayText.columns(line) <= columns)
            #expect(line.last != " ")
        }
    }

    @Test("Names are cut before the time is")
    func cutName() {
        let lines = TrackTable.lines([listed("Somebody", "A rather long title")], columns: 30)
        #expect(lines == [" 1  Somebody – A rat…  3:34"])
    }

    @Test("An empty listing has no rows")
    func empty() { #expect(TrackTable.lines([], columns: 80).isEmpty) }

    @Test("A name stays on its line in a pipe")
    func oneLine() {
        #expect(LineText.joined("a\nb\r\nc") == "a b c")
        #expect(LineText.joined("plain") == "plain")
    }
}

@Suite("The format of status bars")
struct StatusFormatTests {
    private let report = StatusReport(
        state: .playing, track: listed("Кино", "Звезда"), position: 62, duration: 124, volume: 0.8, shuffle: true,
        repeatMode: .queue, queuePosition: 3, queueLength: 10, problem: .init(code: "network", message: "no line"))

    @Test(
        "Words in braces are replaced, doubled braces are plain ones",
        arguments: [
            ("{artist} - {title}", "Кино - Звезда"), ("{position}/{duration}", "1:02/2:04"), ("{percent}%", "50%"),
            ("{state}{volume}{shuffle}{repeat}", "playing80onqueue"), ("{queue}", "3/10"), ("{id}", "1_2"),
            ("{album}|{problem}", "|no line"), ("", ""), ("plain", "plain"), ("{{{title}}}", "{Звезда}"),
            (#"{{"text":"{title}"}}"#, #"{"text":"Звезда"}"#), ("a}b", "a}b"),
        ])
    func fills(format: String, text: String) throws { #expect(try StatusFormat(format).text(of: report) == text) }

    @Test(
        "A misspelt word and a missing brace are wrong usage",
        arguments: [
            "{titel}", "{title", "{}", "{{{", "{title|}", "{title|html}", "{?title}", "{/}", "{?titel}{/}",
            "{title|max:0}",
        ])
    func refuses(format: String) {
        let error = #expect(throws: Ending.self) { try StatusFormat(format) }
        guard case .usage(_, "status") = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("While nyand is away only the state has a value")
    func absent() throws {
        let format = try StatusFormat(StatusFormat.words.map { "{\($0)}" }.joined(separator: "|"))
        #expect(
            format.text(of: StatusReport(state: .absent)) == "absent"
                + String(repeating: "|", count: StatusFormat.words.count - 1))
    }

    @Test("Without a track there is nothing to say of one")
    func stopped() throws {
        let format = try StatusFormat("{state}|{title}|{position}|{duration}|{percent}|{queue}")
        #expect(format.text(of: StatusReport(state: .stopped)) == "stopped|||||")
    }
}

@Suite("The live player's line")
struct PlayerLineTests {
    private let report = StatusReport(
        state: .playing, track: listed("Кино", "Группа крови"), duration: 100, volume: 0.8, queuePosition: 1,
        queueLength: 1)

    @Test("The bar shows the part that was played")
    func wide() {
        #expect(
            PlayerLine(report, columns: 60).text(position: 50)
                == "▶ Кино – Группа крови  0:50 ━━━━━━─────── 1:40  80 %")
    }

    @Test("It fits any width, also with wide letters, notices and problems", arguments: 0...120)
    func fits(columns: Int) {
        var troubled = report
        troubled.state = .paused
        troubled.track = listed("坂本龍一", "戦場のメリークリスマス")
        troubled.shuffle = true
        troubled.repeatMode = .track
        troubled.output = .missing
        troubled.problem = .init(code: "network", message: "the network is not reachable")
        for notice in [nil, "this is the last track of the queue"] {
            for shown in [report, troubled, StatusReport(state: .stopped), StatusReport(state: .absent)] {
                let line = PlayerLine(shown, columns: columns, notice: notice).text(position: 33)
                #expect(DisplayText.columns(line) <= columns)
            }
        }
    }

    @Test("On a narrow terminal the name and the times are what stays")
    func narrow() {
        #expect(PlayerLine(report, columns: 24).text(position: 50) == "▶ Кино – Гру…  0:50/1:40")
    }

    @Test("A refused key is told instead of the volume")
    func notice() {
        let line = PlayerLine(report, columns: 80, notice: "no more").text(position: 50)
        #expect(line.hasSuffix("1:40  no more"))
    }

    @Test(
        "Bars stay within their width",
        arguments: [(-1.0, "────"), (0, "────"), (0.5, "━━──"), (1, "━━━━"), (7, "━━━━"), (.nan, "────")])
    func bar(part: Double, text: String) { #expect(ProgressBar.text(part, width: 4) == text) }
}
