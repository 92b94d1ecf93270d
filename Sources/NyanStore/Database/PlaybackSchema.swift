import NyanCore

/// The tables of the queue's database, step by step. A released step is never edited: a change is a new step.
enum PlaybackSchema {
    static let migrations = [Migration(sql: first), Migration(sql: roundsAndHistory)]

    private static let first = """
        CREATE TABLE entries (
            id INTEGER PRIMARY KEY, place INTEGER NOT NULL, \(TrackColumns.definitions));
        CREATE TABLE state (
            id INTEGER PRIMARY KEY CHECK (id = 1), current INTEGER, position REAL NOT NULL, shuffle INTEGER NOT NULL,
            repeat TEXT NOT NULL, volume REAL NOT NULL, next_entry INTEGER NOT NULL);
        CREATE TABLE shuffled (id INTEGER PRIMARY KEY CHECK (id = 1), entries BLOB NOT NULL);
        """

    /// The rounds on either side of a shuffled one, entries that are no tracks of VK, and what was heard: `played_at` in
    /// seconds since 1970, `heard` in seconds.
    private static let roundsAndHistory = """
        CREATE TABLE rounds (place INTEGER PRIMARY KEY, entries BLOB NOT NULL);
        ALTER TABLE entries ADD COLUMN \(TrackColumns.address);
        CREATE TABLE history (
            id INTEGER PRIMARY KEY AUTOINCREMENT, played_at INTEGER NOT NULL, heard REAL NOT NULL,
            \(TrackColumns.definitions), \(TrackColumns.address));
        """
}

/// Entry numbers as a blob: eight bytes each, the lowest first.
enum EntryBytes {
    static func bytes(_ ids: [EntryID]) -> [UInt8] {
        ids.flatMap { id in (0..<8).map { UInt8(truncatingIfNeeded: id.number >> ($0 * 8)) } }
    }

    static func ids(_ bytes: [UInt8]) -> [EntryID] {
        stride(from: 0, to: bytes.count - 7, by: 8).map { start in
            EntryID(bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }
    }
}
