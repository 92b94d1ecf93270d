import CSQLite
import Glibc
import NyanCore

/// A schema's step from one number to the next; the list's index + 1 is the number it leads to.
struct Migration {
    let sql: String
}

/// Opens a database file: checks it, brings its schema up to date, and starts over beside an unreadable one.
struct DatabaseFile {
    let path: String
    let migrations: [Migration]

    /// An open database, and how it came to be.
    struct Opened {
        let connection: Connection
        /// Says that an unreadable file was set aside for a new one; nil when all was well.
        var notice: Failure?
        /// Where the unreadable file is now.
        var aside: String?
        /// Nothing was there before, or nothing that could be read.
        var isNew = false
    }

    /// - Throws: when there can be no database here (no access, disk full, in use, written by a newer nyand).
    func open() throws(Failure) -> Opened {
        try Folder.makePrivate(splitPath(path).folder)
        // Born private; SQLite gives its log and index the same mode.
        _ = try OpenFile(path, O_RDWR | O_CREAT, mode: 0o600)
        do throws(DatabaseError) {
            return try attempt()
        } catch {
            guard error.isDamage else { throw error.failure(at: path) }
            return try startAnew(error.message)
        }
    }

    /// Sets the file aside and begins an empty one. Nobody may have it open.
    func startAnew(_ damage: String) throws(Failure) -> Opened {
        let aside = try WholeFile.setAside(path, companions: ["-wal", "-shm"])
        let name = splitPath(path).name
        let notice = Failure(
            .fileAccess, "\"\(name)\" was damaged (\(damage)); it is kept as \(aside), a new one was started")
        _ = try OpenFile(path, O_RDWR | O_CREAT, mode: 0o600)
        do throws(DatabaseError) {
            var opened = try attempt()
            opened.notice = notice
            opened.aside = aside
            return opened
        } catch {
            throw error.failure(at: path)
        }
    }

    /// `quick_check` reads every page and compares rows with their tables, not with their indexes: 8 ms for 10,000
    /// tracks and 83 for 100,000 (`integrity_check`: 120), which may be had at each start. What only an index has wrong
    /// is found by a query and healed then.
    static func check(_ connection: Connection) throws(DatabaseError) {
        let verdict = try connection.first("PRAGMA quick_check(1)") { $0.text(0) }
        if verdict != "ok" { throw DatabaseError(code: SQLITE_CORRUPT, message: verdict ?? "no verdict") }
    }

    private func attempt() throws(DatabaseError) -> Opened {
        let connection = try Connection(path)
        try Self.check(connection)
        let isNew = try connection.version == 0
        try migrate(connection)
        return Opened(connection: connection, isNew: isNew)
    }

    private func migrate(_ connection: Connection) throws(DatabaseError) {
        let version = try connection.version
        if version > migrations.count {
            let text = "it was written by a newer nyand (schema \(version), this one knows \(migrations.count))"
            throw DatabaseError(code: SQLITE_READONLY, message: text)
        }
        if version == migrations.count { return }
        let tables = try connection.first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) } ?? 0
        if version == 0, tables > 0 {
            throw DatabaseError(code: SQLITE_NOTADB, message: "it has tables but no schema number")
        }
        if version > 0 { try backUp(connection, version: version) }
        try connection.transaction { () throws(DatabaseError) in
            for number in version..<migrations.count { try connection.execute(migrations[number].sql) }
            try connection.execute("PRAGMA user_version = \(migrations.count)")
        }
    }

    /// Keeps the database as it was before a migration, as `NAME.schema-N`; an older backup of the same gives way.
    private func backUp(_ connection: Connection, version: Int) throws(DatabaseError) {
        let backup = "\(path).schema-\(version)"
        unlink(backup)
        try connection.run("VACUUM INTO ?", .text(backup))
        chmod(backup, 0o600)
    }
}
