import NyanCore
import NyanDBus
import NyanWire
import Testing

@testable import nyanctl

@Suite("The list of a tab")
struct UIListTests {
    private func list(_ count: Int, at place: Int = 0, height: Int = 10) -> UIList {
        var list = UIList()
        list.set(UIKit.tracks(count), height: height)
        list.select(place, height)
        return list
    }

    @Test("The selection stays on its track, at its height in the window, when the listing changes under it")
    func staysOnTrack() {
        let before = list(100, at: 40)
        let offset = before.place - before.top
        var fresh = UIKit.tracks(100)
        fresh.insert(contentsOf: [UIKit.track(900), UIKit.track(901)], at: 0)
        var list = before
        list.set(fresh, height: 10)
        #expect(list.selected?.track.id == UIKit.id(41))
        #expect(list.place == 42 && list.place - list.top == offset)
        list.set(UIKit.tracks(100).reversed(), height: 10)
        #expect(list.selected?.track.id == UIKit.id(41))
        list.set(UIKit.tracks(30), height: 10)
        #expect(list.place == 29 && list.window(10).contains(29))
        list.set([], height: 10)
        #expect(list.selected == nil && list.place == 0 && list.window(10).isEmpty)
    }

    @Test("Of a track that stands in the queue several times the same one stays selected")
    func twins() {
        let twin = UIKit.track(7)
        var list = UIList()
        list.set([twin, UIKit.track(1), twin, UIKit.track(2), twin], height: 10)
        list.select(2, 10)
        list.set([UIKit.track(3), twin, UIKit.track(1), twin, UIKit.track(2), twin], height: 10)
        #expect(list.place == 3)
        list.set([UIKit.track(1), twin], height: 10)
        #expect(list.place == 1)
    }

    @Test("Of several equal tracks the one that was taken out hands the selection to its place, not to its far twin")
    func lostTwin() {
        let twin = UIKit.track(7)
        var list = UIList()
        list.set([twin, UIKit.track(1), UIKit.track(2), twin], height: 10)
        list.set([UIKit.track(1), UIKit.track(2), twin], height: 10)
        #expect(list.place == 0)
        list.set([twin, UIKit.track(1), twin, UIKit.track(2), twin], height: 10)
        list.select(2, 10)
        // One was put in front, and another one at the end: the nearest.
        list.set([twin, twin, UIKit.track(1), twin, UIKit.track(2), twin, twin], height: 10)
        #expect(list.place == 3)
    }

    @Test("A filter that is taken back leads to the row that was selected, at its height, or to the one chosen in it")
    func wayBack() {
        var list = list(100, at: 40)
        let height = list.place - list.top
        for text in ["x", "xq", ""] { list.show(matching: text, height: 10) }
        #expect(list.place == 40 && list.place - list.top == height)
        for text in ["t", "tx", "t"] { list.show(matching: text, height: 10) }
        #expect(list.place == 40)
        list.show(matching: "t9", height: 10)
        #expect(list.selected?.track.id == UIKit.id(9))
        // The listing changes meanwhile.
        list.set(UIKit.tracks(100).filter { $0.track.id != UIKit.id(3) }, height: 10)
        list.show(matching: "", height: 10)
        #expect(list.selected?.track.id == UIKit.id(41))
        list.show(matching: "t9", height: 10)
        list.select(3, 10)
        list.show(matching: "", height: 10)
        #expect(list.selected?.track.id == UIKit.id(92))
        list.show(matching: "t7", height: 10)
        list.choose()
        list.show(matching: "", height: 10)
        #expect(list.selected?.track.id == UIKit.id(7))
    }

    @Test("An index of a listing is not taken for that of the rows which were moved since")
    func movedIndex() {
        var list = UIList()
        list.set(UIKit.tracks(3), height: 10)
        list.move(by: 1, 10)
        #expect(list.place == 1 && list.selected?.track.id == UIKit.id(1))
        list.take(TrackIndex(UIKit.tracks(3)))
        list.show(matching: "t1", height: 10)
        #expect(list.listed.map(\.track.id) == [UIKit.id(1)])
        list.removeSelected(10)
        #expect(list.count == 0)
        list.show(matching: "", height: 10)
        #expect(list.listed.map(\.track.id) == [UIKit.id(2), UIKit.id(3)])
    }

