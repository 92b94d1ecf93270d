import NyanCore
import NyanWire
import Testing

@testable import nyanctl

@Suite("The clock of the ui")
struct UIClockTests {
    private func isNear(_ one: Double?, _ other: Double) -> Bool { one.map { abs($0 - other) < 0.001 } ?? false }

    @Test("It wakes up for the next second of what plays, and not at the track's end nor while nothing moves")
    func playing() {
        var state = UIKit.state([])
        #expect(state.nextChange(at: 0) == nil)
        _ = state.handle(.status(UIKit.status(.playing, playing: UIKit.track(1), at: 10.25)), at: 100)
        #expect(isNear(state.nextChange(at: 100.5), 0.27))
        var report = UIKit.status(.playing, playing: UIKit.track(1), at: 213.99999)
        report.duration = 213.99999
        _ = state.handle(.status(report), at: 100)
        #expect(state.nextChange(at: 100) == nil && state.nextChange(at: 500) == nil)
        _ = state.handle(.status(UIKit.status(.paused, playing: UIKit.track(1), at: 10)), at: 100)
        #expect(state.nextChange(at: 100) == nil)
        _ = state.handle(.absent, at: 101)
        #expect(state.nextChange(at: 101) == nil)
    }

    @Test("A sleep timer runs also while nothing plays")
    func sleeping() {
        var state = UIKit.state([])
        var report = UIKit.status(.paused, playing: UIKit.track(1))
        report.sleepTimer = .remaining(100.5)
        _ = state.handle(.status(report), at: 10)
        #expect(isNear(state.nextChange(at: 10), 0.52) && isNear(state.nextChange(at: 10.5), 1.02))
        #expect(UIView().frame(state, at: 12).text.contains("sleep 1:39"))
        #expect(state.nextChange(at: 200) == nil)
    }

    @Test("A download that stands still loses its speed and the time that is left")
    func standing() {
        var state = UIKit.state(UIKit.tracks(2))
        state.keys(.text("4"))
        _ = state.handle(
            .downloads([
                UIKit.download(1, .running, 10, 100, speed: 1000), UIKit.download(2, .running, 10, 100, speed: 1000),
            ]), at: 0)
        #expect(state.nextChange(at: 0) == 1)
        _ = state.handle(.moving([UIKit.id(2)]), at: 6)
        #expect(state.downloads[UIKit.id(1)]?.speed == nil && state.downloads[UIKit.id(2)]?.speed == 1000)
        _ = state.handle(.moving([]), at: 7)
        #expect(state.nextChange(at: 7) == nil)
    }
}
