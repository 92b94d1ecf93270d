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
            ) { row throws(DatabaseError) in
                Self.download(of: try TrackColumns.known(row), row, from: TrackColumns.count)
            }
        }
    }

    public func save(_ downloads: [Download]) async throws(Failure) {
        guard !downloads.isEmpty else { return }
        try writing { connection throws(DatabaseError) in
            for download in downloads { try Self.write(download, to: connection) }
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

    /// The columns `state, received, total, failure, attempts, ordinal`.
    static func download(of track: Track, _ row: Row, from column: Int32) -> Download {
        // A state this version does not know waits, which is always safe to go on from.
        Download(
            track: track, state: Download.State(rawValue: row.text(column)) ?? .waiting,
            received: row.count(column + 1),
            total: row.isNull(column + 2) ? nil : row.count(column + 2), failure: failure(row.optionalText(column + 3)),
            attempts: Int(row.count(column + 4)), order: row.count(column + 5))
    }

    static func write(_ download: Download, to connection: Connection) throws(DatabaseError) {
        let row = try connection.rowOrNew(download.track)
        if let key = download.track.accessKey {
            // A foreign track cannot be fetched again without its key.
            try connection.run(
                "UPDATE tracks SET access_key = ?2 WHERE id = ?1 AND access_key IS NULL", .integer(row), .text(key))
        }
        try connection.run(
            """
            INSERT OR REPLACE INTO downloads (track, ordinal, state, received, total, failure, attempts)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            .integer(row), .integer(download.order), .text(download.state.rawValue), .integer(download.received),
            .integer(download.total), .text(text(download.failure)), .integer(download.attempts))
    }

    private static func failure(_ text: String?) -> Failure? {
        text.flatMap { try? JSONDecoder().decode(Failure.self, from: Data($0.utf8)) }
    }

    private static func text(_ failure: Failure?) -> String? {
        failure.flatMap { try? JSONEncoder().encode($0) }.map { String(decoding: $0, as: UTF8.self) }
    }
}
