import NyanCore
import Testing

/// `nyanctl sleep`: playback that pauses by itself.
@Suite("The sleep timer")
struct SleepTimerStories {
    private func playing(at index: Int = 0) -> Scene {
        var scene = Scene()
        scene.begin(Track.numbered(1...3), at: index)
        return scene
    }

    @Test("after the time it pauses where it is, once, and is over")
    func time() {
        var scene = playing(at: 2)
        scene.wait(.seconds(10))
        #expect(scene.command(.setSleepTimer(.after(.seconds(60)))) == [])
        #expect(scene.machine.nextMoment == scene.now + .seconds(52))
        scene.wait(.seconds(51))
        #expect(short(scene.send(.timePassed)) == "")
        scene.wait(.seconds(1))
        #expect(short(scene.send(.timePassed)) == "fade 8")
        #expect(scene.machine.nextMoment == scene.now + .seconds(8))
        scene.wait(.seconds(7))
        #expect(short(scene.send(.timePassed)) == "")
        #expect(scene.state.sleepTimer != nil && scene.state.volume == 1)
        scene.wait(.seconds(1))
        #expect(short(scene.send(.timePassed)) == "hold, full, save")
        #expect(short(scene.state, at: scene.now) == "paused e3 @70")
        #expect(scene.state.sleepTimer == nil && scene.machine.nextMoment == nil)
        scene.command(.play)
        scene.wait(.seconds(90))
        scene.send(.timePassed)
        #expect(scene.state.status == .playing)
    }

    @Test(
        "whatever comes while it fades, the sound is full again where it does not end in silence",
        arguments: [
            ("off", "full"), ("later", "full"), ("track", "full"), ("pause", "hold, full, save"),
            ("stop", "silence, release #1, full, save"), ("next", "hold, find #2 e2, release #1, save"),
        ])
    func whileFading(_ word: String, _ effects: String) {
        var scene = playing()
        #expect(short(scene.command(.setSleepTimer(.after(.seconds(5))))) == "fade 5", "a short time is all of it")
        scene.wait(.seconds(3))
        let command: PlaybackCommand =
            switch word {
            case "off": .setSleepTimer(nil)
            case "later": .setSleepTimer(.after(.seconds(60)))
            case "track": .setSleepTimer(.endOfTrack)
            case "pause": .pause
            case "stop": .stop
            default: .next
            }
        #expect(short(scene.command(command)) == effects)
        guard word == "pause" else { return }
        #expect(short(scene.command(.play)) == "run, fade 2", "and goes on fading when it plays on")
    }

    @Test("it goes on while paused, over track changes and seeks, and pauses nothing that is paused")
    func whilePaused() {
        var scene = playing()
        scene.command(.setSleepTimer(.after(.seconds(60))))
        scene.command(.next)
        scene.command(.pause)
        scene.wait(.seconds(30))
        scene.send(.timePassed)
        #expect(scene.state.sleepTimer != nil)
        scene.wait(.seconds(31))
        #expect(short(scene.send(.timePassed)) == "")
        #expect(scene.state.status == .paused && scene.state.sleepTimer == nil)
    }

    @Test("off, stop, the queue's end and clearing it end it", arguments: ["off", "stop", "end", "clear"])
    func ends(_ how: String) {
        for wish in [SleepWish.after(.seconds(60)), .endOfTrack] {
            var scene = playing(at: 2)
            scene.command(.setSleepTimer(wish))
            switch how {
            case "off": scene.command(.setSleepTimer(nil))
            case "stop": scene.command(.stop)
            case "end": scene.engine(.ended(LoadNumber(1)))
            default: scene.command(.clear)
            }
            #expect(scene.state.sleepTimer == nil)
            #expect(scene.machine.nextMoment == nil)
        }
    }

    @Test("while nothing plays there is nothing to put to sleep")
    func stopped() {
        var scene = playing()
        scene.command(.stop)
        scene.command(.setSleepTimer(.endOfTrack))
        #expect(scene.state.sleepTimer == nil)
    }

