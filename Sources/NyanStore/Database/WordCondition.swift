import NyanCore

/// `FilterWords` as SQL about the table `tracks t`: the word index for what it knows, a look at every row for the rest.
struct WordCondition {
    /// Empty where everything is meant.
    let sql: String
    let values: [SQLValue]

    init(_ words: FilterWords) {
        var terms: [String] = []
        var values: [SQLValue] = []
        if !words.prefixes.isEmpty {
            terms.append("t.id IN (SELECT rowid FROM words WHERE words MATCH ?)")
            // Letters and digits only, so that nothing has to be escaped.
            values.append(.text(words.prefixes.map { "\"\($0)\"*" }.joined(separator: " ")))
        }
        for piece in words.pieces {
            terms.append("instr(t.folded, ?) > 0")
            values.append(.text(piece))
        }
        for sign in words.signs {
            terms.append("instr(t.artist || ' ' || t.title || ' ' || ifnull(t.album, ''), ?) > 0")
            values.append(.text(sign))
        }
        sql = terms.joined(separator: " AND ")
        self.values = values
    }
}
