import NyanCore
import Testing

/// Tracks that cannot be played and outputs that go away, told step by step (DESIGN.md §7, field-issues.md B3, B4, B9).
@Suite("Trouble")
struct FailureStories {
    static let gone = Failure(.unavailableTrack, "Gone.")

    /// Refuses every current load until the player gives up; returns how many were tried.
    private func refuseAll(_ scene: inout Scene, from load: UInt64 = 1, with failure: Failure = gone) -> Int {
        var tried = 0
        while scene.state.status == .playing, tried < 100 {
            scene.send(.refused(LoadNumber(load + UInt64(tried)), failure))
            tried += 1
        }
        return tried
    }

    @Test(
        "a queue of bad tracks only is given up after one round or ten tracks",
        arguments: [(1, 1), (2, 2), (9, 9), (10, 10), (11, 10), (50, 10)])
    func allBadRepeating(_ count: Int, _ tries: Int) {
        var scene = Scene()
        scene.command(.setRepeat(.queue))
        scene.command(.playTracks(Track.numbered(1...count), startAt: count - 1))
        #expect(refuseAll(&scene) == tries)
        #expect(scene.state.status == .stopped)
        #expect(scene.state.problem?.code == .unavailableTrack)
        // One reason for all of them, and the place where it began.
        #expect(scene.state.problem?.subject == (count == 1 ? scene.state.currentEntry?.track.id : nil))
        #expect(scene.state.currentIndex == count - 1)
        #expect(scene.state.entries.count == count)
        #expect(scene.position == .zero)
    }

    @Test(
        "without repeat a bad queue ends at its end, and the place is where it began",
        arguments: [RepeatMode.off, .track])
    func allBadOnce(_ mode: RepeatMode) {
        var scene = Scene()
        scene.command(.setRepeat(mode))
        scene.command(.playTracks(Track.numbered(1...5), startAt: 2))
        #expect(refuseAll(&scene) == 3)
        #expect(short(scene.state, at: scene.now) == "stopped e3 @0 !unavailable-track")
        #expect(scene.state.problem?.message == "3 tracks in a row could not be played; the last one: Gone.")
    }

    @Test("a shuffled queue of bad tracks tries each once")
    func allBadShuffled() {
        var scene = Scene()
        scene.command(.setShuffle(true))
        scene.command(.setRepeat(.queue))
        scene.command(.playTracks(Track.numbered(1...6), startAt: 3))
        var tried: [EntryID] = []
        var load: UInt64 = 1
        while scene.state.status == .playing, tried.count < 100, let current = scene.state.current {
            tried.append(current)
            scene.send(.refused(LoadNumber(load), Self.gone))
            load += 1
        }
        #expect(tried.count == 6)
        #expect(Set(tried).count == 6)
        #expect(scene.state.current == tried.first)
    }

    @Test("a row of failures after what played well goes back to the first of them, over the edge of a round too")
    func placeKept() {
        for shuffled in [false, true] {
            var scene = Scene(seed: 3)
            scene.command(.setRepeat(.queue))
            scene.command(.playTracks(Track.numbered(1...4), startAt: 2))
            scene.command(.setShuffle(shuffled))
            scene.sound(1)
            scene.wait(.seconds(180))
            scene.engine(.ended(LoadNumber(1)))
            let first = scene.state.current
            #expect(refuseAll(&scene, from: 2) == 4)
            #expect(scene.state.current == first)
            scene.command(.play)
            #expect(scene.state.current == first && scene.state.status == .playing)
        }
    }

    @Test("a row of scraps of tracks comes to an end, each by itself or joined", arguments: [false, true])
    func scraps(joined: Bool) {
        var scene = Scene()
        scene.command(.setRepeat(.queue))
        scene.command(.playTracks(Track.numbered(1...3), startAt: 0))
        var load: UInt64 = 1
        scene.sound(load)
        while scene.state.status == .playing, load < 50 {
            scene.engine(.lengthKnown(LoadNumber(load), .milliseconds(60)))
            scene.wait(.milliseconds(60))
            if joined, load < 3 {
                scene.send(.bytesComplete(LoadNumber(load)))
                scene.send(.prepared(LoadNumber(load + 1)))
                scene.engine(.started(LoadNumber(load + 1)))
            } else {
                scene.engine(.ended(LoadNumber(load)))
                if scene.state.status == .playing { scene.sound(load + 1) }
            }
            load += 1
        }
        #expect(load == 4)
        #expect(short(scene.state, at: scene.now) == "stopped e1 @0 !damaged-sound")
    }

    @Test("short sounds that are meant to be short come round as often as wished")
    func shortSounds() {
        var scene = Scene()
        scene.command(.setRepeat(.queue))
        let second = Track(id: TrackID(owner: 1, audio: 1), artist: "A", title: "T", duration: 1)
        scene.command(.playTracks([second], startAt: 0))
        for load in UInt64(1)...30 {
            scene.sound(load)
            scene.engine(.lengthKnown(LoadNumber(load), .milliseconds(300)))
            scene.wait(.milliseconds(300))
            scene.engine(.ended(LoadNumber(load)))
        }
        #expect(scene.state.status == .playing)
    }

    static let noDecoder = Failure(.missingDecoder, "Install it.", retry: .later)

    @Test("a missing piece that all need pauses at the first track, about none, and play tries again there")
    func missingPiece() {
        var scene = Scene()
        scene.command(.setRepeat(.queue))
        scene.command(.playTracks(Track.numbered(1...5), startAt: 1))
        scene.send(.prepared(LoadNumber(1)))
        scene.engine(.failed(LoadNumber(1), Self.noDecoder))
        #expect(short(scene.state, at: scene.now) == "paused e2 @0 !missing-decoder")
        #expect(scene.state.problem?.subject == nil)
        #expect(short(scene.command(.play)) == "find #2 e2, save")
        scene.sound(2)
        #expect(short(scene.state, at: scene.now) == "playing e2 @0")
    }

