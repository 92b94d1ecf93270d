public import NyanCore

/// What was measured of finished copies.
extension LibraryDatabase: LoudnessStore {
    public func loudness(of id: TrackID) async throws(Failure) -> LoudnessReading? {
        try reading { connection throws(DatabaseError) in
            try connection.first(
                """
                SELECT l.bytes, l.gain, l.peak FROM loudness l JOIN tracks t ON t.id = l.track
                WHERE t.owner = ? AND t.audio = ?
                """, [.integer(id.owner), .integer(id.audio)]
            ) { row in
                let loudness = Loudness(
                    trackGain: row.isNull(1) ? nil : row.real(1), trackPeak: row.isNull(2) ? nil : row.real(2))
                return LoudnessReading(bytes: row.integer(0), loudness: loudness.hasGain ? loudness : nil)
            }
        }
    }

    public func setLoudness(_ reading: LoudnessReading?, of id: TrackID) async throws(Failure) {
        try writing { connection throws(DatabaseError) in
            guard let row = try connection.row(of: id) else { return }
            guard let reading else {
                return try connection.run("DELETE FROM loudness WHERE track = ?", .integer(row))
            }
            func real(_ value: Double?) -> SQLValue { value.map { .real($0) } ?? .null }
            try connection.run(
                "INSERT OR REPLACE INTO loudness (track, bytes, gain, peak) VALUES (?, ?, ?, ?)",
                .integer(row), .integer(reading.bytes), real(reading.loudness?.trackGain),
                real(reading.loudness?.trackPeak))
        }
    }

    public func unmeasured() async throws(Failure) -> [FinishedCopy] {
        try reading { connection throws(DatabaseError) in
            try connection.rows(
                """
                SELECT t.owner, t.audio, c.path, c.bytes FROM copies c JOIN tracks t ON t.id = c.track
                LEFT JOIN loudness l ON l.track = c.track WHERE l.track IS NULL ORDER BY c.sequence DESC
                """
            ) { row in
                FinishedCopy(
                    id: TrackID(owner: row.integer(0), audio: row.integer(1)), path: row.text(2),
                    bytes: row.count(3))
            }
        }
    }
}
