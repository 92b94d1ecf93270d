public import NyanCore

/// Playlists and their entries. `place` counts from the list's top; NULL = known, but not in the person's list.
extension LibraryDatabase: PlaylistStore {
    private static let columns =
        "p.owner, p.number, p.access_key, p.title, p.about, p.count, p.followed, p.follow_owner, p.follow_number, "
        + "p.kept, p.is_read"

    private static func listed(_ row: Row) -> ListedPlaylist {
        let follow = row.optionalInteger(7).map { PlaylistID(owner: $0, number: row.integer(8)) }
        return ListedPlaylist(
            playlist: Playlist(
                id: PlaylistID(owner: row.integer(0), number: row.integer(1)), accessKey: row.optionalText(2),
                title: row.text(3), about: row.optionalText(4), count: Int(row.count(5)), isFollowed: row.bool(6),
                follow: follow),
            isKept: row.bool(9), isRead: row.bool(10))
    }

    public func playlists() async throws(Failure) -> [ListedPlaylist] {
        try reading { connection throws(DatabaseError) in
            try connection.rows(
                "SELECT \(Self.columns) FROM playlists p WHERE p.place IS NOT NULL ORDER BY p.place"
            ) { Self.listed($0) }
        }
    }

    public func playlist(_ id: PlaylistID) async throws(Failure) -> ListedPlaylist? {
        try reading { connection throws(DatabaseError) in try Self.known(id, connection) }
    }

    private static func known(_ id: PlaylistID, _ connection: Connection) throws(DatabaseError) -> ListedPlaylist? {
        try connection.first(
            "SELECT \(columns) FROM playlists p WHERE p.owner = ? AND p.number = ?",
            [.integer(id.owner), .integer(id.number)]
        ) { listed($0) }
    }

    public func tracks(of id: PlaylistID, matching filter: String?) async throws(Failure) -> [ListedTrack]? {
        let words = WordCondition(FilterWords(filter ?? ""))
        let condition = words.sql.isEmpty ? "" : " AND \(words.sql)"
        let sql = """
            SELECT t.owner, t.audio FROM playlists p JOIN playlist_entries e ON e.playlist = p.id
            JOIN tracks t ON t.id = e.track WHERE p.owner = ? AND p.number = ?\(condition) ORDER BY e.place
            """
        let values: [SQLValue] = [.integer(id.owner), .integer(id.number)] + words.values
        let ids = try reading { connection throws(DatabaseError) in
            guard try Self.known(id, connection)?.isRead == true else { return [TrackID]?.none }
            return try connection.rows(sql, values) { row throws(DatabaseError) in try TrackColumns.id(row) }
        }
        guard let ids else { return nil }
        return try await tracks(ids)
    }

    public func setPlaylists(_ playlists: [Playlist]) async throws(Failure) -> Bool {
        var seen: Set<PlaylistID> = []
        let stored = try await self.playlists().map(\.playlist)
        let keys = Dictionary(stored.map { ($0.id, $0.accessKey) }, uniquingKeysWith: { first, _ in first })
        var fresh = playlists.filter { seen.insert($0.id).inserted }
        for index in fresh.indices { fresh[index].accessKey = fresh[index].accessKey ?? keys[fresh[index].id] ?? nil }
        guard fresh != stored else { return false }
        try writing { connection throws(DatabaseError) in
            try connection.run("UPDATE playlists SET place = NULL WHERE place IS NOT NULL")
            for (place, playlist) in fresh.enumerated() {
                try Self.write(playlist, connection)
                try connection.run(
                    "UPDATE playlists SET place = ? WHERE owner = ? AND number = ?", .integer(place),
                    .integer(playlist.id.owner), .integer(playlist.id.number))
            }
            // What nobody can name any more but by its address, and whose tracks were never read.
            try connection.run("DELETE FROM playlists WHERE place IS NULL AND NOT kept AND NOT is_read")
        }
        return true
    }

