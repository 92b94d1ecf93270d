public import NyanCore

/// Keep rules. A playlist's stands in its own row; the profile's is a note, so that both are read out of a damaged
/// library with what they belong to.
extension LibraryDatabase: KeepStore {
    static let profileRule = "keep.profile"

    /// `brought`: what a rule brought and nobody else wished for, also after the rule's end; the profile's number is 0,
    /// which no playlist has. `declined`: what the person took away of kept lists.
    static let keepSchema = """
        CREATE TABLE brought (
            owner INTEGER NOT NULL, number INTEGER NOT NULL,
            track INTEGER NOT NULL REFERENCES tracks (id) ON DELETE CASCADE, PRIMARY KEY (owner, number, track))
            WITHOUT ROWID;
        CREATE INDEX brought_by_track ON brought (track);
        CREATE TABLE declined (track INTEGER PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE);
        """

    public func keepRules() async throws(Failure) -> [KeepRule] {
        try reading { connection throws(DatabaseError) in
            let profile = try connection.first("SELECT 1 FROM notes WHERE name = ?", [.text(Self.profileRule)]) { _ in
                KeepRule(list: .profile)
            }
            let playlists = try connection.rows(
                "SELECT owner, number, title FROM playlists WHERE kept ORDER BY place NULLS LAST, place, id"
            ) { row in
                KeepRule(
                    list: .playlist(PlaylistID(owner: row.integer(0), number: row.integer(1))), title: row.text(2))
            }
            return (profile.map { [$0] } ?? []) + playlists
        }
    }

    public func setKept(_ list: KeptList, _ isKept: Bool) async throws(Failure) {
        guard case .playlist(let id) = list else { return try await setNote(Self.profileRule, isKept ? "on" : nil) }
        try writing { connection throws(DatabaseError) in
            try connection.run(
                "UPDATE playlists SET kept = ?3 WHERE owner = ?1 AND number = ?2", .integer(id.owner),
                .integer(id.number), .bool(isKept))
        }
    }

    public func keptTracks(of list: KeptList) async throws(Failure) -> [KeptTrack]? {
        let next = TrackColumns.count
        return try reading { connection throws(DatabaseError) in
            if case .playlist(let id) = list {
                let isRead = try connection.first(
                    "SELECT is_read FROM playlists WHERE owner = ? AND number = ?",
                    [.integer(id.owner), .integer(id.number)]
                ) { $0.bool(0) }
                guard isRead == true else { return nil }
            }
            return try connection.rows(
                """
                SELECT \(TrackColumns.names(of: "t")), \(LibraryTwins.path) IS NOT NULL,
                EXISTS (SELECT 1 FROM declined d WHERE d.track = t.id OR w.recording IS NOT NULL AND d.track IN
                    (SELECT b.track FROM twins b WHERE b.recording = w.recording)),
                EXISTS (SELECT 1 FROM brought m WHERE (m.track = t.id OR w.recording IS NOT NULL AND m.track IN
                    (SELECT b.track FROM twins b WHERE b.recording = w.recording)) AND \(KeepSQL.holds("m"))),
                w.recording
                FROM \(KeepSQL.rows(of: list)) JOIN tracks t ON t.id = r.track LEFT JOIN copies c ON c.track = t.id
                LEFT JOIN twins w ON w.track = t.id ORDER BY r.place
                """, KeepSQL.key(list)
            ) { row throws(DatabaseError) in
                KeptTrack(
                    track: try TrackColumns.known(row), isHere: row.bool(next), isDeclined: row.bool(next + 1),
                    isBrought: row.bool(next + 2), recording: row.optionalInteger(next + 3))
            }
        }
    }

    public func takeBack(_ list: KeptList) async throws(Failure) {
        try writing { connection throws(DatabaseError) in
            try connection.run(
                """
                DELETE FROM declined WHERE track IN (SELECT r.track FROM \(KeepSQL.rows(of: list)))
                OR track IN (SELECT b.track FROM \(KeepSQL.rows(of: list)) JOIN twins a ON a.track = r.track
                    JOIN twins b ON b.recording = a.recording)
                """, values: KeepSQL.key(list))
        }
    }

    public func mark(_ ids: [TrackID], by list: KeptList) async throws(Failure) {
        try onRows(ids) { connection, row throws(DatabaseError) in
            try connection.run(
                "INSERT OR IGNORE INTO brought (owner, number, track) VALUES (?1, ?2, ?3)",
                values: KeepSQL.key(list) + [.integer(row)])
        }
    }

    public func unmark(_ ids: [TrackID], by list: KeptList) async throws(Failure) {
        try onRows(ids) { connection, row throws(DatabaseError) in
            try connection.run(
                "DELETE FROM brought WHERE owner = ?1 AND number = ?2 AND track = ?3",
                values: KeepSQL.key(list) + [.integer(row)])
        }
    }

