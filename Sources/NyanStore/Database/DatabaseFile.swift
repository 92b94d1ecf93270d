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

    /// - Returns: the connection, and a notice when an unreadable file was set aside for a new one.
    /// - Throws: when there can be no database here (no access, disk full, in use, written by a newer nyand).
    func open() throws(Failure) -> (connection: Connection, notice: Failure?) {
        try Folder.makePrivate(splitPath(path).folder)
        // Born private; SQLite gives its log and index the same mode.
        _ = try OpenFile(path, O_RDWR | O_CREAT, mode: 0o600)
        do throws(DatabaseError) {
            return (try attempt(), nil)
        } catch {
            guard error.isDamage else { throw error.failure(at: path) }
            let aside = try WholeFile.setAside(path, companions: ["-wal", "-shm"])
            let name = splitPath(path).name
            let notice = Failure(
                .fileAccess, "\"\(name)\" was damaged (\(error.message)); it is kept as \(aside), a new one was started"
            )
            _ = try OpenFile(path, O_RDWR | O_CREAT, mode: 0o600)
            do throws(DatabaseError) { return (try attempt(), notice) } catch { throw error.failure(at: path) }
        }
    }

    private func attempt() throws(DatabaseError) -> Connection {
        let connection = try Connection(path)
        let verdict = try connection.first("PRAGMA quick_check(1)") { $0.text(0) }
        if verdict != "ok" { throw DatabaseError(code: SQLITE_CORRUPT, message: verdict ?? "no verdict") }
        try migrate(connection)
        return connection
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
