// How the order follows edits of the queue and the shuffle switch. None of these changes what is current, except the
// removal of the current entry itself.
extension PlayOrder {
    /// Starts anew over these entries: the current one first when shuffled, so that all others are still to come.
    public mutating func reset(to entries: [EntryID], current: EntryID?) {
        (roundsBefore, roundsAfter) = ([], [])
        let index = current.flatMap { entries.firstIndex(of: $0) } ?? 0
        guard isShuffled, !entries.isEmpty else {
            (round, cursor) = (entries, index)
            return
        }
        var others = entries
        let first = others.remove(at: index)
        (round, cursor) = ([first] + others.shuffled(using: &random), 0)
    }

    /// Turns shuffling on or off; `entries` is the queue's own order. The current entry stays current.
    public mutating func setShuffled(_ shuffled: Bool, entries: [EntryID]) {
        guard shuffled != isShuffled else { return }
        let current = current
        isShuffled = shuffled
        reset(to: entries, current: current)
    }

    /// New entries are in the queue. Shuffled, they join the part that is still to play, at random places, or all of
    /// them in their order right after the current one when `next`.
    public mutating func add(_ ids: [EntryID], next: Bool, entries: [EntryID]) {
        guard isShuffled, !round.isEmpty else { return reset(to: entries, current: current ?? ids.first) }
        if next { round.insert(contentsOf: ids, at: cursor + 1) } else { scatter(ids) }
        joinOtherRounds(ids)
    }

    /// New entries are in the queue right behind a neighbour, or right in front of it: so they are in the order, also
    /// in a shuffled one.
    public mutating func insert(_ ids: [EntryID], beside neighbour: EntryID, isBehind: Bool, entries: [EntryID]) {
        guard isShuffled, let place = round.firstIndex(of: neighbour) else {
            return reset(to: entries, current: current ?? ids.first)
        }
        let target = isBehind ? place + 1 : place
        round.insert(contentsOf: ids, at: target)
        if target <= cursor { cursor += ids.count }
        joinOtherRounds(ids)
    }

    private mutating func joinOtherRounds(_ ids: [EntryID]) {
        // The rounds on either side must name each entry once, too. In what was played they come first, so that the
        // way back leads through everything that was really heard before it comes to them.
        roundsBefore = roundsBefore.map { ids + $0 }
        roundsAfter = roundsAfter.map { Self.merge(ids, into: $0[...], with: &random) }
        mendSeams()
    }

    /// The queue was put into another order, which a shuffled order does not mind.
    public mutating func reorder(to entries: [EntryID]) {
        guard !isShuffled else { return }
        reset(to: entries, current: current)
    }

    /// Entries left the queue. When the current one is among them, the next that stays becomes current; at the end of
    /// the order without repeat, the last that stays. Returns whether the order goes on, which is false only then.
    public mutating func remove(_ gone: Set<EntryID>) -> Bool {
        let stays: (EntryID) -> Bool = { !gone.contains($0) }
        let lostCurrent = current.map(gone.contains) ?? false
        let before = round[..<min(cursor, round.count)].count(where: stays)
        round.removeAll(where: gone.contains)
        for place in roundsBefore.indices { roundsBefore[place].removeAll(where: gone.contains) }
        for place in roundsAfter.indices { roundsAfter[place].removeAll(where: gone.contains) }
        cursor = before
        mendSeams()
        guard lostCurrent, cursor >= round.count, !round.isEmpty else { return true }
        // The current one was the last to play: step over the edge from the one before it.
        cursor = round.count - 1
        return advance(by: 1)
    }

    /// Parts the rounds on either side from this one, and from each other, after their entries have changed.
    mutating func mendSeams() {
        var edge = round.last
        for place in roundsAfter.indices.reversed() {
            Self.part(&roundsAfter[place], fromFirst: edge, fromLast: nil, with: &random)
            edge = roundsAfter[place].last
        }
        edge = round.first
        for place in roundsBefore.indices.reversed() {
            // What was played is disturbed as little as can be: its last two change places.
            let end = roundsBefore[place].count - 1
            if end > 0, roundsBefore[place][end] == edge { roundsBefore[place].swapAt(end, end - 1) }
            edge = roundsBefore[place].first
        }
    }

    /// Puts entries at random places of the part that is still to play.
    mutating func scatter(_ ids: [EntryID]) {
        let rest = round[min(cursor + 1, round.count)...]
        round.replaceSubrange(rest.indices, with: Self.merge(ids, into: rest, with: &random))
    }

    /// A random interleaving that keeps the order of `rest`: every result is equally likely, in one pass.
    private static func merge(
        _ ids: [EntryID], into rest: ArraySlice<EntryID>, with random: inout SeededRandom
    ) -> [EntryID] {
        var new = ids.shuffled(using: &random)[...]
        var old = rest
        var merged: [EntryID] = []
        merged.reserveCapacity(new.count + old.count)
        while !new.isEmpty || !old.isEmpty {
            let takesNew = Int.random(in: 0..<(new.count + old.count), using: &random) < new.count
            merged.append(takesNew ? new.removeFirst() : old.removeFirst())
        }
        return merged
    }
}