    @Test("What has come to a lost track's place is selected")
    func lost() {
        var list = list(10, at: 4)
        list.set(UIKit.tracks(10).filter { $0.track.id != UIKit.id(5) }, height: 10)
        #expect(list.selected?.track.id == UIKit.id(6))
    }

    @Test("The window follows the selection and never shows less than it could")
    func window() {
        var list = list(100)
        #expect(list.window(10) == 0..<10)
        list.select(10, 10)
        #expect(list.window(10) == 1..<11)
        list.select(99, 10)
        #expect(list.window(10) == 90..<100)
        list.settle(30)
        #expect(list.window(30) == 70..<100)
        list.select(-5, 10)
        #expect(list.place == 0 && list.window(10) == 0..<10)
        #expect(list.window(0).isEmpty)
    }

    @Test("The wheel moves the window, and the selection only where it would be out of sight")
    func wheel() {
        var list = list(100, at: 5)
        list.scroll(by: 3, 10)
        #expect(list.top == 3 && list.place == 5)
        list.scroll(by: 3, 10)
        #expect(list.top == 6 && list.place == 6)
        list.scroll(by: 1000, 10)
        #expect(list.top == 90 && list.place == 90)
        list.scroll(by: -1000, 10)
        #expect(list.top == 0 && list.place == 9)
    }

    @Test("A filter shows what matches, keeps the selection where it matches, and gives everything back")
    func filter() {
        var list = UIList()
        list.set([UIKit.track(1, "Ёлка", "Песня"), UIKit.track(2, "B"), UIKit.track(3, "елки", "C")], height: 10)
        list.select(2, 10)
        list.show(matching: "елк", height: 10)
        #expect(list.count == 2 && list.selected?.track.id == UIKit.id(3) && list.number(1) == 2)
        list.show(matching: "елка пес", height: 10)
        #expect(list.listed.map(\.track.id) == [UIKit.id(1)])
        list.show(matching: "nothing", height: 10)
        #expect(list.count == 0 && list.selected == nil)
        list.show(matching: "", height: 10)
        #expect(list.count == 3)
        list.show(matching: "b", height: 10)
        list.set([UIKit.track(9, "Bb"), UIKit.track(2, "B")], height: 10)
        #expect(list.count == 2 && list.filter == "b")
    }

    @Test("The index finds what the library's own rules find")
    func sameRules() {
        let pieces = [
            "Ёлка", "ёж", "don't", "dont", "Björk", "!!!", "日本語", "🐈", "a-ha", "AC/DC", "é", "e\u{301}", "Straße", "7",
            "й", "ї", "(feat.", "\u{0}", "ß", "",
        ]
        var random = SeededRandom(seed: 7)
        func text(_ most: Int) -> String {
            (0..<Int.random(in: 0...most, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                .joined(separator: Bool.random(using: &random) ? " " : "")
        }
        var rows: [ListedTrack] = []
        for number in 1...200 {
            var row = UIKit.track(number, text(3), text(4))
            row.track.album = Bool.random(using: &random) ? text(2) : nil
            rows.append(row)
        }
        let index = TrackIndex(rows)
        var hits = 0
        for _ in 0..<300 {
            let words = FilterWords(String(text(2).prefix(Int.random(in: 0...6, using: &random))))
            guard let found = index.rows(matching: words) else {
                #expect(!words.signs.isEmpty)
                continue
            }
            #expect(found == rows.indices.filter { words.match(rows[$0].track) }, "\(words)")
            hits += found.count
        }
        #expect(hits > 500)
    }

    @Test("Signs, which stand in no index, are found as well")
    func signs() {
        var list = UIList()
        list.set([UIKit.track(1, "!!!"), UIKit.track(2, "B")], height: 10)
        list.show(matching: "!!", height: 10)
        #expect(list.listed.map(\.track.id) == [UIKit.id(1)])
    }
}
