import NyanCore
import Testing

/// Starting, pausing, moving within a track and coming back after a restart, told step by step.
@Suite("Transport and the clock")
struct TransportStories {
    @Test("a pause while the sound is being found loads it paused, and play lets it run")
    func pauseDuringPrepare() {
        var scene = Scene()
        scene.command(.playTracks(Track.numbered(1...2), startAt: 0))
        #expect(scene.state.status == .playing && scene.state.isBuffering)
        #expect(short(scene.command(.pause)) == "save")
        #expect(!scene.state.isBuffering)
        #expect(short(scene.send(.prepared(LoadNumber(1)))) == "volume 1.0, load #1 @0 paused")
        #expect(scene.engine(.started(LoadNumber(1))) == [])
        scene.wait(.seconds(5))
        #expect(short(scene.state, at: scene.now) == "paused e1 @0", "a paused clock stands")
        #expect(short(scene.command(.play)) == "run")
        scene.wait(.seconds(5))
        #expect(scene.position == .seconds(5))
    }

    @Test("a pause and a play while the sound is being found change nothing for the engine")
    func pausePlayDuringPrepare() {
        var scene = Scene()
        scene.command(.playTracks(Track.numbered(1...2), startAt: 0))
        scene.command(.pause)
        #expect(scene.command(.play) == [])
        #expect(short(scene.send(.prepared(LoadNumber(1)))) == "volume 1.0, load #1 @0 playing")
    }

    @Test("the first load is preceded by the volume, and no later one")
    func volumeFirst() {
        var saved = SavedPlayback()
        saved.volume = 0.2
        var scene = Scene(restoring: saved)
        scene.command(.playTracks(Track.numbered(1...2), startAt: 0))
        #expect(short(scene.send(.prepared(LoadNumber(1)))) == "volume 0.2, load #1 @0 playing")
        scene.command(.next)
        #expect(short(scene.send(.prepared(LoadNumber(2)))) == "load #2 @0 playing")
    }

    @Test("ten presses of next leave one load and the right entry")
    func manyNexts() {
        var scene = Scene()
        scene.begin(Track.numbered(1...20))
        var effects: [PlaybackEffect] = []
        for _ in 1...10 { effects += scene.command(.next) }
        #expect(scene.state.current == EntryID(11))
        #expect(effects.filter { if case .release = $0 { true } else { false } }.count == 10)
        #expect(short(scene.send(.prepared(LoadNumber(11)))) == "load #11 @0 playing")
        #expect(scene.send(.prepared(LoadNumber(10))) == [])
    }

    @Test("previous restarts a track that is well under way, and a second press reaches the one before")
    func previousTwice() {
        var scene = Scene()
        scene.begin(Track.numbered(1...3), at: 1)
        scene.wait(.milliseconds(3_100))
        #expect(short(scene.command(.previous)) == "seek @0, save")
        #expect(short(scene.engine(.seeked(LoadNumber(1), .zero))) == "jump @0, save")
        #expect(short(scene.command(.previous)) == "hold, find #2 e1, release #1, save")
    }

    @Test("previous within three seconds goes back at once, and does nothing at the first entry")
    func previousEarly() {
        var scene = Scene()
        scene.begin(Track.numbered(1...3), at: 1)
        scene.wait(.seconds(3))
        scene.command(.previous)
        #expect(scene.state.current == EntryID(1))
        #expect(!scene.state.canGoPrevious)
        #expect(scene.command(.previous) == [])
    }

    @Test("fifty seeks at once become two for the engine and one announcement, at the last place")
    func seekBurst() {
        var scene = Scene()
        scene.begin([.numbered(3)])
        var effects: [PlaybackEffect] = []
        for second in 1...50 { effects += scene.command(.seekTo(.seconds(second), nil)) }
        #expect(short(effects.filter { $0 != .save }) == "seek @1")
        #expect(effects.count == 51)
        #expect(scene.position == .seconds(50), "the position shows the wish at once")
        #expect(short(scene.engine(.seeked(LoadNumber(1), .seconds(1)))) == "seek @50")
        #expect(scene.position == .seconds(50))
        #expect(scene.send(.positionReport(LoadNumber(1), .seconds(1))) == [], "reports in between are old")
        #expect(short(scene.engine(.seeked(LoadNumber(1), .seconds(50)))) == "jump @50, save")
        scene.wait(.seconds(2))
        #expect(scene.position == .seconds(52))
    }

    @Test("relative seeks in a burst add up")
    func relativeBurst() {
        var scene = Scene()
        scene.begin([.numbered(3)])
        for _ in 1...4 { scene.command(.seekBy(.seconds(10))) }
        #expect(scene.position == .seconds(40))
    }

