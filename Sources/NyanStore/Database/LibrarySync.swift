public import NyanCore

/// Carrying out a sync with as few written rows as it takes.
extension LibraryDatabase {
    /// One row of the stored profile.
    private struct Place {
        var position: Int64
        var row: Int64
        var track: Track
        var hasCover: Bool
    }

    public func apply(_ plan: SyncPlan) async throws(Failure) {
        let stored = try reading { connection throws(DatabaseError) in
            try connection.rows(
                """
                SELECT \(TrackColumns.names(of: "t")), p.position, t.id, t.cover_path IS NOT NULL
                FROM profile p JOIN tracks t ON t.id = p.track ORDER BY p.position DESC
                """
            ) { row throws(DatabaseError) in
                let next = TrackColumns.count
                return Place(
                    position: row.integer(next), row: row.integer(next + 1), track: try TrackColumns.known(row),
                    hasCover: row.bool(next + 2))
            }
        }
        let places = Dictionary(stored.map { ($0.track.id, $0) }, uniquingKeysWith: { first, _ in first })
        var seen: Set<TrackID> = []
        let tracks = plan.tracks.filter { seen.insert($0.id).inserted }
        let changed = tracks.filter { track in
            guard let place = places[track.id] else { return true }
            return track.differs(from: place.track, hasCover: place.hasCover)
        }
        let sameOrder = tracks.map(\.id) == stored.map(\.track.id)
        if changed.isEmpty && sameOrder { return }
        try writing { connection throws(DatabaseError) in
            for track in changed {
                if let place = places[track.id] {
                    try connection.write(track, replacing: place.track)
                } else {
                    try connection.write(track, replacing: connection.knownTrack(track.id))
                }
            }
            if !sameOrder {
                try Self.reorder(connection, stored, as: tracks.map(\.id), seen)
                try Self.remember(connection, departed: stored.filter { !seen.contains($0.track.id) }.map(\.row))
            }
        }
    }

    /// Gone tracks lose their place; new ones at the top get places above; any other change numbers all anew.
    private static func reorder(
        _ connection: Connection, _ stored: [Place], as ids: [TrackID], _ wanted: Set<TrackID>
    ) throws(DatabaseError) {
        let staying = stored.filter { wanted.contains($0.track.id) }
        if ids.suffix(staying.count).elementsEqual(staying.map(\.track.id)) {
            for place in stored where !wanted.contains(place.track.id) {
                try connection.run("DELETE FROM profile WHERE position = ?", .integer(place.position))
            }
            try insert(connection, ids.dropLast(staying.count), above: staying.first?.position ?? 0)
        } else {
            try connection.run("DELETE FROM profile")
            try insert(connection, ids[...], above: 0)
        }
    }

    /// Notes which tracks left the profile; those that are in it again have not.
    private static func remember(_ connection: Connection, departed rows: [Int64]) throws(DatabaseError) {
        for row in rows { try connection.run("INSERT OR IGNORE INTO departed (track) VALUES (?)", .integer(row)) }
        try connection.run("DELETE FROM departed WHERE track IN (SELECT track FROM profile)")
    }

    private static func insert(
        _ connection: Connection, _ ids: ArraySlice<TrackID>, above position: Int64
    ) throws(DatabaseError) {
        for (step, id) in ids.reversed().enumerated() {
            try connection.run(
                "INSERT INTO profile (position, track) SELECT ?, id FROM tracks WHERE owner = ? AND audio = ?",
                .integer(position + Int64(step) + 1), .integer(id.owner), .integer(id.audio))
        }
    }
}

extension Track {
    /// Whether a description is worth writing. Cover addresses are signed anew all the time: once the picture is here,
    /// only another picture counts (vk-api.md §5).
    fileprivate func differs(from stored: Track, hasCover: Bool) -> Bool {
        guard hasCover, let url = coverURL, let old = stored.coverURL, Self.picture(url) == Self.picture(old) else {
            return self != stored
        }
        var same = stored
        same.coverURL = coverURL
        return self != same
    }

    /// The address without its signature and host, which is one of many.
    private static func picture(_ url: String) -> Substring {
        let path = url.prefix { $0 != "?" }
        guard let scheme = path.firstIndex(of: ":") else { return path }
        let host = path[scheme...].drop { $0 == ":" || $0 == "/" }
        return host.drop { $0 != "/" }
    }
}
