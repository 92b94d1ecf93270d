import NyanCore

/// The columns that hold a track's description, alike in every table that has them.
enum TrackColumns {
    private static let list = [
        "owner", "audio", "access_key", "artist", "title", "album", "duration", "available", "reason", "explicit",
        "cover_url", "date", "address",
    ]

    /// How many columns `names` has: where the next one begins.
    static let count = Int32(list.count)

    /// `x.owner, x.audio, …` for a table alias.
    static func names(of table: String) -> String { list.map { "\(table).\($0)" }.joined(separator: ", ") }

    static let names = list.joined(separator: ", ")
    static let marks = list.map { _ in "?" }.joined(separator: ", ")
    /// `artist = excluded.artist, …` for an upsert on the identity.
    static let updates = list.dropFirst(2).map { "\($0) = excluded.\($0)" }.joined(separator: ", ")

    /// The columns of the first schemas; a released one is never edited, what came later is added by its own step.
    static let definitions = """
        owner INTEGER NOT NULL, audio INTEGER NOT NULL, access_key TEXT, artist TEXT NOT NULL, title TEXT NOT NULL,
        album TEXT, duration INTEGER NOT NULL, available INTEGER NOT NULL, reason TEXT, explicit INTEGER NOT NULL,
        cover_url TEXT, date INTEGER
        """
    /// Since schema 2 of the library and of the queue.
    static let address = "address TEXT"

    static func values(_ track: Track) -> [SQLValue] {
        [
            .integer(track.id.owner), .integer(track.id.audio), .text(track.accessKey), .text(track.artist),
            .text(track.title), .text(track.album), .integer(track.duration), .bool(track.isAvailable),
            .text(track.unavailableReason), .bool(track.isExplicit), .text(track.coverURL), .integer(track.date),
            .text(track.address),
        ]
    }

    /// Whether the row says which track it is; else it is none, and nothing can be done with it.
    static func isTrack(_ row: Row, from column: Int32 = 0) -> Bool {
        row.isInteger(column) && row.isInteger(column + 1) && row.integer(column + 1) > 0
    }

    /// - Throws: `DatabaseError.nameless`.
    static func id(_ row: Row, from column: Int32 = 0) throws(DatabaseError) -> TrackID {
        guard isTrack(row, from: column) else { throw .nameless }
        return TrackID(owner: row.integer(column), audio: row.integer(column + 1))
    }

    /// - Throws: `DatabaseError.nameless`.
    static func known(_ row: Row, from column: Int32 = 0) throws(DatabaseError) -> Track {
        guard isTrack(row, from: column) else { throw .nameless }
        return track(row, from: column)
    }

    /// Whatever the row holds: for those that have asked `isTrack`.
    static func track(_ row: Row, from column: Int32 = 0) -> Track {
        Track(
            id: TrackID(owner: row.integer(column), audio: row.integer(column + 1)),
            accessKey: row.optionalText(column + 2), artist: row.text(column + 3), title: row.text(column + 4),
            album: row.optionalText(column + 5), duration: Int(row.count(column + 6)),
            isAvailable: row.bool(column + 7), unavailableReason: row.optionalText(column + 8),
            isExplicit: row.bool(column + 9), coverURL: row.optionalText(column + 10),
            date: row.optionalInteger(column + 11), address: row.optionalText(column + 12))
    }
}
