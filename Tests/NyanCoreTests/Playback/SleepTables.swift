import NyanCore
import Testing

/// What the machine's sleep does to the player in every situation, and what every input does while it is held for it.
/// Rows as in `SituationTableTests`.
@Suite("Sleep and wake")
struct SleepTables {
    /// situation | state once told of the sleep | effects | state after the wake | effects
    static let rows = """
        empty     | stopped – @0     | save       | stopped – @0     | -
        stopped   | stopped e2 @0    | save       | stopped e2 @0    | -
        restored  | paused e2 @10    | save       | paused e2 @10    | -
        preparing | buffering e2 @0  | save       | buffering e2 @0  | jump @0
        loading   | buffering e2 @0  | hold, save | buffering e2 @0  | run, jump @0
        playing   | buffering e2 @10 | hold, save | playing e2 @10   | run, jump @10
        paused    | paused e2 @10    | save       | paused e2 @10    | -
        buffering | buffering e2 @10 | hold, save | buffering e2 @10 | run, jump @10
        seeking   | playing e2 @20   | hold, save | playing e2 @20   | run, jump @20
        finding   | buffering e2 @10 | hold, save | playing e2 @10   | run, jump @10
        staged    | buffering e2 @10 | hold, save | playing e2 @10   | run, jump @10
        """.split(separator: "\n").map { line in
            line.split(separator: "|").map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
        }

    @Test("before sleep it is saved and held, after it goes on where it was or stays as it was", arguments: rows)
    func sleepAndWake(_ row: [String]) throws {
        var scene = try #require(Situation(rawValue: row[0])).scene()
        // A seek counts as buffering only while held.
        let asleep = row[0] == "seeking" ? "buffering e2 @20" : row[1]
        #expect(effects(scene.send(.willSleep)) == row[2])
        #expect(short(scene.state, at: scene.now) == asleep)
        // A second announcement changes nothing more.
        let held = scene.state
        #expect(effects(scene.send(.willSleep)) == "save")
        #expect(scene.state == held)
        scene.wait(.seconds(3))
        #expect(short(scene.state, at: scene.now) == asleep)
        #expect(effects(scene.send(.didWake)) == row[4])
        #expect(short(scene.state, at: scene.now) == row[3])
        // Nor does a second wake-up: clients are told the position again, no more.
        let jump = scene.state.status == .playing ? "jump @\(short(scene.position))" : "-"
        let awake = scene.state
        #expect(effects(scene.send(.didWake)) == jump)
        #expect(scene.state == awake)
    }

    @Test("a wake-up nobody announced leaves everything as it is", arguments: Situation.allCases)
    func unannounced(_ situation: Situation) {
        var scene = situation.scene()
        let before = scene.state
        let told = scene.send(.didWake)
        #expect(scene.state == before)
        #expect(told.allSatisfy { if case .announceJump = $0 { true } else { false } })
    }

    private func effects(_ effects: [PlaybackEffect]) -> String { effects.isEmpty ? "-" : short(effects) }

    // While held.

    private func held(_ situation: Situation = .playing) -> Scene {
        var scene = situation.scene()
        scene.send(.willSleep)
        return scene
    }

