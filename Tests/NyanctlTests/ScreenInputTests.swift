import Testing

@testable import nyanctl

@Suite struct ScreenInputTests {
    private let start = ContinuousClock.now

    private func events(_ text: String, named: [String: ScreenKey] = [:]) -> [ScreenEvent] {
        var input = InputBytes(named: Dictionary(uniqueKeysWithValues: named.map { (Array($0.utf8), $1) }))
        return input.events(Array(text.utf8), at: start)
    }

    @Test(
        "letters, controls and sequences of every kind of terminal are keys",
        arguments: [
            ("a", .text("a")), ("й", .text("й")), ("e\u{301}", .text("e\u{301}")), ("🐈", .text("🐈")), (" ", .text(" ")),
            ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{7f}", .backspace), ("\u{8}", .backspace),
            ("\u{1}", .control("a")), ("\u{1a}", .control("z")), ("\u{1c}", .control("\\")), ("\0", .control(" ")),
            ("\u{1b}[A", .up), ("\u{1b}OB", .down), ("\u{1b}[1;5C", .right), ("\u{1b}[D", .left), ("\u{1b}Od", .left),
            ("\u{1b}[H", .home), ("\u{1b}[7~", .home), ("\u{1b}[1~", .home), ("\u{1b}OF", .end), ("\u{1b}[4~", .end),
            ("\u{1b}[5~", .pageUp), ("\u{1b}[6;5~", .pageDown), ("\u{1b}[2~", .insert), ("\u{1b}[3~", .delete),
            ("\u{1b}[Z", .backTab), ("\u{1b}OP", .function(1)), ("\u{1b}[[B", .function(2)),
            ("\u{1b}[13~", .function(3)),
            ("\u{1b}[1;2S", .function(4)), ("\u{1b}[15~", .function(5)), ("\u{1b}[17~", .function(6)),
            ("\u{1b}[21~", .function(10)), ("\u{1b}[24~", .function(12)), ("\u{1b}[34~", .function(20)),
            ("\u{1b}OM", .enter), ("\u{1b}Op", .text("0")), ("\u{1b}Ok", .text("+")),
            ("\u{1b}[97;5u", .control("a")), ("\u{1b}[9;2u", .backTab), ("\u{1b}[27u", .escape),
            ("\u{1b}[1081u", .text("й")), ("\u{1b}D", .alt("D")), ("\u{1b}в", .alt("в")), ("\u{1b}[100;3u", .alt("d")),
            ("\u{1b}[1;3D", .alt("b")), ("\u{1b}[1;3C", .alt("f")),
        ] as [(String, ScreenKey)])
    func keys(_ text: String, _ key: ScreenKey) {
        #expect(events(text) == [.key(key)])
        // In pieces, as a slow line brings it.
        var input = InputBytes()
        var pieces: [ScreenEvent] = []
        let bytes = Array(text.utf8)
        for byte in bytes { pieces += input.events([byte], at: start) }
        if text.unicodeScalars.count == 1 || text.hasPrefix("\u{1b}") { #expect(pieces == [.key(key)]) }
        #expect(input.pause == nil)
    }

    @Test("an escape is a key of its own once nothing follows, and with a letter it is Alt")
    func escape() {
        var input = InputBytes()
        #expect(input.events([0x1B], at: start) == [])
        #expect(input.pause == .key)
        #expect(input.settle(at: start) == [.key(.escape)])
        #expect(input.pause == nil)
        #expect(events("\u{1b}q") == [.key(.alt("q"))])
        #expect(events("\u{1b}\u{7f}d") == [.key(.alt("\u{7f}")), .key(.text("d"))])
        #expect(events("\u{1b}\u{1b}[A") == [.key(.escape), .key(.up)])
    }

    @Test(
        "what begins like a key and ends as none is neither text nor in the way",
        arguments: [
            "\u{1b}[", "\u{1b}[<0;1", "\u{1b}O", "\u{1b}[200", "\u{D0}",
        ])
    func unfinished(_ text: String) {
        var input = InputBytes()
        let bytes = text == "\u{D0}" ? [0xD0] : Array(text.utf8)
        #expect(input.events(bytes, at: start) == [])
        #expect(input.settle(at: start) == [])
        #expect(input.events(Array("x".utf8), at: start + .seconds(2)) == [.key(.text("x"))])
    }

    @Test(
        "the end of a key that comes too late is no command",
        arguments: [
            ("\u{1b}[", "D"), ("\u{1b}", "[D"), ("\u{1b}", "OD"), ("\u{1b}[1", ";5D"), ("\u{1b}O", "D"),
            ("\u{1b}[<0;5", ";3M"),
        ])
    func late(begin: String, end: String) {
        for isBytewise in [false, true] {
            var input = InputBytes()
            #expect(input.events(Array(begin.utf8), at: start) == [])
            #expect(input.pause == (begin.utf8.count == 1 ? .key : .sequence))
            #expect(input.settle(at: start + .milliseconds(500)) == (begin.utf8.count == 1 ? [.key(.escape)] : []))
            for piece in isBytewise ? end.utf8.map({ [$0] }) : [Array(end.utf8)] {
                #expect(input.events(piece, at: start + .milliseconds(700)) == [], "\(begin) \(end)")
            }
            #expect(input.events(Array("q".utf8), at: start + .milliseconds(701)) == [.key(.text("q"))])
        }
        var input = InputBytes()
        _ = input.events([0x1B], at: start)
        _ = input.settle(at: start)
        #expect(input.events(Array("q\u{1b}[A".utf8), at: start) == [.key(.text("q")), .key(.up)])
    }

    @Test("replies of the terminal, endless sequences and broken letters are no keys")
    func noise() {
        #expect(events("\u{1b}[?62;22c\u{1b}[>0;276;0c\u{1b}[I\u{1b}[Ox") == [.key(.text("x"))])
        var input = InputBytes()
        #expect(input.events([0x1B, 0x5B] + Array(repeating: 0x31, count: 100), at: start).isEmpty)
        #expect(input.events([0xFF, 0xFE, 0x80, 0x61], at: start) == [.key(.text("a"))])
    }

    @Test("what terminfo says about a key comes before what others mean by it")
    func named() {
        #expect(events("\u{1b}[P", named: ["\u{1b}[P": .delete]) == [.key(.delete)])
        #expect(events("\u{1b}[23$", named: ["\u{1b}[23$": .function(13)]) == [.key(.function(13))])
        // A named key that is no sequence would swallow letters.
        #expect(events("x", named: ["x": .delete, "\u{1b}": .up]) == [.key(.text("x"))])
    }

    @Test("the mouse speaks two forms; releases and drags are silent")
    func mouse() {
        #expect(events("\u{1b}[<0;5;3M\u{1b}[<0;5;3m") == [.mouse(.click, at: Place(row: 2, column: 4))])
        #expect(events("\u{1b}[<2;300;200M") == [.mouse(.menu, at: Place(row: 199, column: 299))])
        #expect(
            events("\u{1b}[<64;1;1M\u{1b}[<69;1;1M") == [
                .mouse(.wheelUp, at: Place(row: 0, column: 0)), .mouse(.wheelDown, at: Place(row: 0, column: 0)),
            ])
        #expect(events("\u{1b}[M !\"") == [.mouse(.click, at: Place(row: 1, column: 0))])
        #expect(events("\u{1b}[<32;5;3M\u{1b}[<1;5;3M\u{1b}[<66;5;3M\u{1b}[<0;0;0M").isEmpty)
    }

