import FoundationEssentials
public import NyanCore

/// The download queue's rows.
extension LibraryDatabase {
    public func downloads() async throws(Failure) -> [Download] {
        try reading { connection throws(DatabaseError) in
            try connection.rows(
                """
                SELECT \(TrackColumns.names(of: "t")), d.state, d.received, d.total, d.failure, d.attempts, d.ordinal
                FROM downloads d JOIN tracks t ON t.id = d.track ORDER BY d.ordinal, d.track
                """
            ) { row in
                let next = TrackColumns.count
                // A state this version does not know waits, which is always safe to go on from.
                return Download(
                    track: TrackColumns.track(row), state: Download.State(rawValue: row.text(next)) ?? .waiting,
                    received: row.integer(next + 1), total: row.optionalInteger(next + 2),
                    failure: Self.failure(row.optionalText(next + 3)), attempts: Int(row.integer(next + 4)),
                    order: row.integer(next + 5))
            }
        }
    }

    public func save(_ downloads: [Download]) async throws(Failure) {
        guard !downloads.isEmpty else { return }
        try writing { connection throws(DatabaseError) in
            for download in downloads {
                let row = try connection.rowOrNew(download.track)
                if let key = download.track.accessKey {
                    // A foreign track cannot be fetched again without its key.
                    try connection.run(
                        "UPDATE tracks SET access_key = ?2 WHERE id = ?1 AND access_key IS NULL",
                        .integer(row), .text(key))
                }
                try connection.run(
                    """
                    INSERT OR REPLACE INTO downloads (track, ordinal, state, received, total, failure, attempts)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                    .integer(row), .integer(download.order), .text(download.state.rawValue),
                    .integer(download.received), .integer(download.total), .text(Self.text(download.failure)),
                    .integer(download.attempts))
            }
        }
    }

    public func removeDownloads(_ ids: [TrackID]) async throws(Failure) {
        guard !ids.isEmpty else { return }
        try writing { connection throws(DatabaseError) in
            for id in ids {
                try connection.run(
                    "DELETE FROM downloads WHERE track = (SELECT id FROM tracks WHERE owner = ? AND audio = ?)",
                    .integer(id.owner), .integer(id.audio))
            }
        }
    }

    private static func failure(_ text: String?) -> Failure? {
        text.flatMap { try? JSONDecoder().decode(Failure.self, from: Data($0.utf8)) }
    }

    private static func text(_ failure: Failure?) -> String? {
        failure.flatMap { try? JSONEncoder().encode($0) }.map { String(decoding: $0, as: UTF8.self) }
    }
}