    public func setTracks(_ tracks: [Track], of playlist: Playlist) async throws(Failure) -> Bool {
        var seen: Set<TrackID> = []
        let fresh = tracks.filter { seen.insert($0.id).inserted }
        let stored = try await self.tracks(of: playlist.id, matching: nil)
        let known = try await self.tracks(fresh.map(\.id)).map { ($0.track.id, $0.track) }
        let descriptions = Dictionary(known, uniquingKeysWith: { first, _ in first })
        // Cover addresses are signed anew in each answer; one that is there already is as good.
        try await remember(
            fresh.filter { track in
                guard let known = descriptions[track.id] else { return true }
                var track = track.completed(by: known)
                if known.coverURL != nil { track.coverURL = known.coverURL }
                return track != known
            })
        let ids = fresh.map(\.id)
        return try writing { connection throws(DatabaseError) in
            let isNew = try Self.write(playlist, connection)
            if stored?.map(\.track.id) == ids { return isNew }
            try Self.writeEntries(ids, of: playlist.id, connection)
            return true
        }
    }

    private static func writeEntries(
        _ ids: [TrackID], of playlist: PlaylistID, _ connection: Connection
    ) throws(DatabaseError) {
        guard
            let row = try connection.first(
                "SELECT id FROM playlists WHERE owner = ? AND number = ?",
                [.integer(playlist.owner), .integer(playlist.number)], { $0.integer(0) })
        else { return }
        try connection.run("DELETE FROM playlist_entries WHERE playlist = ?", .integer(row))
        for (place, id) in ids.enumerated() {
            try connection.run(
                """
                INSERT INTO playlist_entries (playlist, place, track)
                SELECT ?, ?, id FROM tracks WHERE owner = ? AND audio = ?
                """, .integer(row), .integer(place), .integer(id.owner), .integer(id.audio))
        }
        try connection.run("UPDATE playlists SET is_read = 1 WHERE id = ?", .integer(row))
        // Somebody else's lists that were looked at once: the hundred newest stay.
        try connection.run(
            """
            DELETE FROM playlists WHERE place IS NULL AND NOT kept AND id <> ? AND id NOT IN
            (SELECT id FROM playlists WHERE place IS NULL ORDER BY id DESC LIMIT 100)
            """, .integer(row))
    }

    public func setDescription(_ playlist: Playlist, first: Bool) async throws(Failure) {
        try writing { connection throws(DatabaseError) in
            try Self.write(playlist, connection)
            guard first else { return }
            try connection.run(
                """
                UPDATE playlists SET place = (SELECT coalesce(min(place), 1) - 1 FROM playlists)
                WHERE owner = ? AND number = ?
                """, .integer(playlist.id.owner), .integer(playlist.id.number))
        }
    }

    public func forgetPlaylist(_ id: PlaylistID) async throws(Failure) {
        try writing { connection throws(DatabaseError) in
            try connection.run(
                "DELETE FROM playlists WHERE owner = ? AND number = ?", .integer(id.owner), .integer(id.number))
        }
    }

    /// Writes a description unless it is what is stored already; says whether it was written. The key that opened it
    /// once stays: lists leave it out.
    @discardableResult
    private static func write(_ playlist: Playlist, _ connection: Connection) throws(DatabaseError) -> Bool {
        let known = try known(playlist.id, connection)?.playlist
        var fresh = playlist
        fresh.accessKey = playlist.accessKey ?? known?.accessKey
        guard fresh != known else { return false }
        try connection.run(
            """
            INSERT INTO playlists
            (owner, number, access_key, title, about, count, followed, follow_owner, follow_number)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (owner, number) DO UPDATE SET access_key = excluded.access_key, title = excluded.title,
            about = excluded.about, count = excluded.count, followed = excluded.followed,
            follow_owner = excluded.follow_owner, follow_number = excluded.follow_number
            """,
            .integer(fresh.id.owner), .integer(fresh.id.number), .text(fresh.accessKey), .text(fresh.title),
            .text(fresh.about), .integer(fresh.count), .bool(fresh.isFollowed), .integer(fresh.follow?.owner),
            .integer(fresh.follow?.number))
        return true
    }
}
