import NyanCore
import NyanWire
import Testing

@testable import nyanctl

@Suite("Lines that wait for a reader")
struct BacklogTests {
    private let start = ContinuousClock.now

    @Test("A busy reader gets all of them in their order, one that sleeps the newest")
    func order() {
        var backlog = Backlog()
        for number in 1...3 { backlog.add("\(number)", at: start + .milliseconds(number)) }
        #expect(backlog.next(at: start + .milliseconds(900)) == "1")
        #expect(backlog.next(at: start + .milliseconds(900)) == "2")
        backlog.add("4", at: start + .milliseconds(950))
        #expect(backlog.next(at: start + .milliseconds(1100)) == "4")
        #expect(backlog.isEmpty && backlog.next(at: start + .seconds(5)) == nil)
        backlog.add("5", at: start + .seconds(5))
        #expect(backlog.next(at: start + .seconds(500)) == "5")
    }

    @Test("It never holds more than it may, in lines nor in bytes")
    func bounds() {
        var backlog = Backlog()
        for number in 1...10_000 {
            backlog.add("\(number)", at: start)
            #expect(backlog.count <= Backlog.lines)
        }
        backlog = Backlog()
        for _ in 1...10 {
            backlog.add(String(repeating: "x", count: 100_000), at: start)
            #expect(backlog.count <= 2)
        }
    }
}

@Suite("When the live player wakes up")
struct PlayerPauseTests {
    private func line(
        _ state: StatusReport.State = .playing, duration: Double? = 100, columns: Int = 80
    ) -> PlayerLine {
        PlayerLine(StatusReport(state: state, track: listed("A", "T"), duration: duration), columns: columns)
    }

    @Test(
        "At the next second, or at the next column of a fast bar; never while nothing moves",
        arguments: [
            (StatusReport.State.playing, 100.0, 50.25, 0.75), (.playing, 100, 0, 1), (.playing, nil, 3.5, 0.5),
            (.paused, 100, 50.25, nil), (.buffering, 100, 50.25, nil), (.stopped, nil, 0, nil),
            (.playing, 100, 100, nil),
            (.playing, 100, 130, nil), (.playing, 0, 0.5, 0.5), (.absent, nil, 0, nil), (.playing, 100, .nan, nil),
        ] as [(StatusReport.State, Double?, Double, Double?)])
    func pauses(state: StatusReport.State, duration: Double?, position: Double, pause: Double?) {
        #expect(line(state, duration: duration).pause(at: position) == pause)
    }

    @Test(
        "Between two wake-ups the line stays as it is, and at each it is another one", arguments: [6.0, 25, 214, 7200])
    func truth(duration: Double) {
        let line = line(duration: duration)
        var position = 0.0
        var wakeups = 0
        while let pause = line.pause(at: position), position < min(duration, 60) {
            let text = line.text(position: position)
            #expect(line.text(position: position + pause * 0.99) == text, "\(position)")
            position += pause + 1e-9
            wakeups += 1
            #expect(line.text(position: position) != text || pause < 0.011, "\(position)")
        }
        // One a second, and the bar's columns.
        #expect(wakeups <= Int(min(duration, 60)) + 31)
    }

    @Test("Nobody wakes up for a track that nobody sees")
    func nothing() { #expect(PlayerLine(StatusReport(state: .playing), columns: 80).pause(at: 1) == nil) }

    @Test(
        "What is not there yet is dotted",
        arguments: [
            (0.25, 0.5, "━━──┄┄┄┄"), (0.25, 1, "━━──────"), (0.5, 0.25, "━━━━┄┄┄┄"), (0, 0, "┄┄┄┄┄┄┄┄"),
            (0, 0.01, "─┄┄┄┄┄┄┄"), (0.5, nil, "━━━━────"), (0.5, .nan, "━━━━┄┄┄┄"),
        ] as [(Double, Double?, String)])
    func buffered(part: Double, buffered: Double?, text: String) {
        #expect(ProgressBar.text(part, buffered: buffered, width: 8) == text)
    }
}

@Suite("Which words are shown")
struct SungWindowTests {
    @Test(
        "The line that is sung stands in the middle, at the ends as near to it as can be",
        arguments: [
            (30, nil, 5, 0..<5), (30, 0, 5, 0..<5), (30, 10, 5, 8..<13), (30, 29, 5, 25..<30), (3, 1, 5, 0..<3),
            (0, nil, 5, 0..<0), (30, 10, 0, 10..<10), (30, 10, -1, 10..<10), (30, 10, 1, 10..<11),
        ] as [(Int, Int?, Int, Range<Int>)])
    func window(count: Int, line: Int?, height: Int, range: Range<Int>) {
        #expect(SungScreen.window(of: count, around: line, height: height) == range)
    }
}

@Suite("The language of formats")
struct FormatLanguageTests {
    private let report = StatusReport(
        state: .playing, track: listed("", "Звезда"), position: 62.9, duration: 124.2, buffered: 0.5, output: .missing)

