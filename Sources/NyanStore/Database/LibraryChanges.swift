public import NyanCore

/// What changes of the profile leave behind, without reading the whole list anew.
extension LibraryDatabase: ProfileStore {
    public func added(_ copy: Track, from original: TrackID) async throws(Failure) {
        try writing { connection throws(DatabaseError) in
            try connection.write(copy, replacing: connection.knownTrack(copy.id))
            guard let row = try connection.row(of: copy.id) else { return }
            if let source = try connection.row(of: original), source != row { try connection.link(source, row) }
            // The picture is the same one.
            try connection.run(
                """
                UPDATE tracks SET cover_path = (SELECT cover_path FROM tracks WHERE owner = ?2 AND audio = ?3)
                WHERE id = ?1 AND cover_path IS NULL
                """, .integer(row), .integer(original.owner), .integer(original.audio))
            try connection.run("DELETE FROM removals WHERE track = ?", .integer(row))
            try connection.putOnTop(row)
        }
    }

    public func removed(_ id: TrackID) async throws(Failure) {
        try writing { connection throws(DatabaseError) in
            guard let row = try connection.row(of: id) else { return }
            let position = try connection.position(of: row)
            let below = try position.flatMap { position throws(DatabaseError) in
                try connection.first(
                    "SELECT track FROM profile WHERE position < ? ORDER BY position DESC LIMIT 1",
                    [.integer(position)]
                ) { $0.integer(0) }
            }
            // The newest removal has the greatest rowid only if an older one of this track is forgotten first.
            try connection.run("DELETE FROM removals WHERE track = ?", .integer(row))
            if position != nil {
                try connection.run(
                    "INSERT INTO removals (track, below, ordinal) SELECT ?, ?, coalesce(max(ordinal), 0) + 1 FROM removals",
                    .integer(row), .integer(below))
            }
            try connection.run("DELETE FROM profile WHERE track = ?", .integer(row))
        }
    }

    public func restored(_ track: Track) async throws(Failure) -> Bool {
        try writing { connection throws(DatabaseError) in
            try connection.write(track, replacing: connection.knownTrack(track.id))
            guard let row = try connection.row(of: track.id), try connection.position(of: row) == nil else {
                return true
            }
            let place = try connection.first("SELECT below FROM removals WHERE track = ?", [.integer(row)]) {
                $0.optionalInteger(0)
            }
            try connection.run("DELETE FROM removals WHERE track = ?", .integer(row))
            switch place {
            case .some(.some(let below)):
                if let floor = try connection.position(of: below) {
                    try connection.put(row, above: floor)
                    return true
                }
            case .some(.none):
                // It was the last one.
                let lowest = try connection.first("SELECT min(position) FROM profile") { $0.optionalInteger(0) }
                try connection.put(row, above: (lowest.flatMap { $0 } ?? 1) - 2)
                return true
            case .none: break
            }
            try connection.putOnTop(row)
            return false
        }
    }

    public func profileCopy(of id: TrackID) async throws(Failure) -> TrackID? {
        try twin(of: id, in: "profile", order: "q.position DESC")
    }

    public func removedCopy(of id: TrackID) async throws(Failure) -> TrackID? {
        try twin(of: id, in: "removals", order: "q.ordinal DESC")
    }

    /// The track itself if it is in `table`, else the first of its twins there.
    private func twin(of id: TrackID, in table: String, order: String) throws(Failure) -> TrackID? {
        try reading { connection throws(DatabaseError) in
            try connection.first(
                """
                SELECT o.owner, o.audio FROM tracks t LEFT JOIN twins a ON a.track = t.id
                LEFT JOIN twins b ON b.recording = a.recording
                JOIN tracks o ON o.id = coalesce(b.track, t.id) JOIN \(table) q ON q.track = o.id
                WHERE t.owner = ? AND t.audio = ? ORDER BY o.id = t.id DESC, \(order) LIMIT 1
                """, [.integer(id.owner), .integer(id.audio)]
            ) { row throws(DatabaseError) in try TrackColumns.id(row) }
        }
    }

    public func place(of id: TrackID) async throws(Failure) -> Int? {
        try reading { connection throws(DatabaseError) in
            guard let row = try connection.row(of: id), let position = try connection.position(of: row) else {
                return nil
            }
            return try connection.first("SELECT count(*) FROM profile WHERE position > ?", [.integer(position)]) {
                Int($0.integer(0))
            }
        }
    }

    public func placeBeforeRemoval(of id: TrackID) async throws(Failure) -> Int? {
        try reading { connection throws(DatabaseError) in
            try connection.first(
                """
                SELECT (SELECT count(*) FROM profile p WHERE p.position > coalesce(b.position, 0))
                FROM tracks t JOIN removals r ON r.track = t.id LEFT JOIN profile b ON b.track = r.below
                WHERE t.owner = ? AND t.audio = ? AND (r.below IS NULL OR b.position IS NOT NULL)
                """, [.integer(id.owner), .integer(id.audio)]
            ) { Int($0.integer(0)) }
        }
    }

    public func twins(of id: TrackID) async throws(Failure) -> [TrackID] {
        let found = try reading { connection throws(DatabaseError) in
            try connection.rows(
                """
                SELECT o.owner, o.audio FROM tracks t JOIN twins a ON a.track = t.id
                JOIN twins b ON b.recording = a.recording JOIN tracks o ON o.id = b.track
                WHERE t.owner = ? AND t.audio = ?
                """, [.integer(id.owner), .integer(id.audio)]
            ) { row throws(DatabaseError) in try TrackColumns.id(row) }
        }
        return found.isEmpty ? [id] : found
    }
}

extension Connection {
    fileprivate func position(of row: Int64) throws(DatabaseError) -> Int64? {
        try first("SELECT position FROM profile WHERE track = ?", [.integer(row)]) { $0.integer(0) }
    }

    fileprivate func putOnTop(_ row: Int64) throws(DatabaseError) {
        try run(
            """
            INSERT INTO profile (position, track) SELECT coalesce(max(position), 0) + 1, ?1 FROM profile
            WHERE NOT EXISTS (SELECT 1 FROM profile WHERE track = ?1)
            """, .integer(row))
    }

    /// Gives a row the place right above `floor`; whoever has it, and all above, moves up where there is no gap.
    fileprivate func put(_ row: Int64, above floor: Int64) throws(DatabaseError) {
        let holder = try first("SELECT track FROM profile WHERE position = ?", [.integer(floor + 1)]) { $0.integer(0) }
        if holder != nil {
            // In two steps by way of numbers nobody has: positions are keys, and must differ at each moment.
            let far: Int64 = 1 << 40
            try run("UPDATE profile SET position = position + ?2 WHERE position > ?1", .integer(floor), .integer(far))
            try run(
                "UPDATE profile SET position = position - ?2 + 1 WHERE position > ?1", .integer(floor + far / 2),
                .integer(far))
        }
        try run("INSERT INTO profile (position, track) VALUES (?, ?)", .integer(floor + 1), .integer(row))
    }
}
