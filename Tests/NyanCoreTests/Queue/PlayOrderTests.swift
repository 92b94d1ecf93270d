import NyanCore
import Testing

/// In which order entries play, without any sound.
@Suite("The order of playing")
struct PlayOrderTests {
    static func ids(_ range: ClosedRange<UInt64>) -> [EntryID] { range.map { EntryID($0) } }

    private func order(
        _ count: UInt64, at current: UInt64, shuffled: Bool = false, mode: RepeatMode = .off, seed: UInt64 = 1
    ) -> PlayOrder {
        var order = PlayOrder(random: SeededRandom(seed: seed))
        order.repeatMode = mode
        order.reset(to: count == 0 ? [] : Self.ids(1...count), current: EntryID(current))
        order.setShuffled(shuffled, entries: count == 0 ? [] : Self.ids(1...count))
        return order
    }

    @Test(
        "next and previous go through the queue and end or come round as the mode says",
        arguments: [
            (1, RepeatMode.off, [2, 3], []), (2, .off, [3], [1]), (3, .off, [], [2, 1]),
            (2, .track, [3], [1]), (3, .track, [], [2, 1]),
            (2, .queue, [3, 1, 2, 3], [1, 3, 2, 1]), (3, .queue, [1, 2, 3], [2, 1, 3, 2]),
        ] as [(UInt64, RepeatMode, [UInt64], [UInt64])])
    func plain(_ current: UInt64, _ mode: RepeatMode, _ forward: [UInt64], _ back: [UInt64]) {
        var order = order(3, at: current, mode: mode)
        #expect(order.hasNext == !forward.isEmpty)
        #expect(order.hasPrevious == !back.isEmpty)
        #expect(order.ahead(2) == forward.prefix(2).map { EntryID($0) })
        var behind = order
        for expected in forward {
            #expect(order.advance(by: 1) == true)
            #expect(order.current == EntryID(expected))
        }
        for expected in back {
            #expect(behind.goBack() == true)
            #expect(behind.current == EntryID(expected))
        }
        if mode != .queue {
            #expect(order.advance(by: 1) == false)
            #expect(order.current == EntryID(3))
            #expect(behind.goBack() == false)
            #expect(behind.current == EntryID(1))
        }
    }

    @Test("nothing has nothing around it", arguments: [true, false], RepeatMode.allCases)
    func empty(_ shuffled: Bool, _ mode: RepeatMode) {
        var order = order(0, at: 1, shuffled: shuffled, mode: mode)
        #expect(order.current == nil)
        #expect(!order.hasNext && !order.hasPrevious)
        #expect(order.ahead(5) == [])
        #expect(order.advance(by: 1) == false)
        #expect(order.goBack() == false)
    }

    @Test("a shuffled round names each entry once, the current one first", arguments: [1, 2, 3, 10, 1_000] as [UInt64])
    func oncePerRound(_ count: UInt64) {
        for seed in UInt64(1)...20 {
            var order = order(count, at: (count + 1) / 2, shuffled: true, mode: .queue, seed: seed)
            #expect(order.current == EntryID((count + 1) / 2))
            var last: EntryID?
            for _ in 1...3 {
                var heard = Set<EntryID>()
                for _ in 1...count {
                    guard let current = order.current else { break }
                    heard.insert(current)
                    #expect(count == 1 || current != last, "never twice running")
                    last = current
                    let announced = order.ahead(1).first
                    #expect(order.advance(by: 1) == true)
                    #expect(order.current == announced, "what was announced as next is next")
                }
                #expect(heard.count == Int(count))
            }
        }
    }

