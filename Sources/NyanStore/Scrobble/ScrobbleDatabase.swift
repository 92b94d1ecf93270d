import Glibc
public import NyanCore

/// The journal of scrobbling, in a small database of its own: what was listened to and not sent yet survives offline
/// days and restarts. Its own actor; whatever returns is durable against kill -9.
///
/// A listen is one row for all sites, and one mark for each site it still has to go to; taking a mark away is what
/// "sent" means. Between a site's answer and that commit a kill can happen: then the same listen, the same to the
/// second, is sent once more, which both sites take for the one they have.
public actor ScrobbleDatabase: ScrobbleJournal {
    /// So many listens may wait for one site.
    public static let mostWaiting = 10_000

    private let path: String
    private let most: Int
    private let queue = DatabaseQueue("scrobbles")
    private var connection: Connection?
    /// It was read in this run, and may not be begun anew any more.
    private var isRead = false
    /// To be reported once: a damaged journal was set aside.
    public private(set) var notice: Failure?

    /// Nothing is opened, nor made, before somebody signs in. `most`: listens that may wait for one site.
    public init(path: String, most: Int = ScrobbleDatabase.mostWaiting) {
        self.path = path
        self.most = most
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    public func reports() async throws(Failure) -> [ScrobbleReport] {
        guard connection != nil || access(path, F_OK) == 0 else { return [] }
        return try reading { connection throws(DatabaseError) in
            // What the other calls need is looked for as well, as long as a new journal may be begun.
            _ = try connection.first(
                """
                SELECT l.id, l.artist, l.title, l.album, l.seconds, l.began, w.site FROM waiting w
                JOIN listens l ON l.id = w.listen LIMIT 0
                """
            ) { _ in true }
            return try connection.rows(
                """
                SELECT site, name, sent, dropped, reason, last_artist, last_title, last_album, last_seconds, last_began,
                    (SELECT count(*) FROM waiting WHERE waiting.site = sites.site) FROM sites
                """, [], Self.report
            ).compactMap { $0 }
        }
    }

    public func enrol(_ site: ScrobbleSite, name: String) async throws(Failure) {
        try work { connection throws(DatabaseError) in
            try connection.transaction { () throws(DatabaseError) in
                let before = try connection.first("SELECT name FROM sites WHERE site = ?", [.text(site.rawValue)]) {
                    $0.text(0)
                }
                if before == name { return }
                try Self.clear(site, connection)
                try connection.run("INSERT INTO sites (site, name) VALUES (?, ?)", .text(site.rawValue), .text(name))
            }
        }
    }

    public func forget(_ site: ScrobbleSite) async throws(Failure) -> Int {
        guard connection != nil || access(path, F_OK) == 0 else { return 0 }
        return try work { connection throws(DatabaseError) in
            try connection.transaction { () throws(DatabaseError) in
                let count = try Self.waiting(site.rawValue, connection)
                try Self.clear(site, connection)
                return count
            }
        }
    }

    public func add(_ listen: Listen) async throws(Failure) -> [ScrobbleSite] {
        let most = most
        return try work { connection throws(DatabaseError) in
            // A play of minutes is worth an fsync.
            try connection.durably { () throws(DatabaseError) in
                try connection.transaction { () throws(DatabaseError) in try Self.add(listen, most, connection) }
            }
        }
    }

    public func waiting(for site: ScrobbleSite, atMost count: Int) async throws(Failure) -> [JournaledListen] {
        try work { connection throws(DatabaseError) in
            try connection.rows(
                """
                SELECT l.id, l.artist, l.title, l.album, l.seconds, l.began FROM waiting w JOIN listens l ON l.id = w.listen
                WHERE w.site = ? ORDER BY w.listen LIMIT ?
                """, [.text(site.rawValue), .integer(count)]
            ) { row in JournaledListen(number: row.integer(0), listen: Self.listen(row, from: 1)) }
        }
    }

    public func settle(_ settlement: JournalSettlement, for site: ScrobbleSite) async throws(Failure) {
        let key = SQLValue.text(site.rawValue)
        try work { connection throws(DatabaseError) in
            try connection.transaction { () throws(DatabaseError) in
                if let last = settlement.taken.last {
                    try connection.run(
                        """
                        UPDATE sites SET sent = sent + ?, (last_artist, last_title, last_album, last_seconds, last_began)
                            = (SELECT artist, title, album, seconds, began FROM listens WHERE id = ?) WHERE site = ?
                        """, .integer(settlement.taken.count), .integer(last), key)
                }
                if !settlement.dropped.isEmpty {
                    try connection.run(
                        "UPDATE sites SET dropped = dropped + ?, reason = ? WHERE site = ?",
                        .integer(settlement.dropped.count), .text(settlement.reason), key)
                }
                for number in settlement.taken + settlement.dropped {
                    try connection.run("DELETE FROM waiting WHERE site = ? AND listen = ?", key, .integer(number))
                    try connection.run(
                        "DELETE FROM listens WHERE id = ? AND NOT EXISTS (SELECT 1 FROM waiting WHERE listen = ?)",
                        .integer(number), .integer(number))
                }
            }
        }
    }
}

extension ScrobbleDatabase {
    /// Damage that shows only here: at the first read the journal is set aside for a new one, once in a run. Later it is a
    /// failure: in a new one nobody is signed in, and what is written then would be gone without a word.
    private func reading<Value>(_ body: (Connection) throws(DatabaseError) -> Value) throws(Failure) -> Value {
        let first = try attempt(body)
        if !isRead, case .failure(let error) = first, file.isAtFault(error, connection) {
            // Closed first: a connection that closes later would remove the new file's log.
            connection = nil
            let opened = try file.startAnew(error.message)
            connection = opened.connection
            notice = opened.notice
            isRead = true
            return try value(attempt(body))
        }
        return try value(first)
    }

    private func work<Value>(_ body: (Connection) throws(DatabaseError) -> Value) throws(Failure) -> Value {
        try value(attempt(body))
    }

    private func attempt<Value>(
        _ body: (Connection) throws(DatabaseError) -> Value
    ) throws(Failure) -> Result<Value, DatabaseError> {
        let connection = try open()
        do throws(DatabaseError) { return .success(try body(connection)) } catch { return .failure(error) }
    }

    private func value<Value>(_ result: Result<Value, DatabaseError>) throws(Failure) -> Value {
        if case .success = result { isRead = true }
        do throws(DatabaseError) { return try result.get() } catch { throw error.failure(at: path) }
    }

    private var file: DatabaseFile { DatabaseFile(path: path, migrations: [Migration(sql: Self.first)]) }

    private func open() throws(Failure) -> Connection {
        if let connection { return connection }
        let opened = try file.open()
        connection = opened.connection
        notice = opened.notice
        return opened.connection
    }

    /// A released step is never edited: a change is a new step. `began`: seconds since 1970.
    private static let first = """
        CREATE TABLE listens (
            id INTEGER PRIMARY KEY AUTOINCREMENT, artist TEXT NOT NULL, title TEXT NOT NULL, album TEXT,
            seconds INTEGER NOT NULL, began INTEGER NOT NULL);
        CREATE TABLE waiting (
            site TEXT NOT NULL, listen INTEGER NOT NULL REFERENCES listens (id), PRIMARY KEY (site, listen))
            WITHOUT ROWID;
        CREATE INDEX waiting_listen ON waiting (listen);
        CREATE TABLE sites (
            site TEXT PRIMARY KEY, name TEXT NOT NULL, sent INTEGER NOT NULL DEFAULT 0,
            dropped INTEGER NOT NULL DEFAULT 0, reason TEXT, last_artist TEXT, last_title TEXT, last_album TEXT,
            last_seconds INTEGER, last_began INTEGER);
        """

    /// - Returns: the sites for which too many wait.
    private static func add(
        _ listen: Listen, _ most: Int, _ connection: Connection
    ) throws(DatabaseError) -> [ScrobbleSite] {
        let sites = try connection.rows("SELECT site FROM sites") { $0.text(0) }
        var full: [String] = []
        for site in sites where try waiting(site, connection) >= most { full.append(site) }
        let open = sites.filter { !full.contains($0) }
        if !open.isEmpty {
            try connection.run(
                "INSERT INTO listens (artist, title, album, seconds, began) VALUES (?, ?, ?, ?, ?)",
                .text(listen.artist), .text(listen.title), .text(listen.album), .integer(listen.seconds),
                .integer(listen.began))
            let number = connection.lastInserted
            for site in open {
                try connection.run("INSERT INTO waiting (site, listen) VALUES (?, ?)", .text(site), .integer(number))
            }
        }
        for site in full {
            try connection.run(
                "UPDATE sites SET dropped = dropped + 1, reason = ? WHERE site = ?",
                .text("\(most) listens wait already, and the oldest are kept"), .text(site))
        }
        return full.compactMap(ScrobbleSite.init)
    }

    private static func waiting(_ site: String, _ connection: Connection) throws(DatabaseError) -> Int {
        try connection.first("SELECT count(*) FROM waiting WHERE site = ?", [.text(site)]) { Int($0.integer(0)) } ?? 0
    }

    private static func clear(_ site: ScrobbleSite, _ connection: Connection) throws(DatabaseError) {
        try connection.run("DELETE FROM waiting WHERE site = ?", .text(site.rawValue))
        try connection.run("DELETE FROM listens WHERE id NOT IN (SELECT listen FROM waiting)")
        try connection.run("DELETE FROM sites WHERE site = ?", .text(site.rawValue))
    }

    private static func listen(_ row: Row, from column: Int32) -> Listen {
        Listen(
            artist: row.text(column), title: row.text(column + 1), album: row.optionalText(column + 2),
            seconds: Int(row.integer(column + 3)), began: row.integer(column + 4))
    }

    /// nil for a site that only a newer nyand knows.
    private static func report(_ row: Row) -> ScrobbleReport? {
        guard let site = ScrobbleSite(rawValue: row.text(0)) else { return nil }
        var report = ScrobbleReport(site: site, name: row.text(1))
        report.sent = Int(row.integer(2))
        report.dropped = Int(row.integer(3))
        report.reason = row.optionalText(4)
        if !row.isNull(5) { report.last = listen(row, from: 5) }
        report.waiting = Int(row.integer(10))
        return report
    }
}
