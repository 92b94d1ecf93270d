import NyanCore
import NyanDBus
import NyanWire
import Testing

@testable import nyanctl

@Suite("The list of what can be done with a row")
struct UIMenuTests {
    private func add(_ number: Int) -> UIEffect {
        .call(UICall(.downloads, "Add", .strings(["1_\(number)"]), patience: .network))
    }

    /// The row of the screen where the menu offers a deed.
    private func row(of deed: UIDeed, _ state: UIState) -> Int {
        let place = state.menu?.deeds.firstIndex(of: deed) ?? -100
        let first = state.menu.map { UIMenuLines.window($0, state.height).lowerBound } ?? 0
        return state.layout.list.lowerBound + place - first
    }

    @Test("A right click selects the row and opens it, a click does the deed to that row")
    func mouse() {
        var state = UIKit.state(UIKit.tracks(50))
        #expect(state.mouse(.menu, 5, 20) == [])
        #expect(state.list.place == 3 && state.menu?.id == UIKit.id(4))
        let row = row(of: .download, state)
        #expect(state.mouse(.click, row, 9) == [add(4)])
        #expect(state.menu == nil)
        // The second click of a double one does not play the row below.
        #expect(state.mouse(.doubleClick, row, 9) == [])
        state.mouse(.menu, 5, 20)
        #expect(state.mouse(.click, 20, 9) == [] && state.menu == nil && state.list.place == 3)
        #expect(state.mouse(.menu, 22, 20) == [] && state.menu == nil)
    }

    @Test("m opens it; arrows and Enter do, the keys it shows do, Escape and others close")
    func keys() {
        var state = UIKit.state(UIKit.tracks(3))
        state.keys(.down, .text("m"))
        let place = state.menu?.deeds.firstIndex(of: .download) ?? 0
        for _ in 0..<place { state.keys(.down) }
        #expect(state.keys(.enter) == [add(2)] && state.menu == nil)
        state.keys(.text("ь"))
        #expect(state.keys(.text("d")) == [add(2)] && state.menu == nil)
        for key: ScreenKey in [.escape, .text("q"), .text("D"), .text(" "), .function(9), .tab] {
            state.keys(.text("m"))
            #expect(state.keys(key) == [] && state.menu == nil && state.tab == .profile)
        }
        state.keys(.text("m"), .up)
        #expect(state.menu?.place == (state.menu?.deeds.count ?? 0) - 1)
    }

    @Test("At 40 columns and 10 rows, and in fewer, all of it can be reached by either hand", arguments: [10, 6, 5])
    func small(rows: Int) {
        var state = UIKit.state(UIKit.tracks(50), columns: 40, rows: rows)
        state.mouse(.menu, state.layout.list.lowerBound, 5)
        for deed in state.menu?.deeds ?? [] {
            let row = row(of: deed, state)
            #expect(state.layout.list.contains(row))
            #expect(UIView().touch(state, at: Place(row: row, column: 39), 0) == .choice(state.menu?.place ?? -1))
            state.mouse(.wheelDown, row, 5)
        }
        #expect(state.keys(.enter) == [] && state.question?.deed == .remove)
    }

    @Test("It offers what the row's tab and state allow")
    func offers() {
        var tracks = UIKit.tracks(4)
        tracks[1].copyPath = "/m/2.mp3"
        var state = UIKit.state(tracks)
        _ = state.handle(.downloads([UIKit.download(3, .running), UIKit.download(4, .failed, why: "x")]), at: 0)
        let wanted: [[UIDeed]] = [
            [.play, .enqueueNext, .enqueue, .download, .remove],
            [.play, .enqueueNext, .enqueue, .export, .deleteFile, .remove],
            [.play, .enqueueNext, .enqueue, .hold, .cancel, .remove],
            [.play, .enqueueNext, .enqueue, .download, .cancel, .remove],
        ]
        for deeds in wanted {
            state.keys(.text("m"))
            #expect(state.menu?.deeds == deeds)
            state.keys(.escape, .down)
        }
        state.keys(.text("5"))
        _ = state.handle(.listed(.queue, UIKit.tracks(1)), at: 0)
        state.keys(.text("m"))
        #expect(
            state.menu?.deeds == [
                .play, .enqueueNext, .enqueue, .download, .add, .remove, .moveUp, .moveDown,
            ])
        for deed in Set(wanted.flatMap(\.self) + (state.menu?.deeds ?? [])) { #expect(!UIMenu.name(deed).isEmpty) }
        state.keys(.escape, .text("4"))
        #expect(state.list.count == 2)
        state = UIKit.state([])
        state.keys(.text("m"))
        #expect(state.menu == nil && state.notice != nil)
    }

    @Test("What came to the row's place in the meantime is left alone")
    func gone() {
        var state = UIKit.state(UIKit.tracks(3))
        state.keys(.text("m"))
        _ = state.handle(.listed(.profile, [UIKit.track(2), UIKit.track(3)]), at: 0)
        #expect(state.keys(.end, .enter) == [] && state.question == nil && state.notice?.text == "that row is gone")
    }
}