    public func brought(by list: KeptList) async throws(Failure) -> [BroughtTrack] {
        try reading { connection throws(DatabaseError) in
            try connection.rows(
                """
                SELECT t.owner, t.audio, c.bytes, \(KeepSQL.isWanted("t.id")) FROM brought m
                JOIN tracks t ON t.id = m.track LEFT JOIN copies c ON c.track = t.id
                WHERE m.owner = ?1 AND m.number = ?2
                """, KeepSQL.key(list)
            ) { row throws(DatabaseError) in
                BroughtTrack(
                    id: try TrackColumns.id(row), bytes: row.isNull(2) ? nil : row.count(2),
                    isKeptElsewhere: row.bool(3))
            }
        }
    }

    public func wished(_ ids: [TrackID]) async throws(Failure) {
        let isAny = try reading { connection throws(DatabaseError) in
            try connection.first("SELECT EXISTS (SELECT 1 FROM brought) OR EXISTS (SELECT 1 FROM declined)") {
                $0.bool(0)
            }
        }
        guard isAny == true else { return }
        try onRows(ids) { connection, row throws(DatabaseError) in
            for table in ["declined", "brought"] {
                try connection.run("DELETE FROM \(table) WHERE track IN \(KeepSQL.twins("?1"))", .integer(row))
            }
        }
    }

    public func declined(_ ids: [TrackID]) async throws(Failure) {
        try onRows(ids) { connection, row throws(DatabaseError) in try connection.decline(row) }
    }

    /// Does something in one transaction with the row of each track that is known.
    private func onRows(
        _ ids: [TrackID], _ body: (Connection, Int64) throws(DatabaseError) -> Void
    ) throws(Failure) {
        guard !ids.isEmpty else { return }
        try writing { connection throws(DatabaseError) in
            for id in ids {
                if let row = try connection.row(of: id) { try body(connection, row) }
            }
        }
    }
}

extension Connection {
    /// Remembers that the person took a track away, if a rule would bring it or a twin of it.
    func decline(_ row: Int64) throws(DatabaseError) {
        // No list is excepted: nobody has this key.
        let isWanted = try first("SELECT \(KeepSQL.isWanted("?3"))", [.integer(1), .integer(0), .integer(row)]) {
            $0.bool(0)
        }
        if isWanted == true {
            try run("INSERT OR IGNORE INTO declined (track) SELECT * FROM \(KeepSQL.twins("?1"))", .integer(row))
        }
        try run("DELETE FROM brought WHERE track IN \(KeepSQL.twins("?1"))", .integer(row))
    }
}

/// Parts of statements. `?1` and `?2` are always the owner and number of the rule it is about.
enum KeepSQL {
    static func key(_ list: KeptList) -> [SQLValue] {
        switch list {
        case .profile: [.integer(0), .integer(0)]
        case .playlist(let id): [.integer(id.owner), .integer(id.number)]
        }
    }

    /// A table `r` of a list's rows of `tracks` with their `place`, the top first.
    static func rows(of list: KeptList) -> String {
        list == .profile
            ? "(SELECT track, -position AS place FROM profile WHERE ?1 = 0 AND ?2 = 0) r"
            : """
            (SELECT e.track, e.place FROM playlist_entries e JOIN playlists l ON l.id = e.playlist
            WHERE l.owner = ?1 AND l.number = ?2) r
            """
    }

    private static let isProfileKept = "EXISTS (SELECT 1 FROM notes WHERE name = '\(LibraryDatabase.profileRule)')"

    /// Whether the rule of a row of `brought` holds.
    static func holds(_ alias: String) -> String {
        """
        (\(alias).number = 0 AND \(isProfileKept) OR EXISTS (SELECT 1 FROM playlists h WHERE h.kept
            AND h.owner = \(alias).owner AND h.number = \(alias).number))
        """
    }

    /// A track's row and those of its twins.
    static func twins(_ row: String) -> String {
        """
        (SELECT \(row) UNION SELECT y.track FROM twins x JOIN twins y ON y.recording = x.recording
            WHERE x.track = \(row))
        """
    }

    /// Whether another rule than `?1`, `?2` holds that has the track of this row, or a twin, in its list, or brought it.
    static func isWanted(_ row: String) -> String {
        """
        (EXISTS (SELECT 1 FROM profile q WHERE q.track IN \(twins(row)) AND NOT (?1 = 0 AND ?2 = 0) AND \(isProfileKept))
        OR EXISTS (SELECT 1 FROM playlist_entries e JOIN playlists l ON l.id = e.playlist WHERE l.kept
            AND e.track IN \(twins(row)) AND NOT (l.owner = ?1 AND l.number = ?2))
        OR EXISTS (SELECT 1 FROM brought z WHERE z.track IN \(twins(row))
            AND NOT (z.owner = ?1 AND z.number = ?2) AND \(holds("z"))))
        """
    }
}
