import NyanCore

/// Tracks that are one recording under several ids: adding a foreign track to the profile makes a copy with an id of its
/// own (vk-api.md §2.6). What is on disk of one of them counts for all.
enum LibraryTwins {
    /// `recording` is the key of whichever track of the group was first; `removals` tells what stood below a track when
    /// it was taken off the profile, so that it can come back to its place.
    static let schema = """
        CREATE TABLE twins (
            track INTEGER PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE, recording INTEGER NOT NULL);
        CREATE INDEX twins_by_recording ON twins (recording);
        CREATE TABLE removals (
            track INTEGER PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE, below INTEGER,
            ordinal INTEGER NOT NULL);
        """

    /// In the profile itself or by a twin; for listings of `tracks t` with `profile p`. Most libraries have few twins, so
    /// the inner query is one look into a small table.
    static let isAdded = """
        (p.track IS NOT NULL OR EXISTS (
            SELECT 1 FROM twins a JOIN twins b ON b.recording = a.recording JOIN profile q ON q.track = b.track
            WHERE a.track = t.id))
        """

    /// Path of the own finished copy, else of a twin's; for listings of `tracks t` with `copies c`.
    static let path = """
        coalesce(c.path, (
            SELECT k.path FROM twins a JOIN twins b ON b.recording = a.recording JOIN copies k ON k.track = b.track
            WHERE a.track = t.id LIMIT 1))
        """

    /// Whether a twin of the row of `tracks` has a finished copy.
    static let hasCopy = """
        EXISTS (
            SELECT 1 FROM twins a JOIN twins b ON b.recording = a.recording JOIN copies k ON k.track = b.track
            WHERE a.track = tracks.id)
        """
}

extension Connection {
    /// The finished copy of a track, else of a twin, under the id it was made for.
    func finishedCopy(of id: TrackID) throws(DatabaseError) -> FinishedCopy? {
        try first(
            """
            SELECT o.owner, o.audio, k.path, k.bytes FROM tracks t LEFT JOIN twins a ON a.track = t.id
            LEFT JOIN twins b ON b.recording = a.recording
            JOIN copies k ON k.track = coalesce(b.track, t.id) JOIN tracks o ON o.id = k.track
            WHERE t.owner = ? AND t.audio = ? ORDER BY o.id = t.id DESC LIMIT 1
            """, [.integer(id.owner), .integer(id.audio)]
        ) { row throws(DatabaseError) in
            FinishedCopy(id: try TrackColumns.id(row), path: row.text(2), bytes: row.count(3))
        }
    }

    /// Makes two rows of `tracks` one recording, with all that either was one with before.
    func link(_ one: Int64, _ other: Int64) throws(DatabaseError) {
        let mine = try recordingNumber(of: one)
        let others = try recordingNumber(of: other)
        let recording = mine ?? others ?? one
        if let others, others != recording {
            try run("UPDATE twins SET recording = ?1 WHERE recording = ?2", .integer(recording), .integer(others))
        }
        for row in [one, other] {
            try run(
                "INSERT OR REPLACE INTO twins (track, recording) VALUES (?, ?)", .integer(row), .integer(recording))
        }
    }

    private func recordingNumber(of row: Int64) throws(DatabaseError) -> Int64? {
        try first("SELECT recording FROM twins WHERE track = ?", [.integer(row)]) { $0.integer(0) }
    }
}
