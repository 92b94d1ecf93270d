public import NyanCore

/// Reading lists of tracks.
extension LibraryDatabase {
    /// What a listing selects: the description, whether it is in the profile, the copy's path, the cover's path.
    private static let columns =
        "\(TrackColumns.names(of: "t")), \(LibraryTwins.isAdded), \(LibraryTwins.path), t.cover_path"

    private static func listed(_ row: Row) throws(DatabaseError) -> ListedTrack {
        let next = TrackColumns.count
        return ListedTrack(
            track: try TrackColumns.known(row), isAdded: row.bool(next), copyPath: row.optionalText(next + 1),
            coverPath: row.optionalText(next + 2))
    }

    /// Rows of `tables` whose text has every word of `filter`.
    private func list(_ tables: String, matching words: FilterWords, order: String) throws(Failure) -> [ListedTrack] {
        let condition = WordCondition(words)
        let sql = """
            SELECT \(Self.columns) FROM \(tables)
            \(condition.sql.isEmpty ? "" : "WHERE \(condition.sql)") ORDER BY \(order)
            """
        return try reading { connection throws(DatabaseError) in
            try connection.rows(sql, condition.values) { row throws(DatabaseError) in try Self.listed(row) }
        }
    }

    public func profileIDs() async throws(Failure) -> [TrackID] {
        try reading { connection throws(DatabaseError) in
            try connection.rows(
                "SELECT t.owner, t.audio FROM profile p JOIN tracks t ON t.id = p.track ORDER BY p.position DESC"
            ) { row throws(DatabaseError) in try TrackColumns.id(row) }
        }
    }

    public func profile(matching filter: String?) async throws(Failure) -> [ListedTrack] {
        try list(
            "profile p JOIN tracks t ON t.id = p.track LEFT JOIN copies c ON c.track = t.id",
            matching: FilterWords(filter ?? ""), order: "p.position DESC")
    }

    public func music(matching filter: String?) async throws(Failure) -> [ListedTrack] {
        try list(
            "copies c JOIN tracks t ON t.id = c.track LEFT JOIN profile p ON p.track = t.id",
            matching: FilterWords(filter ?? ""), order: "c.sequence DESC")
    }

    /// Profile first, then finished copies, then the rest, newest first. A blank text selects nothing.
    public func known(matching text: String) async throws(Failure) -> [ListedTrack] {
        let words = FilterWords(text)
        guard !words.isEmpty else { return [] }
        return try list(
            "tracks t LEFT JOIN profile p ON p.track = t.id LEFT JOIN copies c ON c.track = t.id", matching: words,
            order: "p.position DESC NULLS LAST, c.sequence DESC NULLS LAST, t.id DESC")
    }

    public func tracks(_ ids: [TrackID]) async throws(Failure) -> [ListedTrack] {
        let sql = """
            SELECT \(Self.columns) FROM tracks t
            LEFT JOIN profile p ON p.track = t.id LEFT JOIN copies c ON c.track = t.id
            WHERE t.owner = ? AND t.audio = ?
            """
        return try reading { connection throws(DatabaseError) in
            var found: [ListedTrack] = []
            for id in ids {
                let values: [SQLValue] = [.integer(id.owner), .integer(id.audio)]
                let track = try connection.first(sql, values) { row throws(DatabaseError) in try Self.listed(row) }
                if let track { found.append(track) }
            }
            return found
        }
    }
}
