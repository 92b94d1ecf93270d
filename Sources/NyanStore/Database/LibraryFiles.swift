public import NyanCore

/// Which files are finished copies, and which files were seen in the music folder.
extension LibraryDatabase: CopyLedger {
    /// `modified` in nanoseconds since 1970; `owner` and `audio` are NULL where the tag names no track.
    static let seenSchema = """
        CREATE TABLE seen_files (
            path TEXT PRIMARY KEY, bytes INTEGER NOT NULL, modified INTEGER NOT NULL, owner INTEGER, audio INTEGER)
            WITHOUT ROWID;
        """

    public func finishedCopies() async throws(Failure) -> [FinishedCopy] {
        try reading { connection throws(DatabaseError) in
            try connection.rows(
                "SELECT t.owner, t.audio, c.path, c.bytes FROM copies c JOIN tracks t ON t.id = c.track"
            ) { row throws(DatabaseError) in
                FinishedCopy(id: try TrackColumns.id(row), path: row.text(2), bytes: row.count(3))
            }
        }
    }

    public func seenFiles() async throws(Failure) -> [SeenFile] {
        try reading { connection throws(DatabaseError) in
            try connection.rows("SELECT path, bytes, modified, owner, audio FROM seen_files") { row in
                let owner = row.optionalInteger(3)
                return SeenFile(
                    path: row.text(0), bytes: row.count(1), modified: row.integer(2),
                    id: owner.map { TrackID(owner: $0, audio: row.integer(4)) })
            }
        }
    }

    public func take(_ changes: FolderChanges, described: [Track]) async throws(Failure) -> [TrackID] {
        guard !changes.isEmpty else { return [] }
        return try writing { connection throws(DatabaseError) in
            for move in changes.moved where try connection.hasCopy(move.copy.id, at: move.from) {
                try connection.write(move.copy)
            }
            for copy in changes.edited where try connection.hasCopy(copy.id, at: copy.path) {
                try connection.write(copy)
            }
            var forgotten: [TrackID] = []
            for copy in changes.gone where try connection.hasCopy(copy.id, at: copy.path) {
                guard let row = try connection.row(of: copy.id) else { continue }
                try connection.decline(row)
                try connection.run("DELETE FROM copies WHERE track = ?", .integer(row))
                forgotten.append(copy.id)
            }
            let tracks = Dictionary(described.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
            for copy in changes.found {
                if let track = tracks[copy.id] { _ = try connection.rowOrNew(track) }
                try connection.write(copy)
                try connection.run(
                    """
                    DELETE FROM declined WHERE track IN (SELECT id FROM tracks WHERE owner = ? AND audio = ?)
                    """, .integer(copy.id.owner), .integer(copy.id.audio))
            }
            for file in changes.seen {
                try connection.run(
                    "INSERT OR REPLACE INTO seen_files (path, bytes, modified, owner, audio) VALUES (?, ?, ?, ?, ?)",
                    .text(file.path), .integer(file.bytes), .integer(file.modified), .integer(file.id?.owner),
                    .integer(file.id?.audio))
            }
            for path in changes.unseen { try connection.run("DELETE FROM seen_files WHERE path = ?", .text(path)) }
            return forgotten
        }
    }
}

extension Connection {
    /// Whether the library's copy of a track is this very file.
    fileprivate func hasCopy(_ id: TrackID, at path: String) throws(DatabaseError) -> Bool {
        try first(
            """
            SELECT 1 FROM copies c JOIN tracks t ON t.id = c.track WHERE t.owner = ? AND t.audio = ? AND c.path = ?
            """, [.integer(id.owner), .integer(id.audio), .text(path)]
        ) { _ in true } ?? false
    }
}