    @Test("two clicks on a cell within 0.4 s are a double click, three are one and a click")
    func doubleClick() {
        var input = InputBytes()
        let click = Array("\u{1b}[<0;5;3M\u{1b}[<0;5;3m".utf8)
        let place = Place(row: 2, column: 4)
        #expect(input.events(click, at: start) == [.mouse(.click, at: place)])
        #expect(input.events(click, at: start + .milliseconds(399)) == [.mouse(.doubleClick, at: place)])
        #expect(input.events(click, at: start + .milliseconds(500)) == [.mouse(.click, at: place)])
        #expect(input.events(click, at: start + .milliseconds(900)) == [.mouse(.click, at: place)])
        #expect(
            input.events(Array("\u{1b}[<0;6;3M".utf8), at: start + .milliseconds(910)) == [
                .mouse(.click, at: Place(row: 2, column: 5))
            ])
    }

    @Test("pasted text is text, whatever is in it and however it comes")
    func paste() {
        let whole = "\u{1b}[200~q\n\u{3}кот\u{1b}[A\u{1b}[201~x"
        let wanted: [ScreenEvent] = [.pasted("q  кот [A"), .key(.text("x"))]
        #expect(events(whole) == wanted)
        var input = InputBytes()
        var pieces: [ScreenEvent] = []
        for byte in whole.utf8 { pieces += input.events([byte], at: start) }
        #expect(pieces == wanted)
    }

    @Test("a paste that stalls stays a paste until its end comes, or Escape is pressed")
    func stalledPaste() {
        var input = InputBytes()
        _ = input.events(Array("\u{1b}[200~abc".utf8) + [0xD0], at: start)
        #expect(input.pause == .paste)
        #expect(input.settle(at: start) == [.pasted("abc")])
        #expect(input.events([0xB9] + Array("D\u{1b}[2".utf8), at: start) == [])
        #expect(input.settle(at: start) == [.pasted("йD")])
        #expect(input.events(Array("01~q".utf8), at: start) == [.key(.text("q"))])
        // A terminal that died in the middle must not take the keys with it.
        _ = input.events(Array("\u{1b}[200~abc".utf8), at: start)
        _ = input.settle(at: start)
        #expect(input.pause == nil)
        #expect(input.events([0x71], at: start) == [])
        #expect(input.settle(at: start) == [.pasted("q")])
        #expect(input.events([0x1B], at: start) == [] && input.pause == .paste)
        #expect(input.settle(at: start) == [])
        #expect(input.events([0x71], at: start) == [.key(.text("q"))])
    }
}
