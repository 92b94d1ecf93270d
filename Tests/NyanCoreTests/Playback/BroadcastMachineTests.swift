import NyanCore
import Testing

@Suite("The track in the VK status")
struct BroadcastMachineTests {
    private let a = TrackID(owner: 1, audio: 1)
    private let b = TrackID(owner: 1, audio: 2)

    /// A machine with the setting on and an account, and its clock.
    private final class Stage {
        var machine = BroadcastMachine()
        var now = Duration.seconds(1000)

        init(on: Bool = true, account: Int? = 1) {
            _ = machine.handle(.setOn(on), at: now)
            _ = machine.handle(.account(account), at: now)
        }

        func hear(_ input: BroadcastMachine.Input) -> [BroadcastMachine.Effect] {
            machine.handle(input, at: now)
        }

        /// Goes to the next moment the machine asked for; nil = it asked for none.
        func wait() -> [BroadcastMachine.Effect]? {
            guard let moment = machine.nextMoment else { return nil }
            now = moment
            return machine.handle(.moment, at: now)
        }

        /// A track that is shown.
        func show(_ track: TrackID) {
            _ = hear(.playback(.sounding(track)))
            #expect(wait() == [.show(track)])
            #expect(hear(.answered(.done)) == [])
        }
    }

    @Test("a track is shown once it has sounded for five seconds")
    func settles() {
        let stage = Stage()
        #expect(stage.hear(.playback(.sounding(a))) == [])
        #expect(stage.machine.nextMoment == stage.now + .seconds(5))
        #expect(stage.wait() == [.show(a)])
        #expect(stage.hear(.answered(.done)) == [])
        #expect(stage.wait() == nil, "nothing more wakes up for it")
    }

    @Test("who skips through the queue tells only where they stay, and fifteen seconds apart")
    func skips() {
        let stage = Stage()
        stage.show(a)
        for number in 2...9 {
            stage.now += .seconds(1)
            #expect(stage.hear(.playback(.sounding(TrackID(owner: 1, audio: Int64(number))))) == [])
        }
        #expect(stage.machine.nextMoment == .seconds(1000 + 5 + 15))
        #expect(stage.wait() == [.show(TrackID(owner: 1, audio: 9))])
    }

    @Test("a short pause changes nothing, a long one, a stop and another's sound end it")
    func ends() {
        let stage = Stage()
        stage.show(a)
        #expect(stage.hear(.playback(.paused)) == [])
        stage.now += .seconds(30)
        #expect(stage.hear(.playback(.sounding(a))) == [])
        #expect(stage.wait() == nil, "it is shown already")
        let ends: [(BroadcastMachine.Playback, Int)] = [(.paused, 60), (.stopped, 5), (.sounding(nil), 5)]
        for (playback, seconds) in ends {
            let stage = Stage()
            stage.show(a)
            stage.now += .seconds(100)
            _ = stage.hear(.playback(playback))
            #expect(stage.machine.nextMoment == stage.now + .seconds(seconds))
            #expect(stage.wait() == [.show(nil)])
            _ = stage.hear(.answered(.done))
            #expect(stage.wait() == nil && !stage.machine.needsClearing)
        }
    }

    @Test("off, offline, signed out, idle: nothing is told and nothing wakes up")
    func quiet() {
        for stage in [Stage(on: false), Stage(account: nil)] {
            for playback in [BroadcastMachine.Playback.sounding(a), .paused, .stopped, .sounding(b)] {
                #expect(stage.hear(.playback(playback)) == [])
                #expect(stage.machine.nextMoment == nil && !stage.machine.needsClearing)
            }
        }
        let idle = Stage()
        #expect(idle.hear(.playback(.paused)) == [] && idle.machine.nextMoment == nil)
    }

    @Test("back online the track that plays is told; another account has shown nothing yet")
    func returns() {
        let stage = Stage(account: nil)
        _ = stage.hear(.playback(.sounding(a)))
        stage.now += .seconds(60)
        #expect(stage.hear(.account(1)) == [.show(a)])
        _ = stage.hear(.answered(.done))
        stage.now += .seconds(60)
        #expect(stage.hear(.account(nil)) == [] && stage.hear(.account(1)) == [])
        #expect(stage.hear(.account(2)) == [.show(a)])
    }

    @Test("a refusal ends it until the setting is read again; a failure until something else happens")
    func refused() {
        let stage = Stage()
        _ = stage.hear(.playback(.sounding(a)))
        _ = stage.wait()
        #expect(stage.hear(.answered(.refused)) == [])
        stage.now += .seconds(60)
        #expect(stage.hear(.playback(.sounding(b))) == [] && stage.wait() == nil && !stage.machine.needsClearing)
        stage.now += .seconds(60)
        #expect(stage.hear(.setOn(true)) == [.show(b)])
        #expect(stage.hear(.answered(.failed)) == [] && stage.wait() == nil)
        stage.now += .seconds(60)
        _ = stage.hear(.playback(.sounding(a)))
        #expect(stage.wait() == [.show(a)])
    }

    @Test("switched off it ends at once what it shows")
    func switchedOff() {
        let stage = Stage()
        stage.show(a)
        #expect(stage.hear(.setOn(false)) == [.show(nil)])
        _ = stage.hear(.answered(.done))
        #expect(stage.hear(.playback(.sounding(b))) == [] && stage.wait() == nil)
    }

    @Test("a call under way is given up when the track changes, and what VK shows then is not taken for known")
    func givesUp() {
        let stage = Stage()
        _ = stage.hear(.playback(.sounding(a)))
        #expect(stage.wait() == [.show(a)])
        stage.now += .seconds(20)
        #expect(stage.hear(.playback(.sounding(b))) == [.giveUp])
        #expect(stage.machine.needsClearing)
        stage.now += .seconds(1)
        #expect(stage.hear(.playback(.sounding(a))) == [])
        #expect(stage.wait() == [.show(a)])
    }
}