    @Test(
        "Durations as times and as seconds, values for what has none",
        arguments: [
            ("{position}/{duration} -{left}", "1:02/2:04 -1:02"), ("{position|seconds} {left|seconds}", "62 62"),
            ("{artist|or:Unknown}", "Unknown"), ("{title|or:Unknown}", "Звезда"), ("{artist|or:}", ""),
            ("{artist|or:A & B|pango}", "A &amp; B"), ("{artist|or:a long one|max:6}", "a lon…"),
            ("{title|seconds}", "Звезда"), ("{buffered}% {output}", "50% missing"), ("{artist|or:x: y}", "x: y"),
        ])
    func fills(format: String, text: String) throws { #expect(try StatusFormat(format).text(of: report) == text) }

    @Test(
        "What is wrong is named, and what was probably meant",
        arguments: [
            ("{titel}", "the format has no word {titel}: did you mean {title}?"),
            ("{?artits}{/}", "the format has no word {artits}: did you mean {artist}?"),
            ("{title|pnago}", "the format has no filter “pnago”: did you mean |pango?"),
            ("{title|max:0}", "the format has no filter “max:0”: did you mean |max:COLUMNS?"),
            ("a {title and more", "the format has a { without a } at “title and more”; a plain { is written {{"),
            ("{?title}x", "the format has a {?title} without a {/}"),
            ("x{/}", "the format has a {/} that ends nothing"),
        ])
    func refuses(format: String, sentence: String) {
        let error = #expect(throws: Ending.self) { try StatusFormat(format) }
        guard case .usage(sentence, "status") = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("What is like nothing is answered with all there is", arguments: ["{qqqqqq}", "{title|qqqqqq}", "@qqqqqq"])
    func lists(format: String) {
        guard case .usage(let sentence, _) = #expect(throws: Ending.self, performing: { try StatusFormat(format) })
        else {
            return
        }
        #expect(sentence.contains("; there are: "), "\(sentence)")
    }

    private static let pieces = [
        "\"", "\\", "&", "<b>", "</b>", "%{A1:x:}", "#[fg=red]", "#{pid}", "#(ls)", "{title}", "}}", "\n", "\r\n", "\t",
        "\u{1b}]0;x\u{7}", "\u{85}", "\u{2028}", "\u{202e}", "\u{0}", "\u{fffe}", "e\u{301}", "\u{d4e}", "👩‍👩‍👧", "坂",
        "\u{300}",
    ]

    @Test("Titles of all kinds of signs break no bar", arguments: 0..<200)
    func fuzz(seed: Int) throws {
        var state = UInt64(seed) &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        func roll(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let title = (0..<roll(12)).map { _ in Self.pieces[roll(Self.pieces.count)] }.joined()
        let report = StatusReport(state: .playing, track: listed("A", title), position: 1, duration: 2)
        func made(_ format: String) throws -> [Unicode.Scalar] {
            Array(try StatusFormat(format).text(of: report).unicodeScalars)
        }
        // One line, whatever is in it.
        #expect(try !made("{title}").contains { $0 == "\n" || $0 == "\r" })
        let markup = try made("{title|pango}")
        #expect(!markup.contains { $0 == "<" || $0 == ">" || $0.value < 0x20 })
        let json = try made("{title|json}")
        #expect(!json.contains { $0.value < 0x20 })
        // No quote that is not escaped, and no escape without what it escapes.
        var isEscaped = false
        for scalar in json {
            if isEscaped {
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                #expect(scalar != "\"")
            }
        }
        #expect(!isEscaped)
        let polybar = try made("{title|polybar}")
        #expect(!zip(polybar, polybar.dropFirst()).contains { $0 == "%" && $1 == "{" })
        let tmux = try made("{title|tmux}")
        #expect(tmux.split { $0 != "#" }.allSatisfy { $0.count.isMultiple(of: 2) })
        #expect(DisplayText.columns(try StatusFormat("{title|max:7}").text(of: report)) <= 7)
    }
}
