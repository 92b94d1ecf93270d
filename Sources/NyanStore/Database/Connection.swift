import CSQLite
import NyanCore

/// One connection to a database file with its prepared statements. Belongs to one actor; never shared.
final class Connection {
    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]

    /// Opens (or creates) the database and sets what every connection of ours wants: write-ahead log, durable against
    /// kill -9 at each commit, foreign keys, two seconds of patience with another process.
    ///
    /// `keepsLog`: see `keepLog`; from the very first look at the file on. `isDamaged`: what stands before the damage is read.
    init(_ path: String, keepsLog: Bool = false, isDamaged: Bool = false) throws(DatabaseError) {
        var handle: OpaquePointer?
        // One actor owns the connection, so SQLite's own mutexes would only cost time.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let error = Statement.error(code, handle)
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        if keepsLog { keepLog(true) }
        // Else SQLite refuses all of a file that was cut off, for the pages its header promises.
        if isDamaged { try execute("PRAGMA writable_schema = ON") }
        sqlite3_busy_timeout(handle, 2000)
        try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON")
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Whether closing leaves the log where it is, instead of writing it back: one that is another database's would be
    /// laid over what stands in this.
    func keepLog(_ keeps: Bool) { nyan_keep_log(handle, keeps ? 1 : 0) }

    /// Runs one or more statements that give no rows.
    func execute(_ sql: String) throws(DatabaseError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw Statement.error(code, handle) }
    }

    /// Runs a statement for its effect.
    func run(_ sql: String, _ values: SQLValue...) throws(DatabaseError) {
        try statement(sql).run(values) { _ in }
    }

    func run(_ sql: String, values: [SQLValue]) throws(DatabaseError) {
        try statement(sql).run(values) { _ in }
    }

    /// Every row of a query.
    func rows<Element>(
        _ sql: String, _ values: [SQLValue] = [], _ read: (Row) throws(DatabaseError) -> Element
    ) throws(DatabaseError) -> [Element] {
        var elements: [Element] = []
        try statement(sql).run(values) { row throws(DatabaseError) in elements.append(try read(row)) }
        return elements
    }

    /// The first row of a query that gives at most one.
    func first<Element>(
        _ sql: String, _ values: [SQLValue] = [], _ read: (Row) throws(DatabaseError) -> Element
    ) throws(DatabaseError) -> Element? {
        try rows(sql, values, read).first
    }

    private func statement(_ sql: String) throws(DatabaseError) -> Statement {
        if let statement = statements[sql] { return statement }
        let statement = try Statement(sql, on: handle)
        statements[sql] = statement
        return statement
    }

    /// All or nothing: what `body` wrote is durable when this returns, and undone when it throws.
    func transaction<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
        try run("BEGIN IMMEDIATE")
        do throws(DatabaseError) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // SQLite has already rolled back after some errors (disk full); then this has nothing to do.
            if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    /// What `body` commits survives a power cut too (one fsync of the log for each commit).
    func durably<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
        try execute("PRAGMA synchronous = FULL")
        defer { try? execute("PRAGMA synchronous = NORMAL") }
        return try body()
    }

    /// Key of the row inserted last.
    var lastInserted: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Rows written since the connection was opened.
    var totalChanges: Int { Int(sqlite3_total_changes(handle)) }

    /// The schema's number; 0 in a new file.
    var version: Int { get throws(DatabaseError) { Int(try first("PRAGMA user_version") { $0.integer(0) } ?? 0) } }
}
