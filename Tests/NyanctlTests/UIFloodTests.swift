import NyanCore
import NyanDBus
import NyanWire
import Testing

@testable import nyanctl

/// Everything at once, in any order, as no person could.
@Suite("A flood of events at the ui")
struct UIFloodTests {
    private static let keys: [ScreenKey] = UIKeys.table.flatMap(\.keys) + [.backspace, .delete, .text("ж"), .insert]

    /// An event of one of so many kinds, or nil for a key.
    private func event(_ random: inout SeededRandom) -> UIEvent? {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        switch number(0...12) {
        case 0: return .listed(.profile, UIKit.tracks(number(0...400)))
        case 1: return .listed(.queue, UIKit.tracks(number(0...9)))
        case 2: return .screen(.resized(Size(columns: number(0...130), rows: number(0...40))))
        case 3:
            let states: [Download.State] = [.running, .done, .failed, .paused]
            return .downloadsChanged([UIKit.download(number(1...9), states[number(0...3)], 5, 9)])
        case 4: return .downloadsRemoved([UIKit.id(number(1...9))])
        case 5:
            let deeds: [MouseDeed] = [.click, .doubleClick, .wheelUp, .wheelDown, .menu]
            let place = Place(row: number(-1...40), column: number(-1...130))
            return .screen(.mouse(deeds[number(0...4)], at: place))
        case 6: return number(0...6) == 0 ? .absent : .changed(UITab.allCases[number(0...4)])
        case 7: return .status(UIKit.status(.playing, playing: UIKit.track(3), at: 5, place: 3, of: number(3...9)))
        case 8: return .screen(.pasted("к 🐈"))
        default: return nil
        }
    }

    @Test("leaves a state that holds together and can be drawn", arguments: [11, 12, 13] as [UInt64])
    func flood(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var state = UIKit.state(UIKit.tracks(300), columns: 60, rows: 15)
        for step in 0..<2000 {
            let key = Self.keys.randomElement(using: &random) ?? .up
            _ = state.handle(event(&random) ?? .screen(.key(key)), at: Double(step) / 10)
            for tab in UITab.allCases {
                let list = state[tab]
                #expect(list.place >= 0 && (list.count == 0 ? list.place == 0 : list.place < list.count))
            }
            let list = state.list
            if state.height > 0, list.count > 0 { #expect(list.window(state.height).contains(list.place)) }
            let frame = UIView().frame(state, at: Double(step) / 10)
            #expect(frame.rows.count == max(0, state.size.rows))
        }
    }
}
