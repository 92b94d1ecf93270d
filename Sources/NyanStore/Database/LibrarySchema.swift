/// The library's tables, step by step. A released step is never edited: a change is a new step.
enum LibrarySchema {
    static let migrations = [
        Migration(sql: first), Migration(sql: addresses), Migration(sql: loudness),
        Migration(sql: LibraryTwins.schema), Migration(sql: words), Migration(sql: playlists),
        Migration(sql: LibraryDatabase.keepSchema), Migration(sql: LibraryDatabase.seenSchema),
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

    /// The index of `tracks.folded`'s words, kept in step by triggers whoever writes; and the tracks that have left the
    /// profile, so that one that returns can be told from a new one. Places of words in their texts are not kept
    /// (`detail`), which makes the index a third of the size.
    private static let words = """
        UPDATE tracks SET folded = replace(folded, '''', '') WHERE instr(folded, '''') > 0;
        CREATE VIRTUAL TABLE words USING fts5 (
            folded, content = 'tracks', content_rowid = 'id', tokenize = "unicode61 remove_diacritics 0",
            detail = none, columnsize = 0);
        INSERT INTO words (words) VALUES ('rebuild');
        CREATE TRIGGER words_added AFTER INSERT ON tracks BEGIN
            INSERT INTO words (rowid, folded) VALUES (new.id, new.folded);
        END;
        CREATE TRIGGER words_removed AFTER DELETE ON tracks BEGIN
            INSERT INTO words (words, rowid, folded) VALUES ('delete', old.id, old.folded);
        END;
        CREATE TRIGGER words_changed AFTER UPDATE OF folded ON tracks WHEN old.folded <> new.folded BEGIN
            INSERT INTO words (words, rowid, folded) VALUES ('delete', old.id, old.folded);
            INSERT INTO words (rowid, folded) VALUES (new.id, new.folded);
        END;
        CREATE TABLE departed (track INTEGER PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE);
        """

    /// Playlists: `place` counts from the top of the person's list (NULL = not in it), `is_read` = the entries are known.
    /// Lyrics: `words` is NULL where VK has none, `asked_at` in seconds since 1970.
    private static let playlists = """
        CREATE TABLE playlists (
            id INTEGER PRIMARY KEY, owner INTEGER NOT NULL, number INTEGER NOT NULL, access_key TEXT,
            title TEXT NOT NULL, about TEXT, count INTEGER NOT NULL, followed INTEGER NOT NULL, follow_owner INTEGER,
            follow_number INTEGER, place INTEGER, kept INTEGER NOT NULL DEFAULT 0, is_read INTEGER NOT NULL DEFAULT 0,
            UNIQUE (owner, number));
        CREATE TABLE playlist_entries (
            playlist INTEGER NOT NULL REFERENCES playlists (id) ON DELETE CASCADE, place INTEGER NOT NULL,
            track INTEGER NOT NULL REFERENCES tracks (id) ON DELETE CASCADE, PRIMARY KEY (playlist, place))
            WITHOUT ROWID;
        CREATE INDEX playlist_entries_by_track ON playlist_entries (track);
        CREATE TABLE lyrics (
            owner INTEGER NOT NULL, audio INTEGER NOT NULL, asked_at INTEGER NOT NULL, words TEXT,
            PRIMARY KEY (owner, audio)) WITHOUT ROWID;
        """
}