    @Test("no input but a wish to hear something lets sound out while held", arguments: Inputs.all.map(\.word))
    func silence(_ word: String) throws {
        let wishes = ["play", "next", "seek +999", "play tracks", "go e1", "go e2", "remove e2"]
        let input = try #require(Inputs.all.first { $0.word == word }?.input)
        for situation in Situation.allCases {
            var scene = held(situation)
            guard scene.machine.isHeldForSleep else { continue }
            let told = scene.send(input)
            let isHeld = scene.machine.isHeldForSleep
            if isHeld {
                #expect(scene.state.isBuffering && scene.state.position.runningSince == nil, "\(situation)")
                #expect(!told.contains(.setPlaying(true)), "\(situation)")
                for case .load(_, _, let playing) in told { #expect(!playing, "\(situation)") }
            }
            if wishes.contains(word) { #expect(!isHeld, "\(situation)") }
        }
    }

    @Test("what fails while held is tried again at the same second after the wake-up, and no track is skipped")
    func failure() {
        for failure in [Failure(.network, ""), Failure(.timeout, ""), Failure(.unavailableTrack, "")] {
            var scene = held()
            #expect(short(scene.send(.refused(LoadNumber(1), failure))) == "silence, release #1, save")
            #expect(short(scene.state, at: scene.now) == "buffering e2 @10")
            #expect(short(scene.send(.didWake)) == "find #2 e2, jump @10, save")
            scene.sound(2)
            #expect(short(scene.state, at: scene.now) == "playing e2 @10")
        }
    }

    @Test("bytes that come while held are loaded without a sound, and sound after the wake-up")
    func loadedWhileHeld() {
        var scene = held(.preparing)
        #expect(short(scene.send(.prepared(LoadNumber(1)))) == "volume 1.0, load #1 @0 paused")
        scene.engine(.started(LoadNumber(1)))
        #expect(short(scene.state, at: scene.now) == "buffering e2 @0")
        #expect(short(scene.send(.didWake)) == "run, jump @0")
        #expect(short(scene.state, at: scene.now) == "playing e2 @0")
    }

    @Test("paused or stopped while held stays so after the wake-up", arguments: ["pause", "toggle", "stop"])
    func pausedWhileHeld(_ word: String) throws {
        var scene = held()
        scene.send(try #require(Inputs.all.first { $0.word == word }?.input))
        let before = scene.state
        #expect(before.status == (word == "stop" ? .stopped : .paused))
        #expect(scene.send(.didWake) == [])
        #expect(scene.state == before)
    }

    @Test("played by hand before anybody told of the wake-up: the hold is over, and the wake-up changes nothing")
    func playedByHand() {
        var scene = held()
        #expect(short(scene.command(.play)) == "run, jump @10")
        #expect(short(scene.state, at: scene.now) == "playing e2 @10")
        scene = held()
        #expect(short(scene.command(.next)) == "find #2 e3, release #1, save")
        scene.send(.prepared(LoadNumber(2)))
        scene.engine(.started(LoadNumber(2)))
        #expect(short(scene.state, at: scene.now) == "playing e3 @0")
        // Paused while held and played again.
        scene = held()
        scene.command(.pause)
        #expect(short(scene.command(.play)) == "run")
        #expect(short(scene.state, at: scene.now) == "playing e2 @10")
    }

    @Test("an output that is gone after the wake-up pauses there with a reason, and `play` tries again")
    func outputGone() {
        var scene = held()
        scene.send(.didWake)
        scene.engine(.failed(LoadNumber(1), Failure(.audioOutput, "gone")))
        #expect(short(scene.state, at: scene.now) == "paused e2 @10 !audio-output")
        #expect(short(scene.command(.play)) == "find #2 e2, save")
        // A headset that went with the sleep: paused stays paused.
        scene = held()
        scene.engine(.outputChanged(.lost))
        scene.send(.didWake)
        #expect(short(scene.state, at: scene.now) == "paused e2 @10 !audio-output")
    }

    @Test("a process that was stopped begins the sound anew where it was heard last; what stood still does not")
    func stoodStill() {
        for situation in Situation.allCases {
            var scene = situation.scene()
            let before = scene.state
            scene.wait(.seconds(100))
            let told = short(scene.send(.stoodStill(since: scene.now - .seconds(100))))
            if before.position.runningSince != nil {
                #expect(told.hasPrefix("hold, find "), "\(situation): \(told)")
                #expect(short(scene.state, at: scene.now) == "buffering e2 @10", "\(situation)")
            } else {
                #expect(told == "", "\(situation)")
            }
        }
    }

    @Test("a file that became another is begun anew at the same second, three times at most; paused it waits")
    func anotherFile() {
        var scene = Situation.playing.scene()
        for load in 1...3 as ClosedRange<UInt64> {
            #expect(
                short(scene.send(.soundChanged(LoadNumber(load))))
                    == "hold, find #\(load + 1) e2, release #\(load), save")
            scene.sound(load + 1)
            #expect(short(scene.state, at: scene.now) == "playing e2 @10")
        }
        scene.send(.soundChanged(LoadNumber(4)))
        #expect(scene.state.problem?.code == .badAnswer && short(scene.state, at: scene.now).hasPrefix("buffering e3"))
        scene = Situation.paused.scene()
        scene.send(.soundChanged(LoadNumber(1)))
        #expect(short(scene.state, at: scene.now) == "paused e2 @10")
        // The next one is found anew; what sounds goes on.
        scene = Situation.staged.scene()
        #expect(short(scene.send(.soundChanged(LoadNumber(2)))) == "unstage, release #2, find #3 e3 next")
        // Nothing of a load that is gone or has not been heard of counts.
        scene = Situation.preparing.scene()
        #expect(scene.send(.soundChanged(LoadNumber(1))) == [] && scene.send(.soundChanged(LoadNumber(99))) == [])
    }

    @Test("what is saved before the sleep is the second that is heard after it")
    func saved() {
        var scene = held()
        scene.wait(.seconds(100))
        #expect(scene.machine.saved(at: scene.now).position == 10)
    }
}
