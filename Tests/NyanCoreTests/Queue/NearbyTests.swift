import Testing

@testable import NyanCore

/// The part of the queue that MPRIS shows as its track list.
@Suite("What plays round the current entry")
struct NearbyTests {
    private static let parts: [(cursor: Int, count: Int, part: Range<Int>)] = [
        (0, 0, 0..<0), (0, 1, 0..<1), (19, 20, 0..<20), (0, 21, 0..<20), (9, 21, 0..<20), (10, 21, 1..<21),
        (0, 10_000, 0..<20), (9, 10_000, 0..<20), (10, 10_000, 5..<25), (19, 10_000, 5..<25), (20, 10_000, 15..<35),
        (5_000, 10_000, 4_995..<5_015), (9_999, 10_000, 9_980..<10_000), (9_990, 10_000, 9_980..<10_000),
    ]

    @Test("twenty entries are near, all of a short queue, and the part moves once in ten tracks", arguments: parts)
    func part(_ cursor: Int, _ count: Int, _ part: Range<Int>) {
        #expect(PlayOrder.nearby(cursor: cursor, count: count) == part)
    }

    @Test("wherever the current entry is, it is near, with five on either side as far as there are any")
    func margins() {
        for count in [1, 2, 19, 20, 21, 25, 30, 99, 1_000] {
            for cursor in 0..<count {
                let part = PlayOrder.nearby(cursor: cursor, count: count)
                #expect(part.count == min(count, 20) && part.contains(cursor))
                #expect(part.lowerBound <= max(0, cursor - 5), "\(cursor) of \(count)")
                #expect(part.upperBound > min(count - 1, cursor + 5), "\(cursor) of \(count)")
            }
        }
    }

    private func near(_ scene: Scene) -> [UInt64] { scene.state.nearby.map(\.id.number) }

    @Test("the list is the order of playing, also a shuffled one")
    func shuffled() {
        var scene = Scene(seed: 3)
        scene.begin(Track.numbered(1...9), at: 4)
        #expect(near(scene) == Array(1...9))
        scene.command(.setShuffle(true))
        let shown = near(scene)
        #expect(shown.first == 5 && shown.sorted() == Array(1...9) && shown != Array(1...9))
        for expected in shown.dropFirst() {
            scene.command(.next)
            #expect(scene.state.current == EntryID(expected))
        }
    }

    private static let places: [(after: UInt64?, queue: [UInt64], current: UInt64)] = [
        (nil, [4, 1, 2, 3], 2), (1, [1, 4, 2, 3], 2), (2, [1, 2, 4, 3], 2), (3, [1, 2, 3, 4], 2),
        (99, [1, 2, 3, 4], 2),
    ]

    @Test("a track comes right behind the entry that is named, behind one that is gone at the end", arguments: places)
    func insert(_ after: UInt64?, _ queue: [UInt64], _ current: UInt64) {
        for shuffled in [false, true] {
            var scene = Scene(seed: 7)
            scene.begin(Track.numbered(1...3), at: 1)
            scene.command(.setShuffle(shuffled))
            scene.command(.insert([.numbered(9)], after: after.map { EntryID($0) }, becomingCurrent: false))
            #expect(shuffled && after == nil || scene.state.entries.map(\.id.number) == queue)
            #expect(scene.state.current == EntryID(current) && scene.state.status == .playing)
            guard after != 99 else { continue }
            let place = near(scene).firstIndex(of: 4)
            #expect(place == (after.flatMap { near(scene).firstIndex(of: $0) }.map { $0 + 1 } ?? 0))
        }
    }

    @Test("in front of the list means in front of what is shown of a long queue")
    func front() {
        var scene = Scene()
        scene.begin(Track.numbered(1...40), at: 25)
        #expect(near(scene).first == 16)
        scene.command(.insert([.numbered(9)], after: nil, becomingCurrent: false))
        #expect(near(scene).first == 41 && scene.state.current == EntryID(26))
        #expect(scene.state.entries[15].id == EntryID(41))
    }

    @Test("one that becomes current is gone to in the status that is", arguments: [true, false])
    func becomingCurrent(_ pauses: Bool) {
        var scene = Scene()
        scene.begin(Track.numbered(1...3))
        if pauses { scene.command(.pause) }
        scene.command(.insert([.numbered(5)], after: EntryID(2), becomingCurrent: true))
        #expect(short(scene.state, at: scene.now) == (pauses ? "paused e4 @0" : "buffering e4 @0"))
        #expect(scene.state.length == .seconds(300))
        var empty = Scene()
        empty.command(.insert([.numbered(5)], after: nil, becomingCurrent: true))
        #expect(short(empty.state, at: empty.now) == "stopped e1 @0")
    }

    @Test("a skip to an entry keeps the status, and one to an unknown entry does nothing")
    func skip() {
        var scene = Scene()
        scene.begin(Track.numbered(1...3))
        scene.command(.skip(to: EntryID(3)))
        #expect(short(scene.state, at: scene.now) == "buffering e3 @0")
        scene.sound(2)
        #expect(scene.command(.skip(to: EntryID(9))) == [])
        scene.command(.pause)
        scene.command(.skip(to: EntryID(1)))
        #expect(short(scene.state, at: scene.now) == "paused e1 @0")
        scene.command(.stop)
        scene.command(.skip(to: EntryID(2)))
        #expect(short(scene.state, at: scene.now) == "stopped e2 @0")
    }

    @Test("a track inserted in front of what is prepared is prepared instead")
    func prepared() {
        var scene = Scene()
        scene.begin(Track.numbered(1...3))
        scene.send(.bytesComplete(LoadNumber(1)))
        let effects = scene.command(.insert([.numbered(5)], after: EntryID(1), becomingCurrent: false))
        #expect(short(effects) == "release #2, find #3 e4 next, save")
    }

    @Test("lists have words that are read back, and nothing else is read as one")
    func lists() {
        let lists: [MusicList] = [.music, .profile, .playlist(PlaylistID(owner: -5, number: -17))]
        for list in lists { #expect(MusicList(list.description) == list) }
        #expect(lists.map(\.description) == ["music", "profile", "-5_-17"])
        for text in ["", "Music", "1", "1_2_key", "https://vk.com/music/playlist/1_2", "01_2"] {
            #expect(MusicList(text) == nil, "\(text)")
        }
    }
}
