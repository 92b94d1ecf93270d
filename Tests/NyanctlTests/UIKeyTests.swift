import NyanCore
import NyanDBus
import NyanWire
import Testing

@testable import nyanctl

private nonisolated func word(_ number: Int) -> BusValue { .strings(["1_\(number)"]) }

@Suite("Keys of the ui")
struct UIKeyTests {
    @Test(
        "A key asks the daemon for what the help says",
        arguments: [
            (ScreenKey.text(" "), UICall(.player, "Toggle", patience: .network)),
            (.text("n"), UICall(.player, "Next")), (.text("p"), UICall(.player, "Previous")),
            (.text("S"), UICall(.player, "Stop")),
            (.left, UICall(.player, "SeekBy", .int64(-10_000_000))),
            (.right, UICall(.player, "SeekBy", .int64(10_000_000))),
            (.text("+"), UICall(.player, "ChangeVolume", .double(0.05))),
            (.text("="), UICall(.player, "ChangeVolume", .double(0.05))),
            (.text("-"), UICall(.player, "ChangeVolume", .double(-0.05))),
            (.text("s"), UICall(.player, "SetShuffle", .bool(true))),
            (.text("r"), UICall(.player, "SetRepeat", .string("queue"))),
            (.text("l"), UICall(.profile, "Like", patience: .many)),
            (.text("d"), UICall(.downloads, "Add", word(2), patience: .network)),
            (.text("a"), UICall(.profile, "Add", word(2), patience: .many)),
            (.text("i"), UICall(.queue, "Add", word(2), .bool(false), patience: .network)),
            (.text("I"), UICall(.queue, "Add", word(2), .bool(true), patience: .network)),
            (.text("y"), UICall(.library, "Sync", patience: .list)),
            (.function(5), UICall(.library, "Sync", patience: .list)),
            (.text("o"), UICall(.daemon, "SetOfflineMode", .bool(true))),
            (
                .enter,
                UICall(.player, "PlayTracks", .strings(["1_1", "1_2", "1_3"]), .uint32(1), patience: .network)
            ),
        ])
    func calls(key: ScreenKey, call: UICall) {
        var state = UIKit.state(UIKit.tracks(3))
        state.keys(.down)
        #expect(state.keys(key) == [.call(call)])
        #expect(state.notice == nil)
    }

    @Test("No key stands in the table twice, and each deed is helped with")
    func table() {
        let keys = UIKeys.table.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
        let deeds = UIKeys.table.map(\.deed)
        #expect(Set(deeds).count == deeds.count)
        #expect(UIKeys.table.first?.summary != nil)
        #expect(UIKeys.help(isShort: false).count == UIKeys.helpCount)
        #expect(UIHelp.last(Size(columns: 200, rows: 12)) == UIKeys.helpCount - 10)
        #expect(UIKeys.help(isShort: true).contains { $0.keys == "n p" })
    }