    @Test("a shuffled round without repeat ends when all have played")
    func shuffledEnds() {
        var order = order(8, at: 3, shuffled: true)
        for _ in 1...7 { #expect(order.advance(by: 1) == true) }
        #expect(!order.hasNext)
        #expect(order.advance(by: 1) == false)
        #expect(order.ahead(3) == [])
    }

    @Test(
        "previous goes back through what was played, also over the edge of a round",
        arguments: 1...20 as ClosedRange<UInt64>)
    func backInPlayedOrder(_ seed: UInt64) {
        var order = order(6, at: 2, shuffled: true, mode: .queue, seed: seed)
        var heard: [EntryID?] = [order.current]
        for _ in 1...9 {
            _ = order.advance(by: 1)
            heard.append(order.current)
        }
        for before in heard.dropLast().reversed() {
            #expect(order.goBack() == true)
            #expect(order.current == before)
        }
        // And before the very first there is a round, too, that joins the first one.
        let first = order.current
        #expect(order.goBack() == true)
        #expect(order.current != first)
        #expect(order.advance(by: 1) == true)
        #expect(order.current == first)
    }

    @Test("steps over several entries are the same as one by one", arguments: [true, false])
    func severalSteps(_ shuffled: Bool) {
        for steps in 0...5 {
            var leaping = order(5, at: 4, shuffled: shuffled, mode: .queue, seed: 3)
            _ = leaping.advance(by: 2)
            var walking = leaping
            let ahead = leaping.ahead(5)
            _ = walking.ahead(5)
            #expect(ahead.count == 5)
            #expect(leaping.advance(by: steps) == true)
            for _ in 0..<steps { #expect(walking.advance(by: 1) == true) }
            #expect(leaping == walking)
            if steps > 0 { #expect(leaping.current == ahead[steps - 1]) }
        }
    }

    @Test("new entries join what is still to play, each exactly once", arguments: 1...30 as ClosedRange<UInt64>)
    func addShuffled(_ seed: UInt64) {
        var order = order(10, at: 1, shuffled: true, mode: .queue, seed: seed)
        for _ in 1...4 { _ = order.advance(by: 1) }
        let played = Array(order.round[...order.cursor])
        order.add(Self.ids(11...15), next: false, entries: Self.ids(1...15))
        #expect(Array(order.round[...order.cursor]) == played)
        #expect(Set(order.round) == Set(Self.ids(1...15)))
        #expect(order.round.count == 15)
    }

    @Test("new entries may land anywhere in what is still to play")
    func addShuffledSpread() {
        var places = Set<Int>()
        for seed in UInt64(1)...200 {
            var order = order(4, at: 1, shuffled: true, seed: seed)
            order.add([EntryID(5)], next: false, entries: Self.ids(1...5))
            if let place = order.round.firstIndex(of: EntryID(5)) { places.insert(place) }
        }
        #expect(places == [1, 2, 3, 4])
    }

    @Test("entries that are to play next do, in their order", arguments: [true, false])
    func addNext(_ shuffled: Bool) {
        var order = order(5, at: 2, shuffled: shuffled)
        let entries = [1, 2, 6, 7, 3, 4, 5].map { EntryID($0) }
        order.add(Self.ids(6...7), next: true, entries: entries)
        #expect(order.current == EntryID(2))
        #expect(order.ahead(2) == Self.ids(6...7))
    }

    @Test(
        "a jump in a shuffled round plays the entry now and nothing is lost or doubled",
        arguments: 1...8 as ClosedRange<UInt64>)
    func jumpShuffled(_ target: UInt64) {
        var order = order(8, at: 3, shuffled: true)
        for _ in 1...3 { _ = order.advance(by: 1) }
        let before = order.current
        order.jump(to: EntryID(target))
        #expect(order.current == EntryID(target))
        #expect(Set(order.round).count == 8)
        if before != order.current {
            #expect(order.goBack() == true)
            #expect(order.current == before, "what was current counts as played")
        }
    }

    @Test("a removed current entry gives its place to the next; at the end the order is over")
    func remove() {
        var plain = order(5, at: 3)
        #expect(plain.remove([EntryID(1), EntryID(3), EntryID(4)]) == true)
        #expect(plain.current == EntryID(5))
        #expect(plain.hasPrevious)
        #expect(plain.remove([EntryID(5)]) == false)
        #expect(plain.current == EntryID(2))
        var repeating = order(3, at: 3, mode: .queue)
        #expect(repeating.remove([EntryID(3)]) == true)
        #expect(repeating.current == EntryID(1))
        var other = order(5, at: 3)
        #expect(other.remove([EntryID(1), EntryID(5)]) == true)
        #expect(other.current == EntryID(3))
    }

    @Test("a removed entry is gone from the rounds on either side", arguments: 1...10 as ClosedRange<UInt64>)
    func removeShuffled(_ seed: UInt64) {
        var order = order(6, at: 1, shuffled: true, mode: .queue, seed: seed)
        for _ in 1...7 { _ = order.advance(by: 1) }
        _ = order.ahead(6)
        for gone in [order.current, order.ahead(1).first].compactMap({ $0 }) {
            #expect(order.remove([gone]) == true)
            var heard = Set<EntryID>()
            for _ in 1...20 {
                _ = order.advance(by: 1)
                if let current = order.current { heard.insert(current) }
            }
            for _ in 1...20 { _ = order.goBack() }
            #expect(!heard.contains(gone))
            #expect(order.round.count == order.ahead(99).count)
        }
    }

    @Test("the same seed gives the same order and another seed another")
    func seeds() {
        #expect(order(50, at: 1, shuffled: true, seed: 7) == order(50, at: 1, shuffled: true, seed: 7))
        #expect(order(50, at: 1, shuffled: true, seed: 7) != order(50, at: 1, shuffled: true, seed: 8))
        var random = SeededRandom(seed: 0)
        // The first numbers of SplitMix64 as its authors' reference prints them.
        #expect([random.next(), random.next()] == [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4])
    }
}
