import NyanCore
import Testing

/// Edits of the queue as a listener sees them.
@Suite("Edits while it plays")
struct EditStories {
    private func order(_ scene: Scene) -> [UInt64] { scene.state.entries.map(\.id.number) }

    @Test("tracks are added at the end, or right after the current entry")
    func add() {
        var scene = Scene()
        scene.begin(Track.numbered(1...3), at: 1)
        scene.command(.add(Track.numbered(4...5), next: false))
        scene.command(.add(Track.numbered(6...7), next: true))
        #expect(order(scene) == [1, 2, 6, 7, 3, 4, 5])
        #expect(scene.state.current == EntryID(2))
    }

    @Test("adding to an empty queue shows the first track and does not play", arguments: [true, false])
    func addToEmpty(_ shuffled: Bool) {
        var scene = Scene(seed: 6)
        scene.command(.setShuffle(shuffled))
        scene.command(.add(Track.numbered(3...6), next: false))
        #expect(short(scene.state, at: scene.now) == "stopped e1 @0")
        #expect(scene.state.length == .seconds(180))
        #expect(scene.state.canGoNext && !scene.state.canGoPrevious)
    }

    @Test("moves put an entry where it is wanted and leave the sound alone", arguments: [(1, 2), (3, -5), (2, 99)])
    func move(_ entry: UInt64, _ index: Int) {
        var scene = Scene()
        scene.begin(Track.numbered(1...4), at: 2)
        #expect(short(scene.command(.move(EntryID(entry), to: index))) == "save")
        let place = min(max(index, 0), 3)
        #expect(scene.state.entries[place].id == EntryID(entry))
        #expect(scene.state.current == EntryID(3))
        #expect(scene.state.canGoNext == (scene.state.currentIndex != 3))
    }

    @Test("removing the current entry goes on to the next one in the same status")
    func removeCurrent() {
        var scene = Scene()
        scene.begin(Track.numbered(1...4), at: 1)
        scene.command(.remove([EntryID(2), EntryID(3)]))
        #expect(short(scene.state, at: scene.now) == "buffering e4 @0")
        #expect(scene.state.length == .seconds(240))
        scene.sound(2)
        scene.command(.pause)
        scene.command(.setRepeat(.queue))
        scene.command(.remove([EntryID(4)]))
        #expect(short(scene.state, at: scene.now) == "paused e1 @0")
    }

    @Test("removing every entry, or clearing, leaves nothing and no problem")
    func removeAll() {
        for command in [PlaybackCommand.remove([EntryID(1), EntryID(2)]), .clear] {
            var scene = Scene()
            scene.begin(Track.numbered(1...2))
            scene.send(.bytesComplete(LoadNumber(1)))
            scene.send(.refused(LoadNumber(2), FailureStories.gone))
            #expect(short(scene.command(command)) == "silence, release #1, save")
            #expect(scene.state == PlaybackState())
        }
    }

    @Test("an entry's number is never used twice")
    func numbers() {
        var scene = Scene()
        scene.command(.playTracks(Track.numbered(1...3), startAt: 0))
        scene.command(.playTracks(Track.numbered(1...2), startAt: 9))
        #expect(order(scene) == [4, 5])
        #expect(scene.state.current == EntryID(5), "an index past the end is the last")
        scene.command(.clear)
        scene.command(.add([.numbered(1)], next: true))
        #expect(order(scene) == [6])
    }

    @Test("a track described anew is shown anew in every entry, without disturbing the sound")
    func redescribe() {
        var scene = Scene()
        scene.begin([.numbered(1), .numbered(2), .numbered(1)])
        scene.wait(.seconds(5))
        var track = Track.numbered(1)
        track.title = "Better"
        #expect(short(scene.send(.trackChanged(track))) == "save")
        #expect(scene.state.entries.map(\.track.title) == ["Better", "T2", "Better"])
        #expect(scene.send(.trackChanged(track)) == [], "the same again changes nothing")
        #expect(short(scene.state, at: scene.now) == "playing e1 @5")
    }

    @Test("turning shuffle on and off leaves the current track and its sound alone")
    func shuffleSwitch() {
        var scene = Scene(seed: 8)
        scene.begin(Track.numbered(1...9), at: 4)
        scene.wait(.seconds(9))
        #expect(short(scene.command(.setShuffle(true))) == "save")
        #expect(short(scene.state, at: scene.now) == "playing e5 @9")
        #expect(!scene.state.canGoPrevious, "all others are still to come")
        #expect(short(scene.command(.setShuffle(false))) == "save")
        #expect(short(scene.state, at: scene.now) == "playing e5 @9")
        scene.command(.next)
        #expect(scene.state.current == EntryID(6))
    }

    @Test("repeating the queue makes next and previous possible; one entry alone starts again")
    func repeatAlone() {
        var scene = Scene()
        scene.begin([.numbered(1)])
        #expect(!scene.state.canGoNext && !scene.state.canGoPrevious)
        scene.command(.setRepeat(.queue))
        #expect(scene.state.canGoNext && scene.state.canGoPrevious)
        scene.wait(.seconds(2))
        #expect(short(scene.command(.next)) == "hold, find #2 e1, release #1, jump @0, save")
    }

    @Test("ten thousand entries are edited and played quickly")
    func large() {
        var scene = Scene(seed: 2)
        let clock = ContinuousClock()
        let time = clock.measure {
            scene.command(.setShuffle(true))
            scene.command(.playTracks((1...10_000).map { .numbered($0) }, startAt: 5_000))
            for number in 1...40 {
                scene.command(.next)
                scene.command(.add([.numbered(number)], next: number % 2 == 0))
                scene.command(.move(EntryID(UInt64(number * 7)), to: number))
                scene.command(.remove([EntryID(UInt64(number * 11))]))
                scene.send(.trackChanged(.numbered(20_000 + number)))
                scene.command(.previous)
            }
        }
        #expect(scene.state.entries.count == 10_000)
        // Far above what it takes (an unoptimised build on a busy machine), far below what n² would take.
        #expect(time < .seconds(20))
    }
}
