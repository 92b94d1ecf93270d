public import NyanCore

/// Tracks for a shell that completes a line: few of them, and soon.
extension LibraryDatabase {
    /// At most `limit` known tracks that have every word of `text`, in no particular order; a blank text selects nothing.
    public func some(matching text: String, limit: Int) async throws(Failure) -> [Track] {
        let words = FilterWords(text)
        guard !words.isEmpty, limit > 0 else { return [] }
        let condition = WordCondition(words)
        // The word index alone is read no further than needed: a hundred thousand tracks may have the word.
        let isIndexed = words.pieces.isEmpty && words.signs.isEmpty
        let rows =
            isIndexed
            ? "(SELECT rowid AS id FROM words WHERE words MATCH ? LIMIT ?) w JOIN tracks t ON t.id = w.id"
            : "tracks t WHERE \(condition.sql) LIMIT ?"
        return try reading { connection throws(DatabaseError) in
            try connection.rows(
                "SELECT \(TrackColumns.names(of: "t")) FROM \(rows)", condition.values + [.integer(Int64(limit))]
            ) { TrackColumns.track($0) }
        }
    }
}