    @Test("a new wish takes the place of the old; no wish is nearer than a second or farther than a day")
    func replaced() {
        var scene = playing()
        scene.command(.setSleepTimer(.endOfTrack))
        scene.command(.setSleepTimer(.after(.seconds(1_000_000_000))))
        #expect(scene.state.sleepTimer == .at(scene.now + .seconds(86_400)))
        scene.command(.setSleepTimer(.after(.seconds(-5))))
        #expect(scene.state.sleepTimer == .at(scene.now + .seconds(1)))
    }

    @Test("at the track's end nothing of the next sounds: it is shown, paused at its start, and play begins it")
    func track() {
        var scene = playing()
        scene.send(.bytesComplete(LoadNumber(1)))
        scene.send(.prepared(LoadNumber(2)))
        #expect(short(scene.command(.setSleepTimer(.endOfTrack))) == "unstage, release #2")
        #expect(scene.send(.nearEnd(LoadNumber(1))) == [], "nothing is prepared")
        scene.wait(.seconds(60))
        #expect(short(scene.engine(.ended(LoadNumber(1)))) == "silence, release #1, save")
        #expect(short(scene.state, at: scene.now) == "paused e2 @0")
        #expect(scene.state.sleepTimer == nil)
        #expect(short(scene.command(.play)) == "find #3 e2, save")
    }

    @Test("called off in time, the next one is joined after all")
    func calledOff() {
        var scene = playing()
        scene.send(.bytesComplete(LoadNumber(1)))
        scene.command(.setSleepTimer(.endOfTrack))
        #expect(short(scene.command(.setSleepTimer(nil))) == "find #3 e2 next")
    }

    @Test("a repeated track is at its start again; the last one of the queue ends it as always")
    func edges() {
        var repeated = playing()
        repeated.command(.setRepeat(.track))
        repeated.command(.setSleepTimer(.endOfTrack))
        repeated.wait(.seconds(60))
        repeated.engine(.ended(LoadNumber(1)))
        #expect(short(repeated.state, at: repeated.now) == "paused e1 @0")
        var last = playing(at: 2)
        last.command(.setSleepTimer(.endOfTrack))
        last.engine(.ended(LoadNumber(1)))
        #expect(short(last.state, at: last.now) == "stopped e3 @0")
    }

    @Test("next moves the wish on to the next track; a track that breaks off ends it, one that never began does not")
    func failing() {
        var scene = playing()
        scene.command(.setSleepTimer(.endOfTrack))
        scene.command(.next)
        #expect(scene.state.sleepTimer == .endOfTrack)
        var unheard = scene
        unheard.send(.refused(LoadNumber(2), FailureStories.gone))
        #expect(short(unheard.state, at: unheard.now) == "buffering e3 @0 !unavailable-track")
        #expect(unheard.state.sleepTimer == .endOfTrack)
        scene.sound(2)
        scene.wait(.seconds(20))
        scene.engine(.failed(LoadNumber(2), FailureStories.gone))
        #expect(short(scene.state, at: scene.now) == "paused e3 @0 !unavailable-track")
        #expect(scene.state.sleepTimer == nil)
    }

    @Test("asked for too late, when the engine has gone over already, the next one is silenced at once")
    func tooLate() {
        var scene = playing()
        scene.send(.bytesComplete(LoadNumber(1)))
        scene.send(.prepared(LoadNumber(2)))
        scene.wait(.seconds(60))
        scene.command(.setSleepTimer(.endOfTrack))
        #expect(short(scene.engine(.started(LoadNumber(2)))) == "silence, release #1, save")
        #expect(short(scene.state, at: scene.now) == "paused e2 @0")
    }

    @Test("an edit that comes when the engine has gone over already is followed by what the queue says now")
    func editedTooLate() {
        var scene = playing()
        scene.send(.bytesComplete(LoadNumber(1)))
        scene.send(.prepared(LoadNumber(2)))
        scene.wait(.seconds(60))
        #expect(short(scene.command(.remove([EntryID(2)]))) == "unstage, release #2, find #3 e3 next, save")
        #expect(short(scene.engine(.started(LoadNumber(2)))) == "hold, find #4 e3, release #1, release #3, save")
        scene.sound(4)
        #expect(short(scene.state, at: scene.now) == "playing e3 @0")
    }
}
