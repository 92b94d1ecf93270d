/// The number of a place in the queue. Unique while the daemon's state lives, never an index, never used again;
/// `mpris:trackid` is made from it (mpris.md §5).
public struct EntryID: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
    public var number: UInt64
    public init(_ number: UInt64) { self.number = number }
    public var description: String { "\(number)" }
    public static func < (a: EntryID, b: EntryID) -> Bool { a.number < b.number }
}

/// One place in the queue: the same track twice is two entries.
public struct Entry: Sendable, Equatable, Codable, Identifiable {
    public var id: EntryID
    public var track: Track
    public init(id: EntryID, track: Track) {
        self.id = id
        self.track = track
    }
}

/// What is repeated when an end is reached. Raw values are CONTRACT.md's words.
public enum RepeatMode: String, Sendable, Codable, CaseIterable {
    case off, track, queue
}
