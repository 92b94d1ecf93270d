import NyanCore
import Testing

/// What survives a restart (CONTRACT.md §2), and what damaged state becomes.
@Suite("Coming back after a restart")
struct RestoreStories {
    @Test("queue, modes, volume and place come back, paused and silent")
    func roundTrip() {
        var scene = Scene()
        scene.begin(Track.numbered(1...5), at: 2)
        scene.command(.setRepeat(.queue))
        scene.command(.setVolume(0.35))
        scene.command(.remove([EntryID(5)]))
        scene.wait(.milliseconds(12_345))
        let saved = scene.machine.saved(at: scene.now)
        #expect(abs(saved.position - 12.345) < 0.001)
        var again = Scene(restoring: saved, seed: 9)
        #expect(again.state.entries == scene.state.entries)
        #expect(again.state.status == .paused)
        #expect(again.state.current == EntryID(3))
        #expect(again.state.repeatMode == .queue)
        #expect(again.state.volume == 0.35)
        #expect(again.state.length == .seconds(180))
        again.wait(.seconds(50))
        #expect(short(again.position) == "12.3")
        #expect(short(again.command(.play)) == "find #1 e3, save")
        #expect(short(again.send(.prepared(LoadNumber(1)))) == "volume 0.35, load #1 @12.3 playing")
        again.command(.add([.numbered(9)], next: false))
        #expect(again.state.entries.last?.id == EntryID(6), "a removed entry's number is not used again")
    }

    @Test("a stopped player comes back stopped, at zero")
    func stopped() {
        var scene = Scene()
        scene.begin(Track.numbered(1...3), at: 1)
        scene.wait(.seconds(20))
        scene.command(.stop)
        let again = Scene(restoring: scene.machine.saved(at: scene.now))
        #expect(short(again.state, at: again.now) == "stopped e2 @0")
        #expect(again.state.canGoNext && again.state.canGoPrevious)
    }

    @Test("a shuffled order goes on where it was, with the played part behind it")
    func shuffledOrder() {
        var scene = Scene(seed: 3)
        scene.command(.setShuffle(true))
        scene.begin(Track.numbered(1...12))
        var heard = [scene.state.current]
        for _ in 1...5 {
            scene.command(.next)
            heard.append(scene.state.current)
        }
        var again = Scene(restoring: scene.machine.saved(at: scene.now), seed: 77)
        var other = again
        while again.state.canGoNext {
            again.command(.next)
            heard.append(again.state.current)
        }
        #expect(Set(heard).count == 12)
        #expect(heard.count == 12)
        for before in heard[..<5].reversed() {
            other.command(.previous)
            #expect(other.state.current == before)
        }
    }

    @Test("the way back over the edge of rounds survives a restart, and so does what was announced")
    func overTheEdge() {
        var scene = Scene(seed: 3)
        scene.command(.setShuffle(true))
        scene.command(.setRepeat(.queue))
        scene.begin(Track.numbered(1...4))
        var heard = [scene.state.current]
        for _ in 1...11 {
            scene.command(.next)
            heard.append(scene.state.current)
        }
        for before in heard.dropLast().reversed() {
            scene = Scene(restoring: scene.machine.saved(at: scene.now), seed: 77)
            scene.command(.previous)
            #expect(scene.state.current == before)
        }
        for after in heard.dropFirst() {
            scene = Scene(restoring: scene.machine.saved(at: scene.now), seed: 78)
            scene.command(.next)
            #expect(scene.state.current == after)
        }
    }

    @Test("radio begins where it is now; an address whose length was learnt goes on, and its entry keeps the length")
    func addresses() throws {
        let track = try SoundAddress("http://h.test/x").track
        for length in [nil, Duration.seconds(300)] {
            var scene = Scene()
            scene.begin([track])
            if let length { scene.engine(.lengthKnown(LoadNumber(1), length)) }
            scene.wait(.seconds(20))
            let saved = scene.machine.saved(at: scene.now)
            #expect(saved.entries[0].track.duration == (length == nil ? 0 : 300))
            var again = Scene(restoring: saved)
            #expect(short(again.state, at: again.now) == (length == nil ? "stopped e1 @0" : "paused e1 @20"))
            scene.engine(.failed(LoadNumber(1), Failure(.audioOutput, "")))
            scene.command(.play)
            #expect(short(scene.position) == (length == nil ? "0" : "20"))
            again.command(.play)
            #expect(short(again.position) == (length == nil ? "0" : "20"))
        }
    }

    @Test("nothing saved is an empty, stopped player")
    func nothing() {
        let scene = Scene(restoring: nil)
        #expect(scene.state == PlaybackState())
        #expect(Scene(restoring: SavedPlayback()).state == PlaybackState())
    }

    @Test(
        "a position that makes no sense is the start",
        arguments: [-1, .nan, .infinity, 1e300, 60, 61] as [Double])
    func badPosition(_ position: Double) {
        var saved = SavedPlayback()
        saved.entries = [Entry(id: EntryID(1), track: .numbered(1))]
        saved.current = EntryID(1)
        saved.position = position
        let scene = Scene(restoring: saved)
        #expect(short(scene.state, at: scene.now) == "stopped e1 @0")
    }

    @Test("double ids, unknown ids, a low next number and a loud volume are put right")
    func damaged() {
        var saved = SavedPlayback()
        saved.entries = [1, 2, 2, 7].map { Entry(id: EntryID($0), track: .numbered(Int($0))) }
        saved.current = EntryID(99)
        saved.position = 30
        saved.shuffle = true
        saved.order = [EntryID(50), EntryID(7), EntryID(7)]
        saved.nextEntry = 2
        saved.volume = 40
        var scene = Scene(restoring: saved)
        #expect(scene.state.entries.map(\.id) == [EntryID(1), EntryID(2), EntryID(7)])
        #expect(short(scene.state, at: scene.now) == "stopped e1 @0")
        #expect(scene.state.volume == 1)
        #expect(Set(scene.machine.saved(at: scene.now).order) == Set(scene.state.entries.map(\.id)))
        scene.command(.add([.numbered(1)], next: false))
        #expect(scene.state.entries.last?.id == EntryID(8))
    }

    @Test("an order is saved only while it is shuffled, the current entry first when it was just turned on")
    func savedOrder() {
        var scene = Scene(seed: 4)
        scene.command(.setShuffle(true))
        scene.begin(Track.numbered(1...4), at: 1)
        let saved = scene.machine.saved(at: scene.now)
        #expect(saved.order.count == 4)
        scene.command(.setShuffle(false))
        #expect(scene.machine.saved(at: scene.now).order == [])
        #expect(saved.order.first == EntryID(2))
    }
}
