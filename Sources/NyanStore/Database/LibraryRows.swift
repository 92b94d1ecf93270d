import NyanCore

/// The statements on the `tracks` table that several writers share.
extension Connection {
    /// The stored description of a track.
    func knownTrack(_ id: TrackID) throws(DatabaseError) -> Track? {
        try first(
            "SELECT \(TrackColumns.names) FROM tracks WHERE owner = ? AND audio = ?",
            [.integer(id.owner), .integer(id.audio)]
        ) { TrackColumns.track($0) }
    }

    /// Key of the track's row.
    func row(of id: TrackID) throws(DatabaseError) -> Int64? {
        try first(
            "SELECT id FROM tracks WHERE owner = ? AND audio = ?", [.integer(id.owner), .integer(id.audio)]
        ) { $0.integer(0) }
    }

    /// Key of the track's row, made from `track` when there is none; an existing description stays.
    func rowOrNew(_ track: Track) throws(DatabaseError) -> Int64 {
        if let row = try row(of: track.id) { return row }
        try write(track, replacing: nil)
        return lastInserted
    }

    /// Writes where a track's finished copy is.
    func write(_ copy: FinishedCopy) throws(DatabaseError) {
        var track = Track(id: copy.id, artist: "", title: splitPath(copy.path).name)
        if track.title.hasSuffix(".mp3") { track.title.removeLast(4) }
        let row = try rowOrNew(track)
        try run(
            """
            INSERT INTO copies (track, path, bytes) VALUES (?, ?, ?)
            ON CONFLICT (track) DO UPDATE SET path = excluded.path, bytes = excluded.bytes
            """, .integer(row), .text(copy.path), .integer(copy.bytes))
        // Another file: what was measured is not about this one.
        try run("DELETE FROM loudness WHERE track = ? AND bytes <> ?", .integer(row), .integer(copy.bytes))
    }

    /// Writes a description unless it is what is stored already.
    func write(_ track: Track, replacing known: Track?) throws(DatabaseError) {
        guard track != known else { return }
        try run(
            """
            INSERT INTO tracks (\(TrackColumns.names), folded) VALUES (\(TrackColumns.marks), ?)
            ON CONFLICT (owner, audio) DO UPDATE SET \(TrackColumns.updates), folded = excluded.folded
            """, values: TrackColumns.values(track) + [.text(SearchText.folded(track))])
    }
}
