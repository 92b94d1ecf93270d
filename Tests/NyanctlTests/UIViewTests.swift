import FoundationEssentials
import Glibc
import NyanCore
import NyanDBus
import NyanWire
import NyanWords
import Testing

@testable import nyanctl

/// What was seen once and found good. `NYAN_GOLDEN=write` writes it anew.
private func golden(_ name: String, _ text: String, at location: SourceLocation = #_sourceLocation) throws {
    let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let path = "/\(folder)/golden/ui/\(name).txt"
    if getenv("NYAN_GOLDEN").map({ String(cString: $0) }) == "write" {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    #expect(text == (try? String(contentsOfFile: path, encoding: .utf8)), sourceLocation: location)
}

@Suite("What the ui looks like")
struct UIViewTests {
    private nonisolated static let sizes = [(80, 24), (40, 10), (132, 30), (30, 6)]

    /// Titles that are hard to line up, downloads in all states, something that plays.
    private func busy(_ columns: Int, _ rows: Int) -> UIState {
        var tracks = [
            UIKit.track(1, "Кошкин Дом", "Мятный рассвет"), UIKit.track(2, "Ня", "Северный кот 🐈 и 👨‍👩‍👧"),
            UIKit.track(3, "彼女", "最高の友達です", seconds: 3905), UIKit.track(4, "e\u{301}tude", "й\u{301}о\u{308}"),
            UIKit.track(5, "a\u{1B}[2Jb", "\u{202E}RTL"), UIKit.track(6, "", ""),
            UIKit.track(7, "Радио «Туман»", "Эта песня недоступна"),
            UIKit.track(8, "Very", String(repeating: "long title ", count: 20), seconds: 0),
        ]
        tracks[1].copyPath = "/m/2.mp3"
        tracks[6].track.isAvailable = false
        tracks[6].track.unavailableReason = "VK restricts it"
        var state = UIKit.state(tracks + (9...40).map { UIKit.track($0) }, columns: columns, rows: rows)
        _ = state.handle(
            .downloads([
                UIKit.download(1, .running, 3_400_000, 7_600_000, speed: 1_200_000),
                UIKit.download(3, .failed, why: "the disk is full"), UIKit.download(4, .waiting),
                UIKit.download(9, .running, 512_000), UIKit.download(10, .paused, 1, 2),
                UIKit.download(11, .done, 5_000_000, 5_000_000),
            ]), at: 0)
        let playing = UIKit.status(.playing, playing: tracks[1], at: 61.4, place: 2, of: 40)
        _ = state.handle(.status(playing), at: 0)
        return state
    }

    @Test("Lists, marks, progress and player are as they were", arguments: sizes)
    func lists(columns: Int, rows: Int) throws {
        var state = busy(columns, rows)
        state.keys(.down, .down)
        try golden("profile-\(columns)x\(rows)", UIView().frame(state, at: 1).text)
        state.keys(.text("4"))
        try golden("downloads-\(columns)x\(rows)", UIView().frame(state, at: 1).text)
        state.keys(.text("5"))
        _ = state.handle(.listed(.queue, UIKit.tracks(2)), at: 0)
        try golden("queue-\(columns)x\(rows)", UIView().frame(state, at: 1).text)
    }

    @Test("Typing, questions, notices and help are as they were", arguments: sizes)
    func lines(columns: Int, rows: Int) throws {
        var text = ""
        var state = busy(columns, rows)
        state.keys(.text("/"))
        state.types("кот 🐈")
        text += UIView().frame(state, at: 1).text
        state.keys(.escape, .text("x"))
        text += "\n" + (UIView().frame(state, at: 1).text.split(separator: "\n").last ?? "")
        state.keys(.text("n"), .text("u"))
        text += "\n" + (UIView().frame(state, at: 1).text.split(separator: "\n").last ?? "") + "\n"
        try golden("typing-\(columns)x\(rows)", text)
        state.keys(.text("?"))
        try golden("help-\(columns)x\(rows)", UIView().frame(state, at: 1).text)
    }

    @Test("It speaks Russian, and has room for it", arguments: [(80, 24), (40, 10)])
    func russian(columns: Int, rows: Int) throws {
        try Words.$language.withValue(.russian) {
            var state = busy(columns, rows)
            var text = UIView().frame(state, at: 1).text
            state.keys(.text("/"))
            state.types("кот")
            text += UIView().frame(state, at: 1).text
            state.keys(.escape, .text("x"))
            text += "\n" + (UIView().frame(state, at: 1).text.split(separator: "\n").last ?? "") + "\n"
            state.keys(.text("n"), .text("3"))
            text += UIView().frame(state, at: 1).text
            state.keys(.text("?"))
            try golden("russian-\(columns)x\(rows)", text + UIView().frame(state, at: 1).text)
        }
    }

    @Test("What is unusual is said: no daemon, no account, offline, a sleep timer, a problem, nothing listed")
    func unusual() throws {
        var text = ""
        var state = UIState(size: Size(columns: 80, rows: 9))
        func show(_ what: String) { text += "# \(what)\n" + UIView().frame(state, at: 10).text }
        show("nothing is known yet")
        _ = state.handle(.absent, at: 0)
        show("no daemon")
        _ = state.handle(.status(StatusReport(state: .stopped)), at: 0)
        _ = state.handle(.listed(.profile, []), at: 0)
        show("not signed in")
        var report = UIKit.status(.paused, playing: UIKit.track(1), at: 3, place: 1, of: 1)
        report.isOfflineMode = true
        report.shuffle = true
        report.repeatMode = .queue
        report.sleepTimer = .remaining(100)
        report.output = .missing
        report.problem = .init(code: "x", message: "VK wants a captcha")
        _ = state.handle(.status(report), at: 0)
        show("much at once")
        state.keys(.text("3"))
        show("a search to begin")
        state.keys(.text("/"))
        state.types("кот")
        state.keys(.enter)
        show("a search under way")
        _ = state.handle(.found("кот", []), at: 0)
        show("nothing found")
        try golden("unusual", text)
    }

    @Test("The list of what can be done is as it was", arguments: sizes)
    func menu(columns: Int, rows: Int) throws {
        var state = busy(columns, rows)
        state.keys(.text("4"), .down, .text("m"), .down)
        try golden("menu-\(columns)x\(rows)", UIView().frame(state, at: 1).text)
        try Words.$language.withValue(.russian) {
            state.keys(.escape, .text("5"))
            _ = state.handle(.listed(.queue, UIKit.tracks(2)), at: 0)
            state.keys(.text("m"), .end)
            try golden("menu-russian-\(columns)x\(rows)", UIView().frame(state, at: 1).text)
        }
    }

    @Test("A question keeps what is done and to what, however long the title and narrow the window")
    func narrowQuestions() {
        for language: Language in [.english, .russian] {
            Words.$language.withValue(language) {
                for columns in 20...60 {
                    var tracks = [UIKit.track(1, "A", "MP3 " + String(repeating: "кот ", count: 30))]
                    tracks[0].copyPath = "/m/1.mp3"
                    var state = UIKit.state(tracks, columns: columns, rows: 10)
                    for (key, words) in [("x", ["Remove", "Убрать"]), ("D", ["Delete", "Удалить"])] {
                        state.keys(.text(Character(key)))
                        let line = UIView().frame(state, at: 0).rows.last?.map(\.text).joined() ?? ""
                        #expect(words.contains { line.contains($0) } && line.contains("?"), "\(line)")
                        #expect(line.hasSuffix(language == .russian ? "(д/н)" : "(y/n)"), "\(line)")
                        #expect(DisplayText.columns(line) <= columns)
                        state.keys(.escape)
                    }
                }
            }
        }
    }

    @Test("The help stays in its window, and says all of each key in a narrow one")
    func help() {
        var state = busy(80, 10)
        state.keys(.text("?"), .pageDown, .pageDown, .pageDown, .pageDown, .pageDown, .pageDown)
        _ = state.handle(.screen(.resized(Size(columns: 80, rows: 30))), at: 0)
        state.keys(.up)
        #expect(state.helpTop == UIHelp.last(state.size) - 1)
        let lines = UIHelp.wrapped("что можно сделать со строкой", to: 12)
        #expect(lines == ["что можно", "сделать со", "строкой"])
        #expect(UIHelp.wrapped("длинноеслово и", to: 5) == ["длинноеслово", "и"])
    }

    @Test("What is typed is measured as it is shown")
    func typedControls() {
        var state = busy(40, 10)
        state.keys(.text("/"))
        state.types(String(repeating: "\u{202E}", count: 30) + "кот")
        let frame = UIView().frame(state, at: 0)
        #expect(frame.rows.last?.map(\.text).joined().hasSuffix("кот") == true)
        #expect(frame.cursor?.column ?? 40 < 40)
    }

    @Test("The hidden cursor stands on the selected row, and a mark shows it where styles cannot")
    func focus() {
        var state = busy(80, 24)
        state.keys(.down, .down)
        #expect(UIView().frame(state, at: 0).focus == Place(row: 4, column: 0))
        let row = UIView().frame(state, at: 0).rows[4]
        #expect(SelectionMark.marked(row).first?.text.hasPrefix(" >") == true)
        #expect(SelectionMark.marked(UIView().frame(state, at: 0).rows[5]) == UIView().frame(state, at: 0).rows[5])
        state.keys(.text("m"), .down)
        #expect(UIView().frame(state, at: 0).focus == Place(row: 3, column: 0))
    }

    @Test("Styles: the open tab, the selected row, what plays, bars, alarms")
    func styles() throws {
        var state = busy(80, 12)
        state.keys(.down)
        try golden("styles-80x12", UIView().frame(state, at: 1).styles)
    }

    @Test("At every size the frame fits its window, with whatever is open over it")
    func everySize() {
        var states = [busy(80, 24), busy(80, 24), busy(80, 24), busy(80, 24), UIState(size: Size(columns: 1, rows: 1))]
        states[1].keys(.text("?"))
        states[2].keys(.text("/"))
        states[2].types(String(repeating: "кот 🐈 ", count: 20))
        states[3].keys(.text("4"), .text("x"))
        states.append(busy(80, 24))
        states[5].keys(.text("m"))
        for columns in [0, 1, 2, 5, 10, 19, 20, 21, 29, 39, 40, 41, 55, 59, 60, 61, 70, 80, 100, 200] {
            for rows in 0...26 {
                for index in states.indices {
                    _ = states[index].handle(.screen(.resized(Size(columns: columns, rows: rows))), at: 0)
                    let frame = UIView().frame(states[index], at: 5)
                    #expect(frame.rows.count == rows)
                    for row in frame.rows {
                        #expect(DisplayText.columns(row.map(\.text).joined()) <= columns, "\(columns)x\(rows)")
                    }
                    if let cursor = frame.cursor { #expect(cursor.row < rows && cursor.column < columns) }
                }
            }
        }
    }

    @Test("Of ten thousand rows only those are drawn that are seen, wherever the window stands")
    func cost() {
        var state = UIKit.state(UIKit.tracks(10_000))
        for key: ScreenKey in [.home, .end, .pageUp, .up, .text("/"), .text("t"), .text("5")] {
            state.keys(key)
            var drawn = 0
            let frame = UIView { drawn += 1 }.frame(state, at: 0)
            #expect(drawn > 0 && drawn <= 19)
            #expect(frame.rows.count == 24)
        }
        #expect(state.list.count > 1000 && state.list.count < 10_000)
    }

    @Test("Nothing in a title reaches the terminal as a control")
    func harmless() {
        var state = busy(132, 30)
        state.keys(.text("x"))
        let scalars = UIView().frame(state, at: 0).text.unicodeScalars
        #expect(!scalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E || $0.value == 0x7F })
    }
}