    @Test("a decoder that only one format needs is passed over once; a second track without one ends the row")
    func exoticFormat() {
        let failure = Failure(.missingDecoder, "AAC.")
        var scene = Scene()
        scene.command(.playTracks(Track.numbered(1...5), startAt: 0))
        scene.send(.prepared(LoadNumber(1)))
        scene.engine(.failed(LoadNumber(1), failure))
        #expect(short(scene.state, at: scene.now) == "buffering e2 @0 !missing-decoder")
        scene.send(.prepared(LoadNumber(2)))
        scene.engine(.failed(LoadNumber(2), failure))
        #expect(short(scene.state, at: scene.now) == "paused e2 @0 !missing-decoder")
    }

    @Test("a missing piece of the next track prepares no other; the current one is heard, then the row stops")
    func missingPieceNext() {
        var scene = Scene()
        scene.begin(Track.numbered(1...5))
        scene.send(.bytesComplete(LoadNumber(1)))
        scene.send(.prepared(LoadNumber(2)))
        #expect(short(scene.engine(.failed(LoadNumber(2), Self.noDecoder))) == "unstage, release #2")
        scene.wait(.seconds(40))
        #expect(short(scene.send(.nearEnd(LoadNumber(1)))) == "")
        scene.wait(.seconds(20))
        #expect(short(scene.engine(.ended(LoadNumber(1)))) == "find #3 e2, release #1, save")
        scene.send(.prepared(LoadNumber(3)))
        scene.engine(.failed(LoadNumber(3), Self.noDecoder))
        #expect(short(scene.state, at: scene.now) == "paused e2 @0 !missing-decoder")
    }

    @Test("several errors about one track count once")
    func severalErrors() {
        var scene = Scene()
        scene.begin(Track.numbered(1...3))
        scene.engine(.failed(LoadNumber(1), Self.gone))
        #expect(scene.engine(.failed(LoadNumber(1), Self.gone)) == [])
        #expect(scene.engine(.ended(LoadNumber(1))) == [])
        #expect(short(scene.state, at: scene.now) == "buffering e2 @0 !unavailable-track")
    }

    @Test("a good start clears the problem and a track that played begins a new count")
    func goodStart() {
        var scene = Scene()
        scene.command(.playTracks(Track.numbered(1...30), startAt: 0))
        for load in UInt64(1)...9 { scene.send(.refused(LoadNumber(load), Self.gone)) }
        #expect(scene.state.problem != nil)
        scene.sound(10)
        #expect(scene.state.problem == nil)
        scene.wait(.seconds(600))
        scene.engine(.ended(LoadNumber(10)))
        #expect(refuseAll(&scene, from: 11) == 10)
    }

    @Test("tracks that start but fail at once are bad, too")
    func startsAndFails() {
        var scene = Scene()
        scene.command(.setRepeat(.queue))
        scene.command(.playTracks(Track.numbered(1...3), startAt: 0))
        for load in UInt64(1)...3 {
            scene.sound(load)
            scene.wait(.seconds(1))
            scene.engine(.failed(LoadNumber(load), Failure(.damagedSound, "")))
        }
        #expect(scene.state.status == .stopped)
    }

    @Test("a sound that ends before it begins does not come round for ever")
    func noLength() {
        var scene = Scene()
        scene.command(.setRepeat(.track))
        scene.command(.playTracks(Track.numbered(1...1), startAt: 0))
        scene.send(.prepared(LoadNumber(1)))
        scene.engine(.ended(LoadNumber(1)))
        #expect(short(scene.state, at: scene.now) == "stopped e1 @0 !damaged-sound")
    }

    @Test("a person's wish begins a new count")
    func wishResets() {
        var scene = Scene()
        scene.command(.setRepeat(.queue))
        scene.command(.playTracks(Track.numbered(1...4), startAt: 0))
        for load in UInt64(1)...3 { scene.send(.refused(LoadNumber(load), Self.gone)) }
        scene.command(.next)
        #expect(refuseAll(&scene, from: 5) == 4)
    }

    @Test("what fails while paused stays where it was, and play tries again there")
    func failsWhilePaused() {
        var scene = Scene()
        scene.begin(Track.numbered(1...3))
        scene.wait(.seconds(33))
        scene.command(.pause)
        scene.wait(.seconds(1_200))
        #expect(short(scene.engine(.failed(LoadNumber(1), Failure(.network, "")))) == "silence, release #1, save")
        #expect(short(scene.state, at: scene.now) == "paused e1 @33 !network")
        #expect(short(scene.command(.play)) == "find #2 e1, save")
        #expect(short(scene.send(.prepared(LoadNumber(2)))) == "load #2 @33 playing")
        scene.engine(.started(LoadNumber(2)))
        #expect(short(scene.state, at: scene.now) == "playing e1 @33")
    }

    @Test("without the bytes of the next, a network failure skips to what may be on disk")
    func networkSkips() {
        var scene = Scene()
        scene.begin(Track.numbered(1...3))
        scene.wait(.seconds(30))
        let effects = short(scene.engine(.failed(LoadNumber(1), Failure(.network, "No route."))))
        #expect(effects == "find #2 e2, release #1, save")
        scene.sound(2)
        #expect(short(scene.state, at: scene.now) == "playing e2 @0")
    }
}
