import NyanCore

/// What can still be read of a damaged queue, in the way of `LibrarySalvage`: entries and plays from both ends, and where
/// the player stood.
struct PlaybackSalvage {
    private var entries: [(id: Int64, place: Int64, track: Track)] = []
    /// Oldest first; they get numbers anew, as one at the end of its range could not be followed.
    private var plays: [PlayedTrack] = []
    /// Values of `stateColumns`, as they stand there.
    private var state: [SQLValue]?
    private var order: [EntryID] = []
    private var rounds: [(place: Int64, entries: [EntryID])] = []

    private static let stateColumns = ["current", "position", "shuffle", "repeat", "volume", "next_entry"]

    /// - Throws: when there is no room for the copy that is read.
    init(reading path: String) throws(DatabaseError) {
        try DamagedCopy.read(path) { connection in
            self = PlaybackSalvage()
            return read(connection)
        }
    }

    private init() {}

    /// Whether anything was there.
    private mutating func read(_ connection: Connection) -> Bool {
        let count = TrackColumns.count
        let named = ["place", TrackColumns.names].joined(separator: ", ")
        let found = LibrarySalvage.bothEnds(connection, "entries", ["id"], named) { row in
            TrackColumns.isTrack(row, from: 2)
                ? (row.integer(0), row.integer(1), TrackColumns.track(row, from: 2)) : nil
        }
        entries = found.rows.compactMap(\.self)
        let columns = [TrackColumns.names, "played_at", "heard"].joined(separator: ", ")
        plays =
            LibrarySalvage.bothEnds(connection, "history", ["id"], columns) { row in
                guard TrackColumns.isTrack(row, from: 1) else { return nil }
                let track = TrackColumns.track(row, from: 1)
                return PlayedTrack(track: track, playedAt: row.count(count + 1), heard: row.real(count + 2))
            }.rows.compactMap(\.self)
        let names = Self.stateColumns
        state =
            (try? connection.first("SELECT \(names.joined(separator: ", ")) FROM state") { row in
                names.indices.map { row.value(Int32($0)) }
            }) ?? nil
        order = EntryBytes.ids((try? connection.first("SELECT entries FROM shuffled") { $0.blob(0) }) ?? [])
        rounds =
            LibrarySalvage.bothEnds(connection, "rounds", ["place"], "entries") {
                ($0.integer(0), EntryBytes.ids($0.blob(1)))
            }.rows
        return found.gap == nil || !entries.isEmpty || state != nil
    }

    /// All or nothing, and whatever stood there gives way: it may be done again after a kill.
    /// - Throws: when the new file cannot be written to.
    func write(to connection: Connection) throws(DatabaseError) {
        // Nothing gives way to nothing: a log that a kill has moved away may have held it all.
        guard state != nil || !entries.isEmpty || !plays.isEmpty else { return }
        try connection.transaction { () throws(DatabaseError) in
            for table in ["entries", "state", "shuffled", "rounds", "history"] {
                try connection.run("DELETE FROM \(table)")
            }
            // The places may be anything: what counts is the order, and that there is room between them.
            let sorted = entries.sorted { ($0.place, $0.id) < ($1.place, $1.id) }
            for (index, entry) in sorted.enumerated() {
                try connection.run(
                    "INSERT OR IGNORE INTO entries (id, place, \(TrackColumns.names)) VALUES (?, ?, \(TrackColumns.marks))",
                    values: [.integer(entry.id), .integer(Int64(index + 1) * PlaceOrder.step)]
                        + TrackColumns.values(entry.track))
            }
            try writeState(to: connection)
            for play in plays {
                try connection.run(
                    """
                    INSERT INTO history (played_at, heard, \(TrackColumns.names)) VALUES (?, ?, \(TrackColumns.marks))
                    """,
                    values: [.integer(play.playedAt), .real(play.heard)] + TrackColumns.values(play.track))
            }
        }
    }

    /// Without its row of state a queue would not be read: it gets one that stands at its beginning, stopped.
    private func writeState(to connection: Connection) throws(DatabaseError) {
        guard state != nil || !entries.isEmpty else { return }
        let known = Set(entries.map(\.id))
        let fresh = SavedPlayback()
        var values: [SQLValue] = [
            .null, .real(0), .bool(false), .text(fresh.repeatMode.rawValue), .real(fresh.volume), .integer(0),
        ]
        if let state { values = zip(state, values).map { Self.isKind($0, of: $1) ? $0 : $1 } }
        if let state, case .integer(let current) = state[0], known.contains(current) {
            values[0] = state[0]
        } else {
            values[0] = .null
            values[1] = .real(0)
        }
        // A number that was given out is not given out again.
        var next: Int64 = 1
        if case .integer(let number) = values[5] { next = number }
        values[5] = .integer(max(next, (known.filter { $0 < 1 << 52 }.max() ?? 0) + 1))
        let marks = values.map { _ in "?" }.joined(separator: ", ")
        try connection.run(
            "INSERT INTO state (id, \(Self.stateColumns.joined(separator: ", "))) VALUES (1, \(marks))", values: values)
        let isKnown = { (id: EntryID) in known.contains(Int64(bitPattern: id.number)) }
        let shuffled = order.filter(isKnown)
        try connection.run("INSERT INTO shuffled (id, entries) VALUES (1, ?)", .blob(EntryBytes.bytes(shuffled)))
        for round in rounds {
            try connection.run(
                "INSERT OR IGNORE INTO rounds (place, entries) VALUES (?, ?)", .integer(round.place),
                .blob(EntryBytes.bytes(round.entries.filter(isKnown))))
        }
    }

    private static func isKind(_ value: SQLValue, of wanted: SQLValue) -> Bool {
        switch (value, wanted) {
        case (.integer, .integer), (.text, .text), (.integer, .null): true
        case (.real(let number), .real): number.isFinite
        default: false
        }
    }
}
