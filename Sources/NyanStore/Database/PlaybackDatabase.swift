public import NyanCore

/// The queue, the position and the volume on disk, in a small database of their own: they change all the time and
/// must not wait for a sync of the library. Its own actor; `save` is durable against kill -9 when it returns.
public actor PlaybackDatabase: PlaybackStore {
    let path: String
    private let queue = DatabaseQueue("playback")
    private var connection: Connection?
    /// What the file holds, to write only what differs.
    private var saved: SavedPlayback?
    private var order = PlaceOrder()
    /// A load failed: what the file holds is unknown, and nothing may take its place.
    private var unread: Failure?
    /// To be reported once: a damaged file was set aside and a new one begun. nil when all was well.
    public private(set) var notice: Failure?

    /// Nothing is opened before the first call.
    public init(path: String) { self.path = path }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    public func load() async throws(Failure) -> SavedPlayback? {
        do throws(Failure) {
            let playback = try read()
            unread = nil
            return playback
        } catch {
            unread = error
            throw error
        }
    }

    /// What only a query finds damaged is set aside as well.
    private func read() throws(Failure) -> SavedPlayback? {
        switch try attempt() {
        case .success(let playback): return playback
        case .failure(let error) where file.isAtFault(error, connection):
            // Closed first: a connection that closes later would remove the new file's log.
            connection = nil
            let opened = try file.startAnew(error.message)
            connection = opened.connection
            notice = opened.notice
            return try attempt().mapError { $0.failure(at: path) }.get()
        case .failure(let error): throw error.failure(at: path)
        }
    }

    private func attempt() throws(Failure) -> Result<SavedPlayback?, DatabaseError> {
        let connection = try open()
        do throws(DatabaseError) {
            guard var playback = try Self.state(connection) else { return .success(nil) }
            let rows = try connection.rows(
                "SELECT \(TrackColumns.names(of: "e")), e.id, e.place FROM entries e ORDER BY e.place"
            ) { row in
                let id = EntryID(UInt64(bitPattern: row.integer(TrackColumns.count)))
                let place = row.integer(TrackColumns.count + 1)
                // One that names no track is none: whoever lists the queue could not read the rest for it.
                let track = TrackColumns.isTrack(row) ? TrackColumns.track(row) : nil
                return (track.map { Entry(id: id, track: $0) }, id: id, place: min(max(place, .min / 2), .max / 2))
            }
            _ = try connection.first("SELECT played_at, heard FROM history LIMIT 0") { _ in true }
            playback.entries = rows.compactMap(\.0)
            order = PlaceOrder(rows.map { ($0.id, $0.place) })
            saved = playback
            return .success(playback)
        } catch {
            return .failure(error)
        }
    }

    public func save(_ playback: SavedPlayback) async throws(Failure) {
        if let unread { throw unread }
        let connection = try open()
        let before = saved
        if before == playback { return }
        var newOrder = order
        do throws(DatabaseError) {
            try connection.transaction { () throws(DatabaseError) in
                // Without a loaded state the file's content is unknown: all is written anew.
                if before == nil {
                    try connection.run("DELETE FROM entries")
                    try connection.run("DELETE FROM rounds")
                }
                if before?.entries != playback.entries {
                    try Self.write(playback.entries, replacing: before?.entries ?? [], &newOrder, connection)
                }
                if before?.order != playback.order { try Self.write(order: playback.order, connection) }
                if before?.roundsBefore != playback.roundsBefore || before?.roundsAfter != playback.roundsAfter {
                    try Self.write(before: playback.roundsBefore, after: playback.roundsAfter, connection)
                }
                try Self.write(stateOf: playback, connection)
            }
        } catch {
            throw error.failure(at: path)
        }
        order = newOrder
        saved = playback
    }

    private var file: DatabaseFile {
        DatabaseFile(
            path: path, migrations: PlaybackSchema.migrations,
            salvage: { (damaged, connection) throws(DatabaseError) in
                try PlaybackSalvage(reading: damaged).write(to: connection)
            })
    }

    /// Opens the file at the first call.
    func open() throws(Failure) -> Connection {
        if let connection { return connection }
        let opened = try file.open()
        connection = opened.connection
        notice = opened.notice
        return opened.connection
    }

    private static func state(_ connection: Connection) throws(DatabaseError) -> SavedPlayback? {
        let playback = try connection.first(
            "SELECT current, position, shuffle, repeat, volume, next_entry FROM state"
        ) { row in
            var playback = SavedPlayback()
            playback.current = row.optionalInteger(0).map { EntryID(UInt64(bitPattern: $0)) }
            playback.position = row.real(1)
            playback.shuffle = row.bool(2)
            playback.repeatMode = RepeatMode(rawValue: row.text(3)) ?? .off
            playback.volume = row.real(4)
            playback.nextEntry = UInt64(bitPattern: row.integer(5))
            return playback
        }
        guard var playback else { return nil }
        let bytes = try connection.first("SELECT entries FROM shuffled") { $0.blob(0) } ?? []
        playback.order = EntryBytes.ids(bytes)
        let rounds = try connection.rows("SELECT place, entries FROM rounds ORDER BY abs(place) DESC") { row in
            (place: row.integer(0), entries: EntryBytes.ids(row.blob(1)))
        }
        playback.roundsBefore = rounds.filter { $0.place < 0 }.map(\.entries)
        playback.roundsAfter = rounds.filter { $0.place > 0 }.map(\.entries)
        return playback
    }

    private static func write(
        _ entries: [Entry], replacing old: [Entry], _ order: inout PlaceOrder, _ connection: Connection
    ) throws(DatabaseError) {
        let known = Dictionary(old.map { ($0.id, $0.track) }, uniquingKeysWith: { first, _ in first })
        if old.isEmpty { order = PlaceOrder() }
        let change = order.become(entries.map(\.id))
        for id in change.removed { try connection.run("DELETE FROM entries WHERE id = ?", .integer(id.key)) }
        let placed = Set(change.placed.map(\.id))
        for entry in entries {
            guard let place = order.places[entry.id] else { continue }
            if known[entry.id] != entry.track {
                try connection.run(
                    "INSERT OR REPLACE INTO entries (id, place, \(TrackColumns.names)) VALUES (?, ?, \(TrackColumns.marks))",
                    values: [.integer(entry.id.key), .integer(place)] + TrackColumns.values(entry.track))
            } else if placed.contains(entry.id) {
                try connection.run(
                    "UPDATE entries SET place = ? WHERE id = ?", .integer(place), .integer(entry.id.key))
            }
        }
    }

    /// The shuffled round is apart from the state, which is written every few seconds: eight bytes an entry.
    private static func write(order: [EntryID], _ connection: Connection) throws(DatabaseError) {
        try connection.run(
            "INSERT OR REPLACE INTO shuffled (id, entries) VALUES (1, ?)", .blob(EntryBytes.bytes(order)))
    }

    /// Its neighbours are numbered by their distance: -1 and 1 are the nearest. They change once in a round.
    private static func write(
        before: [[EntryID]], after: [[EntryID]], _ connection: Connection
    ) throws(DatabaseError) {
        try connection.run("DELETE FROM rounds")
        let places =
            before.reversed().enumerated().map { (-$0 - 1, $1) } + after.reversed().enumerated().map { ($0 + 1, $1) }
        for (place, round) in places {
            try connection.run(
                "INSERT INTO rounds (place, entries) VALUES (?, ?)", .integer(place), .blob(EntryBytes.bytes(round)))
        }
    }

    private static func write(stateOf playback: SavedPlayback, _ connection: Connection) throws(DatabaseError) {
        try connection.run(
            """
            INSERT OR REPLACE INTO state (id, current, position, shuffle, repeat, volume, next_entry)
            VALUES (1, ?, ?, ?, ?, ?, ?)
            """,
            .integer(playback.current?.key), .real(playback.position), .bool(playback.shuffle),
            .text(playback.repeatMode.rawValue), .real(playback.volume),
            .integer(Int64(bitPattern: playback.nextEntry)))
    }
}

extension EntryID {
    /// The number as SQLite stores it.
    fileprivate var key: Int64 { Int64(bitPattern: number) }
}
