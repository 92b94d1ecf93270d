import CSQLite
import FoundationEssentials
public import NyanCore

/// The library on disk: descriptions, the profile's order, finished copies, downloads, the account.
///
/// The disk may be slow, so this is its own actor; each method that writes is one transaction, durable against kill -9
/// when it returns.
public actor LibraryDatabase: LibraryStore {
    var path: String { file.path }
    private let file: DatabaseFile
    /// nil while a new library could not be begun after damage: each call tries to open it first.
    private var connection: Connection?
    /// The word index was made anew since the start; if it is wrong again, something else is.
    private var hasHealedWords = false
    /// A library that missed a table or a column was set aside since the start; if one misses in the new one, too, it is
    /// our own mistake.
    private var hasHealedShape = false
    private let queue = DatabaseQueue("library")

    public nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// To be reported once: an unreadable file was set aside and a new one begun. nil when all was well.
    public nonisolated let notice: Failure?
    /// There was no library before, or none that could be read, and `endRebuilding` was not called since, also in an
    /// earlier run: My Music may know more.
    public nonisolated let isNew: Bool
    /// Told when damage was found while running, and a new library was begun. Set before anything is asked; called on
    /// the library's own queue.
    public nonisolated let onDamage = DamageListener()

    /// Opens or creates the database, off the caller's actor.
    /// - Throws: when there can be no database here (no access, disk full, in use, written by a newer nyand).
    public static func open(_ path: String) async throws(Failure) -> LibraryDatabase {
        try await offPool { () throws(Failure) in try LibraryDatabase(path) }
    }

    private init(_ path: String) throws(Failure) {
        file = Self.file(path)
        let opened = try file.open()
        connection = opened.connection
        notice = opened.notice
        isNew = opened.isNew || Self.isRebuilding(opened.connection)
    }

    /// Runs `body` and turns SQLite's refusals into failures. Damage is healed, and `body` run once more.
    func reading<Result>(_ body: (Connection) throws(DatabaseError) -> Result) throws(Failure) -> Result {
        if connection == nil { try take(file.open()) }
        do throws(DatabaseError) {
            return try run(body)
        } catch {
            guard file.isAtFault(error, connection) else { throw error.failure(at: path) }
            try heal(error)
        }
        do throws(DatabaseError) { return try run(body) } catch { throw error.failure(at: path) }
    }

    /// Holds the connection no longer than `body` runs, so that it can be closed when that fails.
    private func run<Result>(
        _ body: (Connection) throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> Result {
        guard let connection else { throw DatabaseError(code: SQLITE_CANTOPEN, message: "it is not open") }
        return try body(connection)
    }

    /// Damage that shows only now (field-issues.md D4): the word index is made anew from the tracks; anything else means
    /// a new library with all that can be read of the old one.
    private func heal(_ damage: DatabaseError) throws(Failure) {
        if damage.isMisshapen {
            if hasHealedShape { throw damage.failure(at: path) }
            hasHealedShape = true
        } else if !hasHealedWords, connection.map(file.mend) == true {
            hasHealedWords = true
            return onDamage.tell(
                Failure(.fileAccess, "the word index of the library was damaged (\(damage.message)) and was made anew"),
                isNew: false)
        }
        // Closed first: a connection that closes later would remove the new file's log.
        connection = nil
        try take(file.startAnew(damage.message))
    }

    /// Goes on with a library that was opened while running.
    private func take(_ opened: DatabaseFile.Opened) {
        connection = opened.connection
        if let notice = opened.notice { onDamage.tell(notice, isNew: opened.isNew) }
    }

    /// The same as one transaction.
    func writing<Result>(_ body: (Connection) throws(DatabaseError) -> Result) throws(Failure) -> Result {
        try reading { connection throws(DatabaseError) in
            try connection.transaction { () throws(DatabaseError) in try body(connection) }
        }
    }

    /// Rows written since the start; lets a test see that nothing was written.
    var rowsWritten: Int { connection?.totalChanges ?? 0 }

    // Descriptions.

    public func remember(_ tracks: [Track]) async throws(Failure) {
        guard !tracks.isEmpty else { return }
        try writing { connection throws(DatabaseError) in
            for track in tracks {
                let known = try connection.knownTrack(track.id)
                try connection.write(known.map { track.completed(by: $0) } ?? track, replacing: known)
            }
        }
    }

    public func setCover(_ path: String?, of id: TrackID) async throws(Failure) {
        try writing { connection throws(DatabaseError) in
            try connection.run(
                "UPDATE tracks SET cover_path = ?3 WHERE owner = ?1 AND audio = ?2 AND cover_path IS NOT ?3",
                .integer(id.owner), .integer(id.audio), .text(path))
        }
    }

    public func forgetProfile() async throws(Failure) {
        try writing { connection throws(DatabaseError) in
            try connection.run("DELETE FROM profile")
            try connection.run("DELETE FROM departed")
            // The account's, and what it could open; their tracks may go.
            try connection.run("DELETE FROM playlists")
            try connection.run(
                """
                DELETE FROM tracks WHERE id NOT IN (SELECT track FROM copies)
                AND id NOT IN (SELECT track FROM downloads) AND NOT \(LibraryTwins.hasCopy)
                """)
            try connection.run("DELETE FROM removals")
            // The rules were the account's as well; the files they brought stay.
            try connection.run("DELETE FROM brought")
            try connection.run("DELETE FROM declined")
            try connection.run(
                "DELETE FROM notes WHERE name LIKE 'people.%' OR name LIKE 'adding.%' OR name LIKE 'keep.%'")
        }
    }

    // Finished copies.

    /// The own copy, else a twin's under the twin's id.
    public func copy(of id: TrackID) async throws(Failure) -> FinishedCopy? {
        try reading { connection throws(DatabaseError) in try connection.finishedCopy(of: id) }
    }

    /// A copy of a track nobody described yet gets its file's name as title, so that it is never lost from sight. With it
    /// its download is done.
    public func addCopy(_ copy: FinishedCopy) async throws(Failure) {
        try reading { connection throws(DatabaseError) in
            // What was fetched goes next: the row must be on the disk before, not only in its log's pages.
            try connection.durably { () throws(DatabaseError) in
                try connection.transaction { () throws(DatabaseError) in
                    try connection.write(copy)
                    // Else a kill right now would have it fetched once more.
                    try connection.run(
                        """
                        UPDATE downloads SET state = ?3, failure = NULL, received = coalesce(total, received)
                        WHERE track = (SELECT id FROM tracks WHERE owner = ?1 AND audio = ?2)
                        """, .integer(copy.id.owner), .integer(copy.id.audio), .text(Download.State.done.rawValue))
                }
            }
        }
    }

    /// Takes over what My Music holds after the library was lost: descriptions as far as the files' tags go.
    public func addCopies(_ found: [MusicFolder.Found]) async throws(Failure) {
        guard !found.isEmpty else { return }
        try writing { connection throws(DatabaseError) in
            for file in found {
                if !file.track.title.isEmpty { _ = try connection.rowOrNew(file.track) }
                try connection.write(file.copy)
            }
        }
    }

    /// Whether finished copies are listed right in this folder.
    public func hasCopies(in folder: String) async throws(Failure) -> Bool {
        try reading { connection throws(DatabaseError) in
            try connection.first(
                "SELECT 1 FROM copies WHERE substr(path, 1, length(?1)) = ?1 LIMIT 1", [.text("\(folder)/")]
            ) { _ in true } ?? false
        }
    }

    public func removeCopy(_ id: TrackID) async throws(Failure) {
        try writing { connection throws(DatabaseError) in
            try connection.run(
                "DELETE FROM copies WHERE track = (SELECT id FROM tracks WHERE owner = ? AND audio = ?)",
                .integer(id.owner), .integer(id.audio))
        }
    }

    // The account and notes.

    public func account() async throws(Failure) -> Account? {
        let text = try reading { connection throws(DatabaseError) in
            try connection.first("SELECT description FROM account") { $0.text(0) }
        }
        return text.flatMap { try? JSONDecoder().decode(Account.self, from: Data($0.utf8)) }
    }

    public func setAccount(_ account: Account?) async throws(Failure) {
        let text = account.flatMap { try? JSONEncoder().encode($0) }.map { String(decoding: $0, as: UTF8.self) }
        try writing { connection throws(DatabaseError) in
            guard let text else { return try connection.run("DELETE FROM account") }
            try connection.run("INSERT OR REPLACE INTO account (id, description) VALUES (1, ?)", .text(text))
        }
    }

    public func note(_ key: String) async throws(Failure) -> String? {
        try reading { connection throws(DatabaseError) in
            try connection.first("SELECT value FROM notes WHERE name = ?", [.text(key)]) { $0.text(0) }
        }
    }

    public func setNote(_ key: String, _ value: String?) async throws(Failure) {
        try writing { connection throws(DatabaseError) in
            guard let value else { return try connection.run("DELETE FROM notes WHERE name = ?", .text(key)) }
            try connection.run("INSERT OR REPLACE INTO notes (name, value) VALUES (?, ?)", .text(key), .text(value))
        }
    }
}

extension Track {
    /// This description with what only the older one knew: lists and search answers leave fields out.
    func completed(by older: Track) -> Track {
        var track = self
        track.accessKey = accessKey ?? older.accessKey
        track.album = album ?? older.album
        track.coverURL = coverURL ?? older.coverURL
        track.date = date ?? older.date
        if duration == 0 { track.duration = older.duration }
        return track
    }
}
