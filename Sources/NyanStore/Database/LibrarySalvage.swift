import FoundationEssentials
import Glibc
import NyanCore

/// What can still be read of a damaged library: each table from both ends up to the first unreadable page.
///
/// The file that was set aside is not touched; a copy is read. What cannot be read comes from VK and from My Music.
struct LibrarySalvage {
    private var account: String?
    private var notes: [(name: String, value: String)] = []
    private var tracks: [Int64: Track] = [:]
    private var covers: [Int64: String] = [:]
    /// Rows of tracks by position, the top last.
    private var profile: [(position: Int64, track: Int64)] = []
    private var copies: [(sequence: Int64, track: Int64, path: String, bytes: Int64)] = []
    private var downloads: [Download] = []

    /// Reads what there is; nothing where the file is no database at all.
    init(reading path: String) {
        let scratch = "\(path).reading"
        defer { for ending in ["", "-wal", "-shm"] { unlink(scratch + ending) } }
        do {
            try FileManager.default.copyItem(atPath: path, toPath: scratch)
            if access("\(path)-wal", F_OK) == 0 {
                try FileManager.default.copyItem(atPath: "\(path)-wal", toPath: "\(scratch)-wal")
            }
            read(try Connection(scratch))
        } catch {
            // No database, or no room for its copy: there is nothing to save.
        }
    }

    private mutating func read(_ connection: Connection) {
        account = try? connection.first("SELECT description FROM account") { $0.text(0) }
        notes = (try? connection.rows("SELECT name, value FROM notes") { ($0.text(0), $0.text(1)) }) ?? []
        let next = TrackColumns.count
        let described = Self.bothEnds(connection, "SELECT id, \(TrackColumns.names), cover_path FROM tracks", by: "id")
        {
            ($0.integer(0), TrackColumns.track($0, from: 1), $0.optionalText(next + 1))
        }
        for (row, track, cover) in described {
            tracks[row] = track
            covers[row] = cover
        }
        profile = Self.bothEnds(connection, "SELECT position, track FROM profile", by: "position") {
            ($0.integer(0), $0.integer(1))
        }
        copies = Self.bothEnds(connection, "SELECT sequence, track, path, bytes FROM copies", by: "sequence") {
            ($0.integer(0), $0.integer(1), $0.text(2), $0.integer(3))
        }
        let tracks = tracks
        downloads = Self.bothEnds(
            connection, "SELECT track, state, received, total, failure, attempts, ordinal FROM downloads", by: "track"
        ) { row in tracks[row.integer(0)].map { LibraryDatabase.download(of: $0, row, from: 1) } }.compactMap(\.self)
    }

    /// Rows in rising order of their key; a row that both directions reached is there once.
    private static func bothEnds<Element>(
        _ connection: Connection, _ sql: String, by key: String, _ read: (Row) -> Element
    ) -> [Element] {
        var rising: [Element] = []
        var last = Int64.min
        do throws(DatabaseError) {
            _ = try connection.rows("\(sql) ORDER BY \(key)") { row in
                rising.append(read(row))
                last = row.integer(0)
            }
            return rising
        } catch {
            var falling: [Element] = []
            _ = try? connection.rows("\(sql) WHERE \(key) > ? ORDER BY \(key) DESC", [.integer(last)]) { row in
                falling.append(read(row))
            }
            return rising + falling.reversed()
        }
    }

    /// Puts everything into the new library; what does not fit there is left out.
    func write(to connection: Connection) {
        try? connection.transaction { () throws(DatabaseError) in
            if let account {
                try connection.run("INSERT OR REPLACE INTO account (id, description) VALUES (1, ?)", .text(account))
            }
            for note in notes {
                try connection.run(
                    "INSERT OR REPLACE INTO notes (name, value) VALUES (?, ?)", .text(note.name), .text(note.value))
            }
            for (position, row) in profile {
                guard let new = try place(row, in: connection) else { continue }
                try connection.run(
                    "INSERT OR IGNORE INTO profile (position, track) VALUES (?, ?)", .integer(position), .integer(new))
            }
            for copy in copies where access(copy.path, F_OK) == 0 {
                guard let track = tracks[copy.track], try place(copy.track, in: connection) != nil else { continue }
                try connection.write(FinishedCopy(id: track.id, path: copy.path, bytes: copy.bytes))
            }
            for download in downloads { try LibraryDatabase.write(download, to: connection) }
        }
    }

    /// The new row of a track that was read.
    private func place(_ row: Int64, in connection: Connection) throws(DatabaseError) -> Int64? {
        guard let track = tracks[row] else { return nil }
        let new = try connection.rowOrNew(track)
        if let cover = covers[row] {
            try connection.run("UPDATE tracks SET cover_path = ?2 WHERE id = ?1", .integer(new), .text(cover))
        }
        return new
    }
}
