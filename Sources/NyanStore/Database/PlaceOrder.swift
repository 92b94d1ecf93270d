import NyanCore

/// Numbers that sort queue entries, chosen so that a change of the queue rewrites few of them.
struct PlaceOrder: Equatable {
    /// Free numbers left between neighbours for entries to come.
    static let step: Int64 = 1 << 20

    private(set) var ids: [EntryID] = []
    private(set) var places: [EntryID: Int64] = [:]

    /// What has to be written and removed to get from one order to the next.
    struct Change: Equatable {
        /// Entries with a new place, in order.
        var placed: [(id: EntryID, place: Int64)] = []
        var removed: [EntryID] = []

        static func == (a: Change, b: Change) -> Bool {
            a.removed == b.removed && a.placed.map(\.id) == b.placed.map(\.id)
                && a.placed.map(\.place) == b.placed.map(\.place)
        }
    }

    init() {}

    /// An order as it was read: sorted by place.
    init(_ placed: [(id: EntryID, place: Int64)]) {
        ids = placed.map(\.id)
        places = Dictionary(placed, uniquingKeysWith: { first, _ in first })
    }

    /// Takes over a new order: what is alike at both ends keeps its places, the middle is placed between them.
    mutating func become(_ new: [EntryID]) -> Change {
        let front = zip(ids, new).prefix { $0 == $1 }.count
        let rest = min(ids.count, new.count) - front
        let back = zip(ids.reversed(), new.reversed()).prefix(rest).prefix { $0 == $1 }.count
        let wanted = Set(new)
        var change = Change(removed: ids.filter { !wanted.contains($0) })
        let middle = new[front..<(new.count - back)]
        let lower = front > 0 ? places[new[front - 1]] : nil
        let upper = back > 0 ? places[new[new.count - back]] : nil
        if let numbers = Self.numbers(middle.count, between: lower, and: upper) {
            change.placed = zip(middle, numbers).map { ($0, $1) }
        } else {
            change.placed = new.enumerated().map { ($1, Int64($0 + 1) * Self.step) }
        }
        for id in change.removed { places[id] = nil }
        for (id, place) in change.placed { places[id] = place }
        ids = new
        return change
    }

    /// `count` rising numbers between two places; nil when there is no room.
    private static func numbers(_ count: Int, between lower: Int64?, and upper: Int64?) -> [Int64]? {
        switch (lower, upper) {
        case (nil, nil): return (0..<count).map { Int64($0 + 1) * step }
        case (let lower?, nil):
            // Half the range of Int64 is far beyond any queue's life; then all are numbered anew.
            return lower > .max / 2 ? nil : (0..<count).map { lower + Int64($0 + 1) * step }
        case (nil, let upper?):
            return upper < .min / 2 ? nil : (0..<count).map { upper - Int64(count - $0) * step }
        case (let lower?, let upper?):
            let gap = (upper - lower) / Int64(count + 1)
            return gap >= 1 ? (0..<count).map { lower + Int64($0 + 1) * gap } : nil
        }
    }
}