    @Test("a seek before the sound is loaded moves the start; one while it loads waits for it")
    func seekBeforeSound() {
        var scene = Scene()
        scene.command(.playTracks([.numbered(3)], startAt: 0))
        #expect(short(scene.command(.seekTo(.seconds(42), nil))) == "jump @42, save")
        #expect(short(scene.send(.prepared(LoadNumber(1)))) == "volume 1.0, load #1 @42 playing")
        #expect(short(scene.command(.seekBy(.seconds(8)))) == "save", "a death on the way must not lose it")
        #expect(scene.machine.saved(at: scene.now).position == 50)
        #expect(short(scene.engine(.started(LoadNumber(1)))) == "seek @50")
        #expect(short(scene.engine(.seeked(LoadNumber(1), .seconds(50)))) == "jump @50, save")
    }

    @Test("the greatest offsets a client can send do not overflow")
    func saturating() {
        var scene = Scene()
        scene.begin(Track.numbered(1...2))
        scene.command(.seekBy(.microseconds(Int64.min)))
        #expect(scene.position == .zero)
        scene.command(.seekBy(.seconds(Int64.max)))
        #expect(scene.state.current == EntryID(2), "beyond the end is next")
    }

    @Test("a seek beyond the end of the last track does nothing")
    func seekBeyondLast() {
        var scene = Scene()
        scene.begin([.numbered(1)])
        scene.wait(.seconds(10))
        #expect(scene.command(.seekBy(.seconds(999))) == [])
        #expect(short(scene.state, at: scene.now) == "playing e1 @10")
    }

    @Test("a stall freezes the clock, and clients are told where it goes on if it was long", arguments: [0.5, 3])
    func stall(_ seconds: Double) {
        var scene = Scene()
        scene.begin([.numbered(3)])
        scene.wait(.seconds(20))
        #expect(scene.engine(.hungry(LoadNumber(1), at: .seconds(20))) == [])
        scene.wait(.seconds(seconds))
        #expect(short(scene.state, at: scene.now) == "buffering e1 @20")
        let effects = short(scene.engine(.fed(LoadNumber(1), at: .seconds(20))))
        #expect(effects == (seconds > 1 ? "jump @20" : ""))
        scene.wait(.seconds(1))
        #expect(short(scene.state, at: scene.now) == "playing e1 @21")
    }

    @Test(
        "a position report corrects the clock, but jitter never sets it back",
        arguments: [(20.0, 20.0), (19.8, 20.0), (20.1, 20.1), (25, 25), (12, 12)])
    func report(_ reported: Double, _ shown: Double) {
        var scene = Scene()
        scene.begin([.numbered(3)])
        scene.wait(.seconds(20))
        let effects = scene.send(.positionReport(LoadNumber(1), .seconds(reported)))
        #expect(scene.position == .seconds(shown))
        #expect(effects.isEmpty == (abs(reported - 20) <= 1), "only a jump is announced")
        scene.wait(.seconds(1))
        #expect(scene.position == .seconds(shown + 1))
    }

    @Test("a sound that lags behind is waited for: the clock stands, then both go on together")
    func lag() {
        var scene = Scene()
        scene.begin([.numbered(3)])
        scene.wait(.seconds(20))
        #expect(scene.send(.positionReport(LoadNumber(1), .seconds(19.25))) == [])
        #expect(scene.position == .seconds(20))
        scene.wait(.seconds(0.5))
        #expect(scene.position == .seconds(20))
        scene.wait(.seconds(0.5))
        #expect(scene.position == .seconds(20.25))
        #expect(scene.send(.positionReport(LoadNumber(1), .seconds(20.25))) == [])
        scene.command(.pause)
        #expect(scene.position == .seconds(20.25))
    }

    @Test("the clock never passes the length, and the true length replaces VK's")
    func lengths() {
        var scene = Scene()
        scene.begin([.numbered(1)])
        scene.wait(.seconds(70))
        #expect(scene.position == .seconds(60))
        scene.engine(.lengthKnown(LoadNumber(1), .seconds(90)))
        scene.wait(.seconds(5))
        #expect(scene.position == .seconds(65))
        scene.send(.trackChanged(.numbered(1)))
        #expect(scene.state.length == .seconds(90))
    }

    @Test("a length that VK does not know is kept once it was heard, also when nothing plays any more")
    func unknownLength() {
        var scene = Scene()
        var track = Track.numbered(1)
        track.duration = 0
        scene.begin([track])
        #expect(scene.state.length == nil)
        scene.engine(.lengthKnown(LoadNumber(1), .seconds(90)))
        scene.command(.stop)
        #expect(scene.state.length == .seconds(90))
    }

    @Test("the moment of an input may repeat but never go back")
    func monotonic() {
        var scene = Scene()
        scene.begin([.numbered(1)])
        scene.wait(.seconds(10))
        scene.command(.setVolume(0.5))
        scene.wait(.seconds(-5))
        scene.command(.pause)
        #expect(scene.position == .seconds(10))
    }
}
