/// What will play: entries in the order the listener sees, each with a number that stays its own.
///
/// Knows nothing of the order of playing (`PlayOrder`) nor of what sounds. Finding an entry takes the same time in a
/// long queue as in a short one.
public struct Queue: Sendable, Equatable {
    public private(set) var entries: [Entry] = []
    /// The next number to give out; greater than every number ever given.
    public private(set) var nextNumber: UInt64 = 1
    /// Where each entry is in `entries`.
    private var places: [EntryID: Int] = [:]
    /// Which entries hold a track, so that a sync of a whole library need not look at the whole queue for each track.
    private var holders: [TrackID: [EntryID]] = [:]

    public init() {}

    /// Takes over stored entries; of entries with the same number only the first stays, as ids must be unique.
    public init(entries stored: [Entry], nextNumber: UInt64) {
        var seen = Set<EntryID>()
        entries = stored.filter { seen.insert($0.id).inserted }
        let highest = entries.map(\.id.number).max() ?? 0
        self.nextNumber = max(nextNumber, highest == .max ? .max : highest + 1, 1)
        notePlaces(from: 0)
        for entry in entries { holders[entry.track.id, default: []].append(entry.id) }
    }

    public var isEmpty: Bool { entries.isEmpty }
    public var count: Int { entries.count }
    public var ids: [EntryID] { entries.map(\.id) }

    /// Where the entry is, from 0; nil when it is not in the queue.
    public func index(of id: EntryID) -> Int? { places[id] }

    public subscript(id: EntryID) -> Entry? { places[id].map { entries[$0] } }

    /// Puts tracks in front of `index` (the end when nil or too large) and gives them new numbers.
    public mutating func insert(_ tracks: [Track], at index: Int? = nil) -> [EntryID] {
        let place = min(max(index ?? entries.count, 0), entries.count)
        let added = tracks.map { track in
            defer { nextNumber &+= 1 }
            return Entry(id: EntryID(nextNumber), track: track)
        }
        entries.insert(contentsOf: added, at: place)
        notePlaces(from: place)
        for entry in added { holders[entry.track.id, default: []].append(entry.id) }
        return added.map(\.id)
    }

    /// Takes entries out; unknown ids are ignored. Returns those that were there.
    public mutating func remove(_ ids: some Sequence<EntryID>) -> Set<EntryID> {
        let gone = Set(ids.filter { places[$0] != nil })
        let gaps = gone.compactMap { places[$0] }.sorted()
        guard let first = gaps.first else { return [] }
        for id in gone { forget(id) }
        // A few gaps are closed faster by moving what is behind them than by asking each entry.
        if gaps.count <= 8 {
            for place in gaps.reversed() { entries.remove(at: place) }
        } else {
            entries.removeAll { gone.contains($0.id) }
        }
        notePlaces(from: first)
        return gone
    }

    /// Moves an entry so that it ends up at `index` (clamped). False when nothing moved.
    public mutating func move(_ id: EntryID, to index: Int) -> Bool {
        guard let from = places[id] else { return false }
        let target = min(max(index, 0), entries.count - 1)
        guard target != from else { return false }
        let entry = entries.remove(at: from)
        entries.insert(entry, at: target)
        notePlaces(from: min(from, target))
        return true
    }

    /// Empties the queue; numbers are not used again.
    public mutating func removeAll() {
        entries = []
        places = [:]
        holders = [:]
    }

    /// Whether `redescribe` would change anything: the cheap question for the many tracks that are not queued.
    public func differs(from track: Track) -> Bool {
        (holders[track.id] ?? []).contains { self[$0]?.track != track }
    }

    /// Gives every entry of this track the new description.
    public mutating func redescribe(_ track: Track) {
        for id in holders[track.id] ?? [] {
            if let place = places[id] { entries[place].track = track }
        }
    }

    private mutating func notePlaces(from first: Int) {
        for place in first..<max(first, entries.count) { places[entries[place].id] = place }
    }

    private mutating func forget(_ id: EntryID) {
        guard let place = places.removeValue(forKey: id) else { return }
        let track = entries[place].track.id
        let others = (holders[track] ?? []).filter { $0 != id }
        holders[track] = others.isEmpty ? nil : others
    }
}
