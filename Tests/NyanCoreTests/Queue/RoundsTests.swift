import NyanCore
import Testing

/// A shuffled order and the rounds on its sides, over edits and restarts.
@Suite("Rounds of a shuffled order")
struct RoundsTests {
    private func order(_ count: UInt64, seed: UInt64) -> PlayOrder {
        var order = PlayOrder(random: SeededRandom(seed: seed))
        order.repeatMode = .queue
        order.reset(to: PlayOrderTests.ids(1...count), current: EntryID(1))
        order.setShuffled(true, entries: PlayOrderTests.ids(1...count))
        return order
    }

    /// The order as a restart finds it.
    private func restarted(_ order: PlayOrder, _ entries: [EntryID]) -> PlayOrder {
        PlayOrder(
            entries: entries, current: order.current, shuffledOrder: order.round, roundsBefore: order.roundsBefore,
            roundsAfter: order.roundsAfter, repeatMode: order.repeatMode, random: SeededRandom(seed: 12_345))
    }

    private func steps(_ count: Int, in order: inout PlayOrder, back: Bool = false) -> [EntryID?] {
        (0..<count).map { _ in
            _ = back ? order.goBack() : order.advance(by: 1)
            return order.current
        }
    }

    @Test(
        "previous goes back through all of several rounds, and next forth again the same way",
        arguments: 1...20 as ClosedRange<UInt64>)
    func manyRounds(_ seed: UInt64) {
        var order = order(3, seed: seed)
        let heard = [order.current] + steps(20, in: &order)
        #expect(steps(20, in: &order, back: true) == heard.dropLast().reversed())
        #expect(steps(20, in: &order) == Array(heard.dropFirst()))
    }

    @Test(
        "a restart anywhere changes neither the way back nor what was announced",
        arguments: 1...20 as ClosedRange<UInt64>)
    func restart(_ seed: UInt64) {
        var order = order(5, seed: seed)
        var heard = [order.current]
        for step in 1...23 {
            _ = order.ahead(4)
            let announced = order.ahead(4)
            var again = restarted(order, PlayOrderTests.ids(1...5))
            #expect(again.ahead(4) == announced, "step \(step)")
            #expect(steps(heard.count - 1, in: &again, back: true) == heard.dropLast().reversed(), "step \(step)")
            heard += steps(1, in: &order)
        }
    }

    @Test("a restart on the way back finds the way forth", arguments: 1...20 as ClosedRange<UInt64>)
    func restartGoneBack(_ seed: UInt64) {
        var order = order(4, seed: seed)
        let heard = [order.current] + steps(13, in: &order)
        _ = steps(9, in: &order, back: true)
        var again = restarted(order, PlayOrderTests.ids(1...4))
        #expect(steps(9, in: &again) == Array(heard.suffix(9)))
    }

    @Test("what is added while it plays is not in the way back", arguments: 1...20 as ClosedRange<UInt64>)
    func added(_ seed: UInt64) {
        var order = order(4, seed: seed)
        let heard = [order.current] + steps(5, in: &order)
        order.add([EntryID(5), EntryID(6)], next: false, entries: PlayOrderTests.ids(1...6))
        #expect(steps(5, in: &order, back: true) == heard.dropLast().reversed())
        var rounds: [Set<EntryID>] = []
        for round in [order.round] + order.roundsAfter { rounds.append(Set(round)) }
        #expect(rounds.allSatisfy { $0 == Set(PlayOrderTests.ids(1...6)) })
    }

    @Test("rounds that were saved of another queue are not believed")
    func stale() {
        var order = order(4, seed: 3)
        _ = steps(9, in: &order)
        _ = order.ahead(4)
        let fewer = restarted(order, PlayOrderTests.ids(1...3))
        #expect(fewer.roundsBefore == [] && fewer.roundsAfter == [])
        #expect(Set(fewer.round) == Set(PlayOrderTests.ids(1...3)))
    }

    @Test("no more than a thousand entries are remembered, and always one round", arguments: [10, 3_000] as [UInt64])
    func bounded(_ count: UInt64) {
        var order = order(count, seed: 1)
        for _ in 0..<(count == 10 ? 3_000 : 7_000) { _ = order.advance(by: 1) }
        #expect(order.roundsBefore.count == (count == 10 ? 100 : 1))
        #expect(order.goBack() == true)
    }

    @Test(
        "over any edits and restarts each round names each entry once and no two neighbours are alike",
        arguments: 1...30)
    func walk(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var order = order(6, seed: UInt64(seed))
        var (entries, last) = (PlayOrderTests.ids(1...6), UInt64(6))
        for step in 1...300 {
            let before = order.current
            var mayMove = false
            switch Int.random(in: 0...9, using: &random) {
            case 0...2: mayMove = order.advance(by: 1)
            case 3...4: mayMove = order.goBack()
            case 5 where entries.count < 12:
                entries.append(contentsOf: [EntryID(last + 1), EntryID(last + 2)])
                order.add(Array(entries.suffix(2)), next: Bool.random(using: &random), entries: entries)
                last += 2
            case 6 where entries.count > 2:
                let gone = entries.randomElement(using: &random) ?? EntryID(0)
                entries.removeAll { $0 == gone }
                mayMove = gone == before
                _ = order.remove([gone])
            case 7:
                order.jump(to: entries.randomElement(using: &random) ?? EntryID(0))
                mayMove = true
            case 8: order.reorder(to: entries.shuffled(using: &random))
            default: order = restarted(order, entries)
            }
            #expect(mayMove || order.current == before, "seed \(seed), step \(step)")
            let chain = order.roundsBefore + [order.round] + order.roundsAfter.reversed()
            #expect(
                chain.allSatisfy { $0.count == entries.count && Set($0) == Set(entries) }, "seed \(seed), step \(step)")
            let seams = zip(chain, chain.dropFirst())
            #expect(seams.allSatisfy { $0.last != $1.first }, "seed \(seed), step \(step)")
        }
    }
}
