public import NyanCore

/// Tracks for a shell that completes a line: few of them, and soon.
extension LibraryDatabase {
    /// At most `limit` known tracks that have the words of `text` one behind the other, the last one perhaps not to its
    /// end, in no particular order; a blank text selects nothing.
    public func some(matching text: String, limit: Int) async throws(Failure) -> [Track] {
        let words = FilterWords(text)
        guard !words.isEmpty, limit > 0 else { return [] }
        let condition = WordCondition(words)
        // Read no further than needed: a hundred thousand tracks may have the words.
        let isIndexed = words.pieces.isEmpty && words.signs.isEmpty
        let rows =
            isIndexed
            ? "(SELECT rowid AS id FROM words WHERE words MATCH ?) w JOIN tracks t ON t.id = w.id WHERE"
            : "tracks t WHERE \(condition.sql) AND"
        let start = " " + (words.signs.isEmpty ? FilterWords.folded(text) : "")
        return try reading { connection throws(DatabaseError) in
            try connection.rows(
                "SELECT \(TrackColumns.names(of: "t")) FROM \(rows) instr(' ' || t.folded, ?) > 0 LIMIT ?",
                condition.values + [.text(start), .integer(Int64(limit))]
            ) { row throws(DatabaseError) in try TrackColumns.known(row) }
        }
    }
}
