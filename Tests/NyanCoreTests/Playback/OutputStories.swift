import NyanCore
import Testing

/// Tracks that cannot be played and outputs that go away, told step by step (DESIGN.md §7, field-issues.md B3, B4, B9).
@Suite("Lost outputs")
struct OutputStories {
    @Test("a lost output pauses, in whichever order the engine tells it", arguments: [true, false])
    func outputLost(_ lostFirst: Bool) {
        var scene = Scene()
        scene.begin(Track.numbered(1...3))
        scene.wait(.seconds(40))
        let failure = EngineEvent.failed(LoadNumber(1), Failure(.audioOutput, "No sound server."))
        if lostFirst { scene.engine(.outputChanged(.lost)) }
        scene.engine(failure)
        if !lostFirst { scene.engine(.outputChanged(.lost)) }
        #expect(short(scene.state, at: scene.now) == "paused e1 @40 !audio-output")
        #expect(scene.state.output == .lost)
        #expect(scene.engine(.outputChanged(.ok)) == [], "paused stays paused when the output is back")
        #expect(short(scene.state, at: scene.now) == "paused e1 @40")
        #expect(short(scene.command(.play)) == "find #2 e1, save")
        #expect(short(scene.send(.prepared(LoadNumber(2)))) == "load #2 @40 playing")
    }

    @Test("an output that moved elsewhere resumes the load that is there")
    func outputMoved() {
        var scene = Scene()
        scene.begin(Track.numbered(1...3))
        scene.wait(.seconds(40))
        #expect(short(scene.engine(.outputChanged(.lost))) == "hold, save")
        #expect(short(scene.command(.play)) == "run")
        #expect(scene.state.problem == nil)
    }

    @Test("a lost output leaves the paused alone, and the playing where the setting says so")
    func outputLostQuietly() {
        var scene = Scene()
        scene.begin(Track.numbered(1...3))
        scene.machine.pausesOnLostOutput = false
        #expect(scene.engine(.outputChanged(.lost)) == [])
        #expect(scene.state.status == .playing)
        scene.machine.pausesOnLostOutput = true
        scene.command(.pause)
        #expect(scene.engine(.outputChanged(.lost)) == [])
        #expect(scene.state.problem == nil)
    }

    @Test("where the setting says to go on, a dead output is waited for and the sound goes on at the same second")
    func outputAwaited() {
        var scene = Scene()
        scene.machine.pausesOnLostOutput = false
        scene.begin(Track.numbered(1...3))
        scene.wait(.seconds(40))
        #expect(short(scene.engine(.outputChanged(.lost))) == "")
        let effects = short(scene.engine(.failed(LoadNumber(1), Failure(.audioOutput, "No sound server."))))
        #expect(effects == "silence, release #1, await output, save")
        scene.wait(.seconds(100))
        #expect(short(scene.state, at: scene.now) == "buffering e1 @40 !audio-output")
        #expect(short(scene.engine(.outputChanged(.ok))) == "find #2 e1, save")
        #expect(short(scene.send(.prepared(LoadNumber(2)))) == "load #2 @40 playing")
        scene.engine(.started(LoadNumber(2)))
        #expect(short(scene.state, at: scene.now) == "playing e1 @40")
    }

    @Test("paused while the output is waited for: nothing starts when it comes")
    func outputNoLongerAwaited() {
        var scene = Scene()
        scene.machine.pausesOnLostOutput = false
        scene.begin(Track.numbered(1...3))
        scene.wait(.seconds(40))
        scene.engine(.failed(LoadNumber(1), Failure(.audioOutput, "No sound server.")))
        scene.command(.pause)
        #expect(scene.engine(.outputChanged(.ok)) == [])
        #expect(short(scene.state, at: scene.now) == "paused e1 @40")
    }

    @Test("a paused load that starts after the output was lost does not hide that")
    func startedWhileLost() {
        var scene = Scene()
        scene.command(.playTracks(Track.numbered(1...2), startAt: 0))
        scene.send(.prepared(LoadNumber(1)))
        scene.engine(.outputChanged(.lost))
        scene.engine(.started(LoadNumber(1)))
        #expect(short(scene.state, at: scene.now) == "paused e1 @0 !audio-output")
    }
}
