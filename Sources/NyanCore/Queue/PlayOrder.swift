/// In which order the queue's entries play: the queue's own order, or a shuffled one that names each entry once a round.
///
/// A round is one pass over all entries, with a cursor at the current one: what is before it has been played, what is
/// after it has not. Rounds join endlessly under `RepeatMode.queue`; a step over an edge and back again comes to the
/// same entry, also when shuffled. `RepeatMode.track` is not looked at here: it concerns what follows by itself, not
/// what the listener's "next" means.
public struct PlayOrder: Sendable, Equatable {
    /// The entries of the present round, in the order of playing.
    public internal(set) var round: [EntryID] = []
    /// Place of the current entry in `round`; 0 when the round is empty.
    public internal(set) var cursor = 0
    public internal(set) var isShuffled = false
    public var repeatMode: RepeatMode = .off
    /// Shuffled rounds that were played before this one, the nearest last; none is drawn before somebody goes there.
    public internal(set) var roundsBefore: [[EntryID]] = []
    /// Shuffled rounds that come after this one, the nearest last: announced already, or gone back from.
    public internal(set) var roundsAfter: [[EntryID]] = []
    var random: SeededRandom

    public init(random: SeededRandom) { self.random = random }

    /// Takes up a stored order. A shuffled `saved` may be stale: unknown and double ids are dropped, missing ones join
    /// the part that has not been played. The rounds on its sides come back as far as they name the same entries.
    public init(
        entries: [EntryID], current: EntryID?, shuffledOrder saved: [EntryID]?, roundsBefore: [[EntryID]] = [],
        roundsAfter: [[EntryID]] = [], repeatMode: RepeatMode, random: SeededRandom
    ) {
        self.init(random: random)
        self.repeatMode = repeatMode
        guard let saved else {
            reset(to: entries, current: current)
            return
        }
        isShuffled = true
        let known = Set(entries)
        var seen = Set<EntryID>()
        round = saved.filter { known.contains($0) && seen.insert($0).inserted }
        if let current, known.contains(current), !seen.contains(current) {
            round.insert(current, at: 0)
            seen.insert(current)
        }
        cursor = current.flatMap { round.firstIndex(of: $0) } ?? 0
        let missing = entries.filter { !seen.contains($0) }
        guard !round.isEmpty else {
            reset(to: entries, current: current)
            return
        }
        scatter(missing)
        // Nearest first: behind one that is stale nothing is known.
        let isWhole: ([EntryID]) -> Bool = { $0.count == known.count && Set($0) == known }
        self.roundsBefore = roundsBefore.reversed().prefix(while: isWhole).reversed()
        self.roundsAfter = roundsAfter.reversed().prefix(while: isWhole).reversed()
        mendSeams()
    }

    /// The entry the cursor is at; nil only when there are no entries.
    public var current: EntryID? { round.indices.contains(cursor) ? round[cursor] : nil }
    public var hasNext: Bool { !round.isEmpty && (cursor + 1 < round.count || repeatMode == .queue) }
    public var hasPrevious: Bool { !round.isEmpty && (cursor > 0 || repeatMode == .queue) }

    /// The entries that follow the current one, nearest first: at most `limit`, and never more than one full round.
    public mutating func ahead(_ limit: Int) -> [EntryID] {
        let wanted = min(limit, round.count)
        var following = Array(round[min(cursor + 1, round.count)...].prefix(wanted))
        if repeatMode == .queue, following.count < wanted {
            following += isShuffled ? drawRoundAfter().prefix(wanted - following.count) : []
            following += isShuffled ? [] : round.prefix(wanted - following.count)
        }
        return following
    }

    /// Goes on by so many of the steps that `ahead` lists. False, and nothing changed, when the order ends before.
    public mutating func advance(by steps: Int) -> Bool {
        guard steps > 0, !round.isEmpty else { return steps == 0 }
        let target = cursor + steps
        if target < round.count {
            cursor = target
            return true
        }
        guard repeatMode == .queue, target - round.count < round.count else { return false }
        cursor = target - round.count
        if isShuffled {
            let next = drawRoundAfter()
            roundsAfter.removeLast()
            Self.remember(round, in: &roundsBefore)
            round = next
        }
        return true
    }

    /// Goes back in the order that was played. False, and nothing changed, at the first entry without repeat.
    public mutating func goBack() -> Bool {
        guard hasPrevious else { return false }
        if cursor > 0 {
            cursor -= 1
            return true
        }
        if isShuffled {
            let previous = roundsBefore.popLast() ?? shuffledRound(avoidingLast: round.first)
            Self.remember(round, in: &roundsAfter)
            round = previous
        }
        cursor = round.count - 1
        return true
    }

    /// Makes `id` the current entry out of turn. Shuffled, it is played now instead of later (or once more), and what
    /// was current counts as played; nothing that lies between is skipped.
    public mutating func jump(to id: EntryID) {
        guard let place = round.firstIndex(of: id), place != cursor else { return }
        guard isShuffled else {
            cursor = place
            return
        }
        round.remove(at: place)
        if place < cursor { cursor -= 1 }
        round.insert(id, at: cursor + 1)
        cursor += 1
        mendSeams()
    }

    /// The round that follows a shuffled one, drawn at the first look so that what was announced as next stays next.
    private mutating func drawRoundAfter() -> [EntryID] {
        if let drawn = roundsAfter.last { return drawn }
        let drawn = shuffledRound(avoidingFirst: round.last)
        roundsAfter.append(drawn)
        return drawn
    }

    /// Puts a round behind those that are remembered; the farthest ones are forgotten, so that going back through a
    /// small queue reaches far and a large one is not kept many times over.
    private static func remember(_ round: [EntryID], in rounds: inout [[EntryID]]) {
        rounds.append(round)
        let most = max(1, mostRemembered / max(1, round.count))
        if rounds.count > most { rounds.removeFirst(rounds.count - most) }
    }

    /// So many entries are remembered on either side of the present round, and always one whole round.
    static var mostRemembered: Int { 1_000 }

    /// A fresh round that joins the ones on its sides.
    private mutating func shuffledRound(avoidingFirst first: EntryID? = nil, avoidingLast last: EntryID? = nil)
        -> [EntryID]
    {
        var drawn = round.shuffled(using: &random)
        Self.part(&drawn, fromFirst: first, fromLast: last, with: &random)
        return drawn
    }

    /// Sees to it that no entry plays twice running at the seam of two rounds, unless it is the only one.
    static func part(
        _ round: inout [EntryID], fromFirst first: EntryID?, fromLast last: EntryID?, with random: inout SeededRandom
    ) {
        guard round.count > 1 else { return }
        let end = round.count - 1
        if round[0] == first { round.swapAt(0, Int.random(in: 1...end, using: &random)) }
        if round[end] == last { round.swapAt(end, Int.random(in: 0..<end, using: &random)) }
    }
}
