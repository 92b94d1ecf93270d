public import NyanCore

/// What was heard, in the queue's database: the newest ten thousand plays.
extension PlaybackDatabase: HistoryStore {
    /// So many are kept.
    static var mostPlays: Int { 10_000 }

    public func addPlay(_ play: PlayedTrack) async throws(Failure) -> Int64 {
        let connection = try open()
        do throws(DatabaseError) {
            return try connection.transaction { () throws(DatabaseError) in
                try connection.run(
                    """
                    INSERT INTO history (played_at, heard, \(TrackColumns.names)) VALUES (?, ?, \(TrackColumns.marks))
                    """,
                    values: [.integer(play.playedAt), .real(play.heard)] + TrackColumns.values(play.track))
                let number = connection.lastInserted
                try connection.run("DELETE FROM history WHERE id <= ?", .integer(number - Int64(Self.mostPlays)))
                return number
            }
        } catch {
            throw error.failure(at: path)
        }
    }

    public func setHeard(_ seconds: Double, of number: Int64) async throws(Failure) {
        let connection = try open()
        do throws(DatabaseError) {
            try connection.run("UPDATE history SET heard = ? WHERE id = ?", .real(seconds), .integer(number))
        } catch {
            throw error.failure(at: path)
        }
    }

    public func plays(_ count: Int) async throws(Failure) -> [PlayedTrack] {
        let connection = try open()
        do throws(DatabaseError) {
            return try connection.rows(
                "SELECT \(TrackColumns.names), played_at, heard FROM history ORDER BY id DESC LIMIT ?",
                [.integer(count)]
            ) { row -> PlayedTrack? in
                // One that does not say which track it was would spoil the whole list.
                guard TrackColumns.isTrack(row) else { return nil }
                return PlayedTrack(
                    track: TrackColumns.track(row), playedAt: row.count(TrackColumns.count),
                    heard: row.real(TrackColumns.count + 1))
            }.compactMap(\.self)
        } catch {
            throw error.failure(at: path)
        }
    }
}
