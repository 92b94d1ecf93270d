@testable import NyanCore
import Testing

/// Which tracks are told, and when.
@Suite("Notices of tracks")
struct TrackNoticeTests {
    typealias Heard = TrackNoticeMachine.Heard

    /// What happens, and after how many milliseconds from the one before.
    enum Step: Sendable {
        case on(Bool)
        /// Entry, its cover.
        case heard(UInt64, String?)
        case silent, stopped
        case wait(Int)
    }

    struct Story: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var steps: [Step]
        /// `entry` or `entry+cover` of what is told, with the milliseconds since the start.
        var told: [String]
        init(_ name: String, _ steps: [Step], _ told: [String]) {
            testDescription = name
            self.steps = steps
            self.told = told
        }
    }

    static let stories = [
        Story("an entry is told after half a second", [.heard(1, nil), .wait(499), .wait(1)], ["1@500"]),
        Story("once", [.heard(1, nil), .wait(3000), .heard(1, nil), .wait(3000)], ["1@500"]),
        Story(
            "a burst tells of the last one",
            [.heard(1, nil), .wait(400), .heard(2, nil), .wait(400), .heard(3, nil), .wait(5000)], ["3@1300"]),
        Story(
            "a burst with silence between its entries as well",
            [.heard(1, nil), .wait(300), .silent, .heard(2, nil), .wait(300), .silent, .wait(5000)], []),
        Story(
            "pause and resume tell nothing new",
            [.heard(1, nil), .wait(600), .silent, .wait(60_000), .heard(1, nil), .wait(5000)], ["1@500"]),
        Story(
            "paused before it was told, it is told when it goes on",
            [.heard(1, nil), .wait(300), .silent, .wait(2000), .heard(1, nil), .wait(499), .wait(1)], ["1@2800"]),
        Story(
            "skipped while paused, the next is told when it plays",
            [.heard(1, nil), .wait(600), .silent, .wait(100), .heard(2, nil), .wait(600)], ["1@500", "2@1200"]),
        Story(
            "there and back again within a moment tells nothing",
            [.heard(1, nil), .wait(600), .heard(2, nil), .wait(100), .heard(1, nil), .wait(5000)], ["1@500"]),
        Story(
            "there and back again after it was told does",
            [.heard(1, nil), .wait(600), .heard(2, nil), .wait(600), .heard(1, nil), .wait(600)],
            ["1@500", "2@1100", "1@1700"]),
        Story(
            "stopped and begun anew it is told again",
            [.heard(1, nil), .wait(600), .stopped, .wait(100), .heard(1, nil), .wait(600)], ["1@500", "1@1200"]),
        Story("stopped before, it is not told", [.heard(1, nil), .wait(100), .stopped, .wait(5000)], []),
        Story(
            "a cover that comes before it is told comes with it",
            [.heard(1, nil), .wait(300), .heard(1, "c"), .wait(200), .wait(5000)], ["1+c@500"]),
        Story(
            "a cover that comes within two seconds is told in its place",
            [.heard(1, nil), .wait(500), .wait(1900), .heard(1, "c"), .wait(10), .heard(1, "c")], ["1@500", "1+c@2400"]),
        Story(
            "a cover that comes later is not", [.heard(1, nil), .wait(500), .wait(2001), .heard(1, "c"), .wait(10)],
            ["1@500"]),
        Story("a cover that goes is nothing", [.heard(1, "c"), .wait(500), .heard(1, nil), .wait(10)], ["1+c@500"]),
        Story(
            "turned on in mid-track, the next one is told",
            [
                .on(false), .heard(1, nil), .wait(5000), .on(true), .heard(1, nil), .wait(5000), .heard(2, nil),
                .wait(500),
            ],
            ["2@10500"]),
        Story(
            "turned on while nothing plays, the first play is told",
            [.on(false), .on(true), .silent, .heard(1, nil), .wait(500)], ["1@500"]),
        Story("turned off in time, nothing", [.heard(1, nil), .wait(100), .on(false), .wait(5000)], []),
    ]

    @Test("are given when, and only when, there is news", arguments: stories)
    func tells(_ story: Story) {
        var machine = TrackNoticeMachine()
        var now = 0
        var told: [String] = []
        func take(_ input: TrackNoticeMachine.Input) {
            guard let notice = machine.handle(input, at: .milliseconds(now)) else { return }
            told.append(notice.title + (notice.picture.map { "+\($0)" } ?? "") + "@\(now)")
        }
        take(.setOn(true))
        take(.stopped)
        for step in story.steps {
            switch step {
            case .on(let on): take(.setOn(on))
            case .heard(let entry, let cover):
                take(.heard(Heard(entry: EntryID(entry), title: "\(entry)", artist: "A", picture: cover)))
            case .silent: take(.silent)
            case .stopped: take(.stopped)
            case .wait(let time):
                // As the service's timer does: at the very moment, or not at all.
                let end = now + time
                if let moment = machine.nextMoment, moment <= .milliseconds(end) {
                    now = Int(moment / .milliseconds(1))
                    take(.moment)
                }
                now = end
            }
        }
        #expect(told == story.told)
    }

    @Test(
        "name what is known, and are never empty where anything is",
        arguments: [
            ("T", "A", "B", "T|A · B"), ("T", "A", nil, "T|A"), ("T", "", nil, "T|"), ("", "A", "B", "A|B"),
            ("", "", "B", "B|"),
        ] as [(String, String, String?, String)])
    func words(_ title: String, _ artist: String, _ album: String?, _ wanted: String) {
        var machine = TrackNoticeMachine()
        _ = machine.handle(.setOn(true), at: .zero)
        _ = machine.handle(.silent, at: .zero)
        _ = machine.handle(.heard(Heard(entry: EntryID(1), title: title, artist: artist, album: album)), at: .zero)
        let notice = machine.handle(.moment, at: .seconds(1))
        #expect(notice.map { "\($0.title)|\($0.body)" } == wanted && notice?.kind == .track)
    }
}

/// Foreign words in a notice.
@Suite("The text of a notice")
struct NoticeTextTests {
    @Test(
        "is one line, without controls and without what turns the order around",
        arguments: [
            ("Песня", "Песня"), ("a\nb\r\n\tc", "a b c"), ("\u{202E}gpj.exe\u{202C}", "gpj.exe"),
            ("\u{2066}x\u{2069}\u{0}\u{1B}[31m", "x[31m"), ("👩‍👩‍👧 שלום\u{200F}!", "👩‍👩‍👧 שלום\u{200F}!"),
            (" \u{2028} ", ""), ("<b>&amp;", "<b>&amp;"), ("a\u{FFFE}b\u{1FFFF}", "ab"),
        ])
    func harmless(_ text: String, _ wanted: String) {
        #expect(NoticeText.line(text) == wanted)
    }

    @Test("is cut where it is endless")
    func endless() {
        let line = NoticeText.line(String(repeating: "ё", count: 100_000))
        #expect(line.count == 250 && line.hasSuffix("ё…"))
    }
}