    @Test(
        "A Russian layout has the same keys",
        arguments: zip("йцукенгшщзфывапролдячсмитьЙУДСШКВ.,", "qwertyuiopasdfghjklzxcvbnmQELCIRD/?"))
    func cyrillic(typed: Character, latin: Character) {
        let deed = UIKeys.deed(of: .text(typed), onRussian: true)
        #expect(deed == UIKeys.deed(of: .text(latin)))
        if "nqjm/?".contains(latin) { #expect(deed != nil) }
    }

    @Test("What has no meaning does nothing", arguments: [ScreenKey.text("ж"), .text("7"), .function(9), .insert])
    func nothing(key: ScreenKey) {
        var state = UIKit.state(UIKit.tracks(3))
        #expect(state.keys(key) == [])
    }

    @Test("q and ^C leave, also while nothing is known of the daemon", arguments: [ScreenKey.text("q"), .control("c")])
    func leave(key: ScreenKey) {
        var state = UIState(size: Size(columns: 80, rows: 24))
        #expect(state.keys(key) == [.quit])
        var typing = UIKit.state(UIKit.tracks(3))
        typing.keys(.text("/"))
        #expect(typing.keys(key) == [])
    }

    @Test("What destroys is asked about first, and only a yes does it")
    func questions() {
        let delete = UICall(.library, "DeleteCopies", word(1))
        let remove = UICall(.profile, "Remove", word(1), patience: .many)
        var tracks = UIKit.tracks(2)
        tracks[0].copyPath = "/m/a.mp3"
        for (key, call) in [(ScreenKey.text("x"), remove), (.delete, remove), (.text("D"), delete)] {
            for no: ScreenKey in [
                .text("n"), .text("т"), .text("н"), .enter, .escape, .text("x"), .text("D"), .text(" "),
            ] {
                var state = UIKit.state(tracks)
                #expect(state.keys(key) == [])
                #expect(state.question != nil)
                #expect(state.keys(no) == [], "\(no)")
                #expect(state.question == nil && state.notice?.text == "nothing was done")
                #expect(state.keys(.text("y")).allSatisfy { $0 != .call(call) })
            }
            for yes: ScreenKey in [.text("y"), .text("Y"), .text("д")] {
                var state = UIKit.state(tracks)
                #expect(state.keys(key, yes) == [.call(call)])
            }
        }
        var state = UIKit.state(tracks)
        _ = state.handle(.status(UIKit.status(place: 1, of: 3)), at: 0)
        #expect(state.keys(.text("C")) == [])
        #expect(state.keys(.text("y")) == [.call(UICall(.queue, "Clear"))])
    }

    @Test("A click beside a question means no")
    func clickedAway() {
        var state = UIKit.state(UIKit.tracks(2))
        state.keys(.text("x"))
        #expect(state.mouse(.click, 3, 3) == [])
        #expect(state.question == nil)
    }

    @Test("What cannot be is said instead of done")
    func said() {
        var state = UIKit.state(UIKit.tracks(2))
        for key: ScreenKey in [
            .text("D"), .text("e"), .text("c"), .text("w"), .text("u"), .text("C"), .text("J"), .text("f"),
        ] {
            #expect(state.keys(key) == [], "\(key)")
            #expect(state.notice != nil, "\(key)")
        }
        var added = UIKit.tracks(1)
        added[0].isAdded = true
        state = UIKit.state(added)
        #expect(state.keys(.text("a")) == [])
        #expect(state.notice?.text == "already in the profile")
    }

    @Test("Alt and a letter is no letter and no command, wherever it is pressed")
    func alt() {
        var state = UIKit.state(UIKit.tracks(3))
        for letter in "Ddqxwy" { #expect(state.keys(.alt(letter)) == [] && state.question == nil) }
        state.keys(.text("/"))
        state.types("t1")
        for letter in "Ddqx" { #expect(state.keys(.alt(letter)) == []) }
        #expect(state.typing?.line.text == "t1" && state.list.filter == "t1")
    }

    @Test(". and , are / and ? on a Russian keyboard alone")
    func twins() {
        var state = UIKit.state(UIKit.tracks(3))
        state.keys(.text("."))
        state.keys(.text(","))
        #expect(state.typing == nil && state.helpTop == nil)
        state.keys(.text("о"), .text("."))
        #expect(state.typing != nil)
        state.keys(.escape, .text(","))
        #expect(state.helpTop == 0)
        state.keys(.escape, .text("k"), .text("."))
        #expect(state.typing == nil)
    }

    @Test("Where nothing is seen nothing is done, save leaving and painting")
    func unseen() {
        var state = UIKit.state(UIKit.tracks(3))
        state.keys(.text("x"))
        _ = state.handle(.screen(.resized(Size(columns: 19, rows: 4))), at: 0)
        #expect(state.question == nil)
        for row in UIKeys.table where row.deed != .leave && row.deed != .repaint {
            for key in row.keys { #expect(state.keys(key) == []) }
        }
        for deed: MouseDeed in [.click, .doubleClick, .menu] { #expect(state.mouse(deed, 0, 0) == []) }
        #expect(state.question == nil && state.helpTop == nil && state.typing == nil && state.menu == nil)
        #expect(state.tab == .profile && state.list.place == 0)
        #expect(state.keys(.control("l")) == [.repaint])
        #expect(state.keys(.text("q")) == [.quit])
    }

    @Test("Keys do nothing to a list without rows")
    func empty() {
        for tab in UITab.allCases {
            var state = UIKit.state([])
            _ = state.handle(.screen(.key(.text(Character("\(tab.rawValue + 1)")))), at: 0)
            for row in UIKeys.table {
                switch row.deed {
                case .play, .add, .remove, .download, .cancel, .hold, .deleteFile, .export, .enqueue, .enqueueNext,
                    .moveUp, .moveDown, .up, .down, .first, .last, .pageUp, .pageDown:
                    #expect(state.keys(row.keys[0]) == [])
                    state.typing = nil
                default: break
                }
            }
        }
    }
}

@Suite("A line that is typed")
struct LineInputTests {
    private func line(_ keys: [ScreenKey]) -> LineInput {
        var line = LineInput()
        for key in keys { _ = line.press(key) }
        return line
    }

    @Test("Letters go to the cursor, and the cursor goes where it is told")
    func typing() {
        let line = line([.text("к"), .text("т"), .left, .text("о"), .end, .text("🐈"), .home, .text("-")])
        #expect(line.text == "-кот🐈")
        #expect(line.head == "-" && line.tail == "кот🐈")
    }

    @Test("A letter, a word, the front and the rest are taken away by their keys")
    func erasing() {
        var line = LineInput("one two three")
        _ = line.press(.backspace)
        #expect(line.text == "one two thre")
        _ = line.press(.control("w"))
        #expect(line.text == "one two ")
        _ = line.press(.control("w"))
        #expect(line.text == "one ")
        _ = line.press(.home)
        _ = line.press(.delete)
        #expect(line.text == "ne ")
        _ = line.press(.right)
        _ = line.press(.control("k"))
        #expect(line.text == "n")
        _ = line.press(.control("u"))
        #expect(line.text == "")
        line = LineInput("one two three")
        _ = line.press(.alt("\u{7F}"))
        _ = line.press(.alt("b"))
        #expect(line.text == "one two " && line.head == "one ")
        _ = line.press(.home)
        _ = line.press(.alt("f"))
        #expect(line.head == "one")
        _ = line.press(.alt("d"))
        #expect(line.text == "one ")
        let isTaken = line.press(.alt("q"))
        #expect(!isTaken)
        line = LineInput()
        _ = line.press(.backspace)
        _ = line.press(.left)
        _ = line.press(.delete)
        #expect(line == LineInput())
    }

    @Test("Controls do not get in, and a line has an end")
    func limits() {
        #expect(line([.text("\u{1B}"), .text("a"), .text("\n")]).text == "a")
        #expect(LineInput(String(repeating: "x", count: 9999)).characters.count == 500)
        var line = LineInput()
        #expect(!line.press(.up) && !line.press(.enter) && !line.press(.function(3)))
    }
}
