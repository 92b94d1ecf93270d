import NyanCore
import NyanDBus
import NyanWire
import Testing

@testable import nyanctl

@Suite("The mouse on the ui")
struct UIMouseTests {
    private func state() -> UIState {
        var state = UIKit.state(UIKit.tracks(50))
        let playing = UIKit.status(.playing, playing: UIKit.track(1), at: 20, place: 1, of: 3)
        _ = state.handle(.status(playing), at: 0)
        return state
    }

    /// Where a text stands in the frame.
    private func place(_ text: Character, _ row: Int, _ state: UIState) -> Int {
        let line = UIView().frame(state, at: 0).rows[row].map(\.text).joined()
        return Array(line).firstIndex(of: text) ?? -1
    }

    @Test("A click selects a row, a double click plays the list from there")
    func rows() {
        var state = state()
        #expect(state.mouse(.click, 5, 20) == [])
        #expect(state.list.place == 3)
        #expect(state.mouse(.click, 7, 79) == [] && state.list.place == 5)
        guard case .call(let call)? = state.mouse(.doubleClick, 2, 1).first else {
            Issue.record("a double click does nothing")
            return
        }
        #expect(call.member == "PlayTracks" && call.arguments.last == .uint32(0))
    }

    @Test("A click on a tab opens it")
    func tabs() {
        var state = state()
        #expect(state.mouse(.click, 0, place("2", 0, state)) == [.load(.music)])
        #expect(state.tab == .music)
        #expect(state.mouse(.click, 0, place("5", 0, state) + 3) == [.load(.queue)])
        #expect(state.mouse(.click, 0, 79) == [] && state.tab == .queue)
    }

    @Test("A click on the bar goes to that part of the track")
    func bar() {
        var state = state()
        let line = Array(UIView().frame(state, at: 0).rows[22].map(\.text).joined())
        let bar = line.indices.filter { "━─┄".contains(line[$0]) }
        for (part, place) in [(0.0, bar.first ?? 0), (0.5, bar[bar.count / 2])] {
            guard case .call(let call)? = state.mouse(.click, 22, place).first,
                let fraction = call.arguments.first?.double
            else {
                Issue.record("the bar does nothing")
                continue
            }
            #expect(call.member == "SeekToFraction" && abs(fraction - part) < 0.02)
        }
        guard case .call(let last)? = state.mouse(.click, 22, bar.last ?? 0).first else { return }
        #expect((last.arguments.first?.double ?? 2) < 1)
    }

    @Test(
        "The player's signs are buttons",
        arguments: [("«", "Previous"), ("‖", "Toggle"), ("»", "Next"), ("-", "ChangeVolume"), ("+", "ChangeVolume")])
    func buttons(sign: String, member: String) {
        var state = state()
        guard case .call(let call)? = state.mouse(.click, 22, place(Character(sign), 22, state)).first else {
            Issue.record("\(sign) does nothing")
            return
        }
        #expect(call.member == member)
    }

    @Test("The wheel scrolls the list, and over the volume it changes it")
    func wheel() {
        var state = state()
        #expect(state.mouse(.wheelDown, 10, 10) == [])
        #expect(state.list.top == 3)
        #expect(state.mouse(.wheelUp, 10, 10) == [])
        #expect(state.list.top == 0)
        #expect(
            state.mouse(.wheelUp, 22, place("%", 22, state)) == [.call(UICall(.player, "ChangeVolume", .double(0.05)))])
    }

    @Test("A click on the hint opens the help, the wheel scrolls it, a click closes it")
    func help() {
        var state = state()
        state.mouse(.click, 23, 2)
        #expect(state.helpTop == 0)
        state.mouse(.wheelDown, 3, 3)
        #expect(state.helpTop == 1)
        state.mouse(.click, 3, 3)
        #expect(state.helpTop == nil && state.list.place == 0)
        // The second click of a double one is not meant for the list below.
        #expect(state.mouse(.doubleClick, 3, 3) == [])
        #expect(state.mouse(.doubleClick, 3, 3) != [])
    }

    @Test(
        "Clicks outside of everything do nothing", arguments: [(-1, 0), (0, -1), (99, 3), (3, 999), (1, 5), (20, 79)])
    func nowhere(row: Int, column: Int) {
        var state = UIKit.state(UIKit.tracks(3))
        #expect(state.mouse(.click, row, column) == [])
        #expect(state.list.place == 0 || row == 3)
    }
}
