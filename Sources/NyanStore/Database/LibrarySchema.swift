/// The library's tables, step by step. A released step is never edited: a change is a new step.
enum LibrarySchema {
    static let migrations = [
        Migration(sql: first), Migration(sql: addresses), Migration(sql: loudness),
        Migration(sql: LibraryTwins.schema),
    ]

    /// `profile.position` grows towards the top of the list (VK puts new tracks first), so that an added track is one
    /// new row. `tracks.folded` is `SearchText.folded`.
    private static let first = """
        CREATE TABLE tracks (
            id INTEGER PRIMARY KEY, \(TrackColumns.definitions),
            cover_path TEXT, folded TEXT NOT NULL, UNIQUE (owner, audio));
        CREATE TABLE profile (
            position INTEGER PRIMARY KEY, track INTEGER NOT NULL UNIQUE REFERENCES tracks (id));
        CREATE TABLE copies (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT, track INTEGER NOT NULL UNIQUE REFERENCES tracks (id),
            path TEXT NOT NULL, bytes INTEGER NOT NULL);
        CREATE TABLE downloads (
            track INTEGER PRIMARY KEY REFERENCES tracks (id), ordinal INTEGER NOT NULL, state TEXT NOT NULL,
            received INTEGER NOT NULL, total INTEGER, failure TEXT, attempts INTEGER NOT NULL);
        CREATE TABLE account (id INTEGER PRIMARY KEY CHECK (id = 1), description TEXT NOT NULL);
        CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        """

    /// Tracks that are not VK's.
    private static let addresses = "ALTER TABLE tracks ADD COLUMN \(TrackColumns.address)"

    /// What was measured of a track's finished copy: `bytes` is the file's size then; both values are NULL where there
    /// is nothing to add.
    private static let loudness = """
        CREATE TABLE loudness (
            track INTEGER PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE, bytes INTEGER NOT NULL,
            gain REAL, peak REAL);
        """
}
