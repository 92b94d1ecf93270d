import CSQLite
import Glibc
import NyanCore

/// A schema's step from one number to the next; the list's index + 1 is the number it leads to.
struct Migration {
    let sql: String
}

/// Opens a database file: checks it, brings its schema up to date, and starts over beside an unreadable one.
struct DatabaseFile: Sendable {
    let path: String
    let migrations: [Migration]
    /// SQL that is run with the schema of a new database, all or nothing.
    var beginning: String?
    /// SQL that makes anew what is only derived from the rest, such as an index of words.
    var derived: String?
    /// Puts what can be read of the damaged file at the path into the new database. May come again for the same file,
    /// after a kill; throws where it should.
    var salvage: (@Sendable (_ damaged: String, Connection) throws(DatabaseError) -> Void)?
    /// Throws when the database is damaged.
    var verdict: @Sendable (Connection) throws(DatabaseError) -> Void = { (connection) throws(DatabaseError) in
        try DatabaseFile.check(connection)
    }

    /// An open database, and how it came to be.
    struct Opened {
        let connection: Connection
        /// Says that an unreadable file was set aside for a new one, or what was made anew; nil when all was well.
        var notice: Failure?
        /// Nothing was there before, or nothing that could be read.
        var isNew = false
    }

    /// A damaged file bears this name until all that can be read of it is in the new one: whoever finds it goes on there.
    private var unread: String { "\(path).damaged" }

    private var isUnread: Bool { salvage != nil && access(unread, F_OK) == 0 }

    /// - Throws: when there can be no database here (no access, disk full, in use, written by a newer nyand).
    func open() throws(Failure) -> Opened {
        try Folder.makePrivate(splitPath(path).folder)
        // Born private; SQLite gives its log and index the same mode.
        let journal = try setForeignJournalAside(of: OpenFile(path, O_RDWR | O_CREAT, mode: 0o600))
        var opened: Opened
        do throws(DatabaseError) {
            opened = try attempt()
            opened.notice = opened.notice ?? journal
        } catch {
            guard error.isDamage else { throw error.failure(at: path) }
            return try startAnew(error.message)
        }
        return isUnread ? try takeOver(to: opened, "a start ended before it was read") : opened
    }

    /// Sets the file aside and begins an empty one. Nobody may have it open.
    func startAnew(_ damage: String) throws(Failure) -> Opened {
        dropEmptyLog()
        var aside: String?
        if salvage == nil || isUnread {
            // Where one still waits to be read, this one is no more than its unfinished successor.
            aside = try WholeFile.setAside(path, companions: Self.companions)
        } else {
            try WholeFile.move(path, to: unread, companions: Self.companions)
        }
        var opened: Opened
        do throws(Failure) { opened = try begin() } catch {
            // Back to its name, or the next start would begin an empty one without a word.
            if let aside { putBack(aside) }
            throw error
        }
        if isUnread { return try takeOver(to: opened, damage) }
        if let aside { opened.notice = notice(damage, aside) }
        return opened
    }

    private func begin() throws(Failure) -> Opened {
        _ = try OpenFile(path, O_RDWR | O_CREAT, mode: 0o600)
        do throws(DatabaseError) { return try attempt() } catch { throw error.failure(at: path) }
    }

    private func putBack(_ aside: String) {
        for suffix in Self.companions { unlink(path + suffix) }
        try? WholeFile.move(aside, to: path, companions: Self.companions)
    }

    private static let companions = ["-wal", "-shm"]

    /// What a look at a file leaves beside it: an index, which is made anew from its log, and a log without anything.
    private func dropEmptyLog() {
        unlink("\(path)-shm")
        var status = stat()
        if stat("\(path)-wal", &status) == 0, status.st_size == 0 { unlink("\(path)-wal") }
    }

    private func takeOver(to opened: Opened, _ damage: String) throws(Failure) -> Opened {
        do throws(DatabaseError) {
            try salvage?(unread, opened.connection)
        } catch {
            throw error.failure(at: path)
        }
        var opened = opened
        let aside = try WholeFile.setAside(path, from: unread, companions: Self.companions)
        opened.notice = notice(damage, aside)
        opened.isNew = true
        return opened
    }

    private func notice(_ damage: String, _ aside: String) -> Failure {
        let name = splitPath(path).name
        return Failure(
            .fileAccess, "\"\(name)\" was damaged (\(damage)); it is kept as \(aside), a new one was started")
    }

    /// `quick_check` reads every page and compares rows with their tables, not with their indexes: 8 ms for 10,000
    /// tracks and 83 for 100,000 (`integrity_check`: 120), which may be had at each start. What only an index has wrong
    /// is found by a query and healed then; from SQLite 3.44 on an index of words is looked into here as well.
    static func check(_ connection: Connection) throws(DatabaseError) {
        let verdict = try connection.first("PRAGMA quick_check(1)") { $0.text(0) }
        if verdict != "ok" { throw DatabaseError(code: SQLITE_CORRUPT, message: verdict ?? "no verdict") }
    }

    /// Makes anew what is derived; says whether the database is sound then. Else nothing has changed.
    func mend(_ connection: Connection) -> Bool {
        guard let derived else { return false }
        do throws(DatabaseError) {
            try connection.transaction { () throws(DatabaseError) in
                // The savepoint has FTS5 write what it still holds in memory, so that it is looked at too.
                try connection.execute("\(derived); SAVEPOINT derived; RELEASE derived")
                try verdict(connection)
            }
            return true
        } catch {
            return false
        }
    }

    private func attempt() throws(DatabaseError) -> Opened {
        let connection = try Connection(path, keepsLog: true)
        var notice: Failure?
        do throws(DatabaseError) {
            try verdict(connection)
        } catch {
            guard error.isDamage, mend(connection) else { throw error }
            let name = splitPath(path).name
            notice = Failure(.fileAccess, "an index of \"\(name)\" was damaged (\(error.message)) and was made anew")
        }
        let isNew = try connection.version == 0
        try migrate(connection)
        connection.keepLog(false)
        return Opened(connection: connection, notice: notice, isNew: isNew)
    }

    private func migrate(_ connection: Connection) throws(DatabaseError) {
        let version = try connection.version
        if version > migrations.count {
            let text = "it was written by a newer nyand (schema \(version), this one knows \(migrations.count))"
            throw DatabaseError(code: SQLITE_READONLY, message: text)
        }
        if version == migrations.count { return }
        if version < 0 { throw DatabaseError(code: SQLITE_NOTADB, message: "its schema has the number \(version)") }
        let tables = try connection.first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) } ?? 0
        if version == 0, tables > 0 {
            throw DatabaseError(code: SQLITE_NOTADB, message: "it has tables but no schema number")
        }
        if version > 0 { try backUp(connection, version: version) }
        try connection.transaction { () throws(DatabaseError) in
            for number in version..<migrations.count { try connection.execute(migrations[number].sql) }
            if version == 0, let beginning { try connection.execute(beginning) }
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
