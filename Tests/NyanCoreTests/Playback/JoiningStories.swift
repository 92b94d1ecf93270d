import NyanCore
import Testing

/// How one track becomes the next, told step by step.
@Suite("From track to track")
struct JoiningStories {
    @Test("a track joins the next without a gap and the clock starts at zero")
    func gapless() {
        var scene = Scene()
        scene.begin(Track.numbered(1...3))
        #expect(short(scene.send(.bytesComplete(LoadNumber(1)))) == "find #2 e2 next")
        #expect(short(scene.send(.prepared(LoadNumber(2)))) == "stage #2")
        scene.wait(.seconds(60))
        scene.engine(.lengthKnown(LoadNumber(2), .milliseconds(119_500)))
        #expect(scene.state.length == .seconds(60), "the length of what is staged waits for its turn")
        #expect(short(scene.engine(.started(LoadNumber(2)))) == "release #1, save")
        #expect(short(scene.state, at: scene.now) == "playing e2 @0")
        #expect(scene.state.length == .milliseconds(119_500))
        scene.wait(.seconds(7))
        #expect(scene.position == .seconds(7))
        #expect(scene.send(.bytesComplete(LoadNumber(1))) == [], "the first load is over")
    }

    @Test("bytes that were complete before the switch prepare the one after it at once")
    func chain() {
        var scene = Scene()
        scene.begin(Track.numbered(1...3))
        scene.send(.bytesComplete(LoadNumber(1)))
        scene.send(.prepared(LoadNumber(2)))
        #expect(scene.send(.bytesComplete(LoadNumber(2))) == [])
        #expect(short(scene.engine(.started(LoadNumber(2)))) == "release #1, find #3 e3 next, save")
    }

    @Test("bytes that are complete before the start prepare the next at the start")
    func completeEarly() {
        var scene = Scene()
        scene.command(.playTracks(Track.numbered(1...2), startAt: 0))
        scene.send(.prepared(LoadNumber(1)))
        #expect(scene.send(.bytesComplete(LoadNumber(1))) == [])
        #expect(short(scene.engine(.started(LoadNumber(1)))) == "find #2 e2 next")
    }

    @Test("a repeated track joins itself and its restart is announced once")
    func repeatTrack() {
        var scene = Scene()
        scene.command(.setRepeat(.track))
        scene.begin(Track.numbered(1...2))
        for load in UInt64(1)...3 {
            #expect(short(scene.send(.nearEnd(LoadNumber(load)))) == "find #\(load + 1) e1 next")
            #expect(short(scene.send(.prepared(LoadNumber(load + 1)))) == "stage #\(load + 1)")
            scene.wait(.seconds(60))
            let effects = short(scene.engine(.started(LoadNumber(load + 1))))
            #expect(effects == "release #\(load), jump @0, save")
            #expect(short(scene.state, at: scene.now) == "playing e1 @0")
        }
    }

    @Test("a repeated track that could not be staged starts again when it ends")
    func repeatTrackUnstaged() {
        var scene = Scene()
        scene.command(.setRepeat(.track))
        scene.begin(Track.numbered(1...2))
        scene.wait(.seconds(60))
        #expect(short(scene.engine(.ended(LoadNumber(1)))) == "find #2 e1, release #1, jump @0, save")
    }

    @Test(
        "an edit that changes what is next takes the staged one back",
        arguments: [
            (PlaybackCommand.setRepeat(.track), "unstage, release #2, find #3 e1 next, save"),
            (.add([.numbered(9)], next: true), "unstage, release #2, find #3 e5 next, save"),
            (.move(EntryID(3), to: 1), "unstage, release #2, find #3 e3 next, save"),
            (.move(EntryID(1), to: 2), "unstage, release #2, find #3 e4 next, save"),
            (.move(EntryID(1), to: 3), "unstage, release #2, save"),
            (.remove([EntryID(2)]), "unstage, release #2, find #3 e3 next, save"),
            (.remove([EntryID(2), EntryID(3)]), "unstage, release #2, find #3 e4 next, save"),
            // And these leave what is next as it is.
            (.add([.numbered(9)], next: false), "save"), (.setRepeat(.queue), "save"),
            (.remove([EntryID(4)]), "save"), (.move(EntryID(4), to: 2), "save"), (.move(EntryID(4), to: 0), "save"),
        ])
    func editAfterStaging(_ command: PlaybackCommand, _ expected: String) {
        var scene = Scene()
        scene.begin(Track.numbered(1...4))
        scene.send(.bytesComplete(LoadNumber(1)))
        scene.send(.prepared(LoadNumber(2)))
        #expect(short(scene.command(command)) == expected)
        #expect(short(scene.state, at: scene.now) == "playing e1 @0")
    }

    @Test("an entry that is added while the last one plays is prepared at once")
    func addAtTheEnd() {
        var scene = Scene()
        scene.begin(Track.numbered(1...1))
        #expect(scene.send(.bytesComplete(LoadNumber(1))) == [])
        #expect(short(scene.command(.add([.numbered(5)], next: false))) == "find #2 e2 next, save")
    }

