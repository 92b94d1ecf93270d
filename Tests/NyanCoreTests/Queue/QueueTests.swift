import NyanCore
import Testing

/// The list itself, and that its indexes stay in step with it.
@Suite("The queue")
struct QueueTests {
    private func numbers(_ queue: Queue) -> [UInt64] { queue.ids.map(\.number) }

    /// Every lookup agrees with the list.
    private func check(_ queue: Queue) {
        for (index, entry) in queue.entries.enumerated() {
            #expect(queue.index(of: entry.id) == index)
            #expect(queue[entry.id] == entry)
            #expect(queue.nextNumber > entry.id.number)
        }
        #expect(Set(queue.ids).count == queue.count)
    }

    @Test(
        "tracks go in where they are wanted",
        arguments: [(nil, 3), (0, 0), (1, 1), (-7, 0), (99, 3)] as [(Int?, Int)])
    func insert(_ index: Int?, _ place: Int) {
        var queue = Queue()
        _ = queue.insert(Track.numbered(1...3))
        #expect(queue.insert(Track.numbered(8...9), at: index) == [EntryID(4), EntryID(5)])
        #expect(queue.index(of: EntryID(4)) == place)
        #expect(queue.index(of: EntryID(5)) == place + 1)
        check(queue)
    }

    @Test("known entries are removed, unknown ones are ignored")
    func remove() {
        var queue = Queue()
        _ = queue.insert(Track.numbered(1...5))
        #expect(queue.remove([EntryID(2), EntryID(4), EntryID(77), EntryID(2)]) == [EntryID(2), EntryID(4)])
        #expect(numbers(queue) == [1, 3, 5])
        #expect(queue.index(of: EntryID(2)) == nil)
        #expect(queue.remove([EntryID(2)]) == [])
        check(queue)
        _ = queue.insert(Track.numbered(1...40))
        #expect(queue.remove((10...40).map { EntryID($0) }).count == 31)
        #expect(numbers(queue) == [1, 3, 5, 6, 7, 8, 9, 41, 42, 43, 44, 45])
        check(queue)
    }

    @Test(
        "an entry moves to the index it is given",
        arguments: [
            (1, 2, [2, 3, 1, 4]), (4, 0, [4, 1, 2, 3]), (2, 99, [1, 3, 4, 2]), (3, -1, [3, 1, 2, 4]),
            (2, 1, [1, 2, 3, 4]), (9, 0, [1, 2, 3, 4]),
        ] as [(UInt64, Int, [UInt64])])
    func move(_ entry: UInt64, _ index: Int, _ expected: [UInt64]) {
        var queue = Queue()
        _ = queue.insert(Track.numbered(1...4))
        #expect(queue.move(EntryID(entry), to: index) == (expected != [1, 2, 3, 4]))
        #expect(numbers(queue) == expected)
        check(queue)
    }

    @Test("a new description reaches every entry of the track that is left")
    func redescribe() {
        var queue = Queue()
        _ = queue.insert([.numbered(1), .numbered(2), .numbered(1), .numbered(1)])
        _ = queue.remove([EntryID(3)])
        var track = Track.numbered(1)
        track.title = "New"
        #expect(queue.differs(from: track))
        queue.redescribe(track)
        #expect(!queue.differs(from: track))
        #expect(queue.entries.map(\.track.title) == ["New", "T2", "New"])
        #expect(!queue.differs(from: .numbered(50)))
        _ = queue.remove([EntryID(1), EntryID(4)])
        #expect(!queue.differs(from: .numbered(1)), "nobody holds it any more")
        check(queue)
    }

    @Test("thousands of random edits keep list and lookups in step", arguments: 1...4 as ClosedRange<UInt64>)
    func walk(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = Queue()
        var model: [EntryID] = []
        for _ in 1...1_500 {
            let anyID = EntryID(UInt64.random(in: 1...max(2, queue.nextNumber), using: &random))
            switch Int.random(in: 0...9, using: &random) {
            case 0...3:
                let index = Int.random(in: 0...model.count, using: &random)
                let added = queue.insert(Track.numbered(1...Int.random(in: 1...3, using: &random)), at: index)
                model.insert(contentsOf: added, at: index)
            case 4...6:
                _ = queue.remove([anyID])
                model.removeAll { $0 == anyID }
            case 7...8 where !model.isEmpty:
                let index = Int.random(in: 0..<model.count, using: &random)
                if let from = model.firstIndex(of: anyID) { model.insert(model.remove(at: from), at: index) }
                _ = queue.move(anyID, to: index)
            default:
                if Int.random(in: 0...100, using: &random) == 0 {
                    queue.removeAll()
                    model = []
                }
            }
            #expect(queue.ids == model)
        }
        check(queue)
    }
}
