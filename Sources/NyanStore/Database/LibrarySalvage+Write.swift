import CSQLite
import Glibc
import NyanCore

/// What was read, put into the new library under its new rows.
extension LibrarySalvage {
    /// All or nothing; a row that does not fit there is left out. May be done again after a kill.
    /// - Throws: when the new library cannot be written to.
    func write(to connection: Connection, exceptNote: String) throws(DatabaseError) {
        try connection.transaction { () throws(DatabaseError) in
            if let account {
                try connection.run("INSERT OR REPLACE INTO account (id, description) VALUES (1, ?)", .text(account))
            }
            for note in notes where note.name != exceptNote {
                try connection.run(
                    "INSERT OR REPLACE INTO notes (name, value) VALUES (?, ?)", .text(note.name), .text(note.value))
            }
            try each(profile) { place throws(DatabaseError) in
                guard let new = try self.place(place.track, in: connection) else { return }
                try connection.run(
                    "INSERT OR IGNORE INTO profile (position, track) VALUES (?, ?)", .integer(place.position),
                    .integer(new))
            }
            try each(copies) { copy throws(DatabaseError) in
                guard !Self.isGone(copy.path), let track = tracks[copy.track],
                    try place(copy.track, in: connection) != nil
                else { return }
                try connection.write(FinishedCopy(id: track.id, path: copy.path, bytes: copy.bytes))
            }
            try each(downloads) { download throws(DatabaseError) in
                try LibraryDatabase.write(download, to: connection)
            }
            try writeTwins(to: connection)
            try writeMarks(to: connection)
            try writePlaylists(to: connection)
            try writeKeep(to: connection)
        }
    }

    /// Somebody took the file away: it is missing among others. Its whole disk may be away else (`FinishedCopy.isGone` of
    /// the service goes by the same).
    private static func isGone(_ path: String) -> Bool {
        guard access(path, F_OK) != 0, errno == ENOENT else { return false }
        return Folder.names(in: splitPath(path).folder).contains(where: MusicFolder.isSound)
    }

    private func writeTwins(to connection: Connection) throws(DatabaseError) {
        for group in Dictionary(grouping: twins.filter { tracks[$0.track] != nil }, by: \.recording).values {
            guard group.count > 1, let first = try place(group[0].track, in: connection) else { continue }
            try each(group.dropFirst()) { twin throws(DatabaseError) in
                if let other = try place(twin.track, in: connection) { try connection.link(first, other) }
            }
        }
    }

    private func writeMarks(to connection: Connection) throws(DatabaseError) {
        try each(removals) { removal throws(DatabaseError) in
            guard let new = try place(removal.track, in: connection) else { return }
            // One of no track stands for what is not known any more: NULL would say that nothing stood below.
            let below = try removal.below.map { below throws(DatabaseError) in try place(below, in: connection) ?? 0 }
            try connection.run(
                "INSERT OR REPLACE INTO removals (track, below, ordinal) VALUES (?, ?, ?)", .integer(new),
                .integer(below), .integer(removal.ordinal))
        }
        try each(departed) { row throws(DatabaseError) in
            guard let new = try place(row, in: connection) else { return }
            try connection.run("INSERT OR IGNORE INTO departed (track) VALUES (?)", .integer(new))
        }
        try each(loudness) { reading throws(DatabaseError) in
            guard let new = try place(reading.track, in: connection) else { return }
            try connection.run(
                "INSERT OR REPLACE INTO loudness (track, bytes, gain, peak) VALUES (?, ?, ?, ?)",
                values: [.integer(new)] + reading.values)
        }
        try each(lyrics) { values throws(DatabaseError) in
            try connection.run(
                "INSERT OR REPLACE INTO lyrics (owner, audio, asked_at, words) VALUES (?, ?, ?, ?)", values: values)
        }
    }

    /// A playlist that misses entries is there, and its entries count as never read.
    private func writePlaylists(to connection: Connection) throws(DatabaseError) {
        let names = Self.playlistColumns.joined(separator: ", ")
        let marks = Self.playlistColumns.map { _ in "?" }.joined(separator: ", ")
        let entries = Dictionary(grouping: entries, by: \.playlist)
        try each(playlists) { playlist throws(DatabaseError) in
            try connection.run("INSERT OR REPLACE INTO playlists (\(names)) VALUES (\(marks))", values: playlist.values)
            let new = connection.lastInserted
            guard wholePlaylists.contains(playlist.row) else {
                return try connection.run("UPDATE playlists SET is_read = 0 WHERE id = ?", .integer(new))
            }
            for entry in entries[playlist.row] ?? [] {
                guard let track = try place(entry.track, in: connection) else { continue }
                try connection.run(
                    "INSERT OR IGNORE INTO playlist_entries (playlist, place, track) VALUES (?, ?, ?)", .integer(new),
                    .integer(entry.place), .integer(track))
            }
        }
    }

    /// What a damaged file says may be anything: a row that the new tables refuse is passed over.
    func each<Rows: Collection>(
        _ rows: Rows, _ write: (Rows.Element) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        for row in rows {
            do throws(DatabaseError) {
                try write(row)
            } catch  where ![SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG].contains(error.code) {
                throw error
            } catch {
                continue
            }
        }
    }

    /// The new row of a track that was read.
    func place(_ row: Int64, in connection: Connection) throws(DatabaseError) -> Int64? {
        guard let track = tracks[row] else { return nil }
        let new = try connection.rowOrNew(track)
        if let cover = covers[row] {
            try connection.run("UPDATE tracks SET cover_path = ?2 WHERE id = ?1", .integer(new), .text(cover))
        }
        return new
    }
}
