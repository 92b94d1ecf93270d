import NyanCore
import Testing

/// What counts as heard, and for how long.
@Suite("What was heard")
struct HearingStories {
    /// Effects about the history, as `T1 30`.
    private func told(_ effects: [PlaybackEffect]) -> [String] {
        effects.compactMap { effect in
            if case .heard(let hearing) = effect {
                return "\(hearing.number) \(hearing.track.title) \(short(hearing.heard))"
            }
            return nil
        }
    }

    @Test(
        "a play counts after 30 seconds, or half of a shorter track",
        arguments: [(180, 30), (60, 30), (20, 10), (1, 0.5), (0, 30)] as [(Int, Double)])
    func threshold(_ length: Int, _ seconds: Double) {
        var scene = Scene()
        scene.begin([Track(id: TrackID(owner: 1, audio: 1), artist: "A", title: "T", duration: length)])
        scene.wait(.seconds(seconds) - .milliseconds(1))
        #expect(told(scene.send(.timePassed)) == [])
        scene.wait(.milliseconds(1))
        #expect(told(scene.send(.timePassed)) == ["1 T \(short(.seconds(seconds)))"])
        scene.wait(.seconds(1))
        #expect(told(scene.send(.timePassed)) == [], "once, until it ends")
    }

    @Test("what is skipped sooner is not told, also not by the next track's play", arguments: [29, 31])
    func skipped(_ seconds: Int) {
        var scene = Scene()
        scene.begin(Track.numbered(2...3))
        scene.wait(.seconds(seconds))
        #expect(told(scene.command(.next)) == (seconds < 30 ? [] : ["1 T2 31"]))
        scene.sound(2)
        scene.wait(.seconds(40))
        #expect(told(scene.command(.stop)) == ["2 T3 40"])
    }

    @Test("pauses, stalls and seeks do not count, sound that is heard twice does")
    func onlySound() {
        var scene = Scene()
        scene.begin(Track.numbered(3...4))
        scene.wait(.seconds(20))
        scene.command(.pause)
        scene.wait(.seconds(500))
        scene.command(.play)
        scene.wait(.seconds(5))
        scene.engine(.hungry(LoadNumber(1), at: .seconds(25)))
        scene.wait(.seconds(50))
        scene.engine(.fed(LoadNumber(1), at: .seconds(25)))
        scene.command(.seekTo(.seconds(170), nil))
        scene.wait(.seconds(9))
        scene.engine(.seeked(LoadNumber(1), .seconds(170)))
        scene.wait(.seconds(4))
        #expect(told(scene.send(.timePassed)) == [])
        scene.command(.seekTo(.seconds(20), nil))
        scene.engine(.seeked(LoadNumber(1), .seconds(20)))
        scene.wait(.seconds(6))
        #expect(told(scene.command(.pause)) == ["1 T3 35"])
    }

    @Test("a pause tells what was heard so far, and the end the rest of the same play")
    func pauses() {
        var scene = Scene()
        scene.begin(Track.numbered(3...4))
        scene.wait(.seconds(40))
        #expect(told(scene.command(.pause)) == ["1 T3 40"])
        scene.command(.play)
        scene.wait(.seconds(5))
        #expect(told(scene.command(.next)) == ["1 T3 45"])
    }

    @Test("a track that is joined, repeated or started again is another play")
    func plays() {
        var scene = Scene()
        scene.begin(Track.numbered(1...2))
        scene.command(.setRepeat(.track))
        scene.send(.bytesComplete(LoadNumber(1)))
        scene.send(.prepared(LoadNumber(2)))
        scene.wait(.seconds(60))
        #expect(told(scene.engine(.started(LoadNumber(2)))) == ["1 T1 60"])
        scene.wait(.seconds(50))
        #expect(told(scene.engine(.ended(LoadNumber(2)))) == ["2 T1 50"])
        scene.sound(3)
        scene.wait(.seconds(31))
        #expect(told(scene.command(.stop)) == ["3 T1 31"])
    }

    @Test("a play that was interrupted goes on as the same one; after a restart it is another")
    func interrupted() {
        var scene = Scene()
        scene.begin(Track.numbered(3...4))
        scene.wait(.seconds(40))
        let lost = Failure(.audioOutput, "")
        #expect(told(scene.engine(.failed(LoadNumber(1), lost))) == ["1 T3 40"])
        scene.command(.play)
        scene.sound(2)
        scene.wait(.seconds(10))
        #expect(scene.machine.lastHearing(at: scene.now)?.heard == .seconds(50))
        var again = Scene(restoring: scene.machine.saved(at: scene.now))
        again.command(.play)
        again.sound(1)
        again.wait(.seconds(10))
        #expect(again.machine.lastHearing(at: again.now) == nil)
        #expect(told(again.command(.stop)) == [])
    }

    @Test("it began when the track was started, and is described as well as is known by now")
    func began() throws {
        var scene = Scene()
        scene.command(.playTracks(Track.numbered(3...3), startAt: 0))
        let start = scene.now
        scene.wait(.seconds(2))
        scene.sound(1)
        var better = Track.numbered(3)
        better.title = "Better"
        scene.send(.trackChanged(better))
        scene.wait(.seconds(33))
        let effects = scene.send(.timePassed)
        let hearing = effects.compactMap { if case .heard(let hearing) = $0 { hearing } else { nil } }.first
        #expect(hearing == Hearing(number: 1, track: better, began: start, heard: .seconds(33)))
    }
}