    @Test("a next one that cannot be had is passed over without touching the sound")
    func passOver() {
        var scene = Scene()
        scene.begin(Track.numbered(1...4))
        scene.send(.bytesComplete(LoadNumber(1)))
        let gone = Failure(.unavailableTrack, "Gone.")
        #expect(short(scene.send(.refused(LoadNumber(2), gone))) == "release #2, find #3 e3 next")
        #expect(scene.state.problem?.subject == Track.numbered(2).id)
        scene.send(.prepared(LoadNumber(3)))
        #expect(short(scene.engine(.failed(LoadNumber(3), gone))) == "unstage, release #3, find #4 e4 next")
        scene.send(.prepared(LoadNumber(4)))
        #expect(short(scene.engine(.started(LoadNumber(4)))) == "release #1, save")
        #expect(short(scene.state, at: scene.now) == "playing e4 @0")
        #expect(short(scene.command(.previous)).hasPrefix("hold, find #5 e3"), "the order was passed, not changed")
    }

    @Test("the staged one is still the right one after the bad one before it was removed")
    func passOverThenRemove() {
        var scene = Scene()
        scene.begin(Track.numbered(1...4))
        scene.send(.bytesComplete(LoadNumber(1)))
        scene.send(.refused(LoadNumber(2), Failure(.unavailableTrack, "Gone.")))
        scene.send(.prepared(LoadNumber(3)))
        #expect(short(scene.command(.remove([EntryID(2)]))) == "save")
        scene.engine(.started(LoadNumber(3)))
        #expect(short(scene.state, at: scene.now) == "playing e3 @0")
    }

    @Test("no more than ten next ones are tried, and once more near the end")
    func passOverBounded() {
        var scene = Scene()
        scene.begin(Track.numbered(1...30))
        var load: UInt64 = 2
        scene.send(.bytesComplete(LoadNumber(1)))
        while !scene.send(.refused(LoadNumber(load), Failure(.offline, ""))).isEmpty, load < 50 { load += 1 }
        #expect(load == 12, "loads 2…11 were refused and there was no twelfth")
        #expect(short(scene.send(.nearEnd(LoadNumber(1)))) == "find #12 e2 next")
        scene.send(.refused(LoadNumber(12), Failure(.offline, "")))
        #expect(scene.send(.nearEnd(LoadNumber(1))) == [], "the second chance is given once")
    }

    @Test("the end of the queue stops on the last entry, and play starts it again")
    func endOfQueue() {
        var scene = Scene()
        scene.begin(Track.numbered(1...2), at: 1)
        #expect(scene.send(.bytesComplete(LoadNumber(1))) == [])
        scene.wait(.seconds(120))
        #expect(short(scene.engine(.ended(LoadNumber(1)))) == "silence, release #1, save")
        #expect(short(scene.state, at: scene.now) == "stopped e2 @0")
        #expect(short(scene.command(.play)) == "find #2 e2, save")
    }

    @Test("repeating the queue joins its last entry to its first")
    func repeatQueue() {
        var scene = Scene()
        scene.command(.setRepeat(.queue))
        scene.begin(Track.numbered(1...2), at: 1)
        #expect(short(scene.send(.bytesComplete(LoadNumber(1)))) == "find #2 e1 next")
        scene.send(.prepared(LoadNumber(2)))
        scene.engine(.started(LoadNumber(2)))
        #expect(short(scene.state, at: scene.now) == "playing e1 @0")
    }

    @Test("an end that comes while the next is still being found starts it as the current one")
    func endWhileFinding() {
        var scene = Scene()
        scene.begin(Track.numbered(1...2))
        scene.send(.bytesComplete(LoadNumber(1)))
        #expect(short(scene.engine(.ended(LoadNumber(1)))) == "find #3 e2, release #1, release #2, save")
        #expect(scene.send(.prepared(LoadNumber(2))) == [])
        #expect(short(scene.send(.prepared(LoadNumber(3)))) == "load #3 @0 playing")
    }

    @Test("going through a shuffled queue by itself plays every entry once a round", arguments: [1, 2, 7, 40])
    func shuffledRounds(_ count: Int) {
        var scene = Scene(seed: 5)
        scene.command(.setShuffle(true))
        scene.command(.setRepeat(.queue))
        scene.begin(Track.numbered(1...count), at: count / 2)
        var load: UInt64 = 1
        for _ in 1...3 {
            var heard = Set<EntryID>()
            for _ in 1...count {
                if let current = scene.state.current { heard.insert(current) }
                scene.send(.bytesComplete(LoadNumber(load)))
                load += 1
                scene.send(.prepared(LoadNumber(load)))
                scene.engine(.started(LoadNumber(load)))
            }
            #expect(heard.count == count)
        }
    }
}
