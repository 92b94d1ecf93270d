public import NyanCore

extension LibraryDatabase {
    /// Of these tracks, those whose recording has other ids, each with all of them. One query, however many are asked.
    public func twins(among ids: [TrackID]) async throws(Failure) -> [TrackID: [TrackID]] {
        let wanted = Set(ids)
        let pairs = try reading { connection throws(DatabaseError) in
            try connection.rows(
                """
                SELECT t.owner, t.audio, o.owner, o.audio FROM twins a JOIN twins b ON b.recording = a.recording
                JOIN tracks t ON t.id = a.track JOIN tracks o ON o.id = b.track
                """
            ) { row throws(DatabaseError) in
                (try TrackColumns.id(row), try TrackColumns.id(row, from: 2))
            }
        }
        return pairs.reduce(into: [:]) { found, pair in
            if wanted.contains(pair.0) { found[pair.0, default: []].append(pair.1) }
        }
    }
}
