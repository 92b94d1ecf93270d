import CSQLite
import Glibc
@testable import NyanCore
@testable import NyanStore
@testable import nyanctl

extension Fuzz {
    /// Readers of whole files that nyand and nyanctl keep for themselves, and that something has damaged.
    static let kept: [String: Target] = [
        // A whole library, changed at places: each four bytes are three of a place in it and one that is laid over what
        // stands there. A place in the last sixteenth cuts the file off there. libFuzzer's inputs are shorter than one.
        "salvage": { bytes in
            guard var library = wholeLibrary else { return }
            for place in stride(from: 0, to: bytes.count - 3, by: 4) {
                let number = Int(bytes[place]) << 16 | Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
                let target = number % (library.count + library.count / 16)
                if target < library.count { library[target] ^= bytes[place + 3] }
                if target > library.count { library.removeLast(min(library.count - 512, target % library.count)) }
            }
            let path = scratch + "/damaged.db"
            guard (try? WholeFile.replace(path, with: library, mode: 0o600, durable: false)) != nil,
                let fresh = try? Connection(":memory:")
            else { return }
            do throws(DatabaseError) {
                for step in LibrarySchema.migrations { try fresh.execute(step.sql) }
                let found = try LibrarySalvage(reading: path)
                try found.write(to: fresh, exceptNote: "rebuilding")
                let count = try fresh.first("SELECT count(*) FROM tracks") { $0.integer(0) } ?? -1
                hold(count >= 0 && count <= found.tracks.count + found.downloads.count, "no more than was read")
                let verdict = try fresh.first("PRAGMA integrity_check(1)") { $0.text(0) }
                hold(verdict == "ok", "what it is put into is sound: \(verdict ?? "")")
            } catch {
                hold(false, "a new library can be written to: \(error)")
            }
        },
        "listing": { bytes in
            let path = scratch + "/nyanctl-rows"
            guard (try? WholeFile.replace(path, with: bytes, mode: 0o600, durable: false)) != nil else { return }
            var facts = stat()
            stat(path, &facts)
            do throws(ListingFile.Absence) {
                let lines = try ListingFile.read(path, facts.st_mtim.tv_sec)
                hold(lines.reduce(0) { $0 + $1.utf8.count } <= 3 * bytes.count, "rows are what is in the file")
                hold(!lines.contains { $0.isEmpty || $0.utf8.contains(10) }, "a row is a line")
                let later = facts.st_mtim.tv_sec + 2 * ListingFile.longestAge
                hold((try? ListingFile.read(path, later)) == nil, "rows grow old")
            } catch {
                hold(error != .never, "the file is there")
            }
        },
    ]

    /// The bytes of a small library with some of everything in it.
    private static let wholeLibrary: [UInt8]? = {
        let path = scratch + "/whole.db"
        do throws(DatabaseError) {
            let connection = try Connection(path)
            for step in LibrarySchema.migrations { try connection.execute(step.sql) }
            try connection.transaction { () throws(DatabaseError) in
                for number in 1...60 { try fill(connection, Int64(number)) }
                try connection.execute(
                    """
                    INSERT INTO playlists (owner, number, title, about, count, followed, place, kept, is_read)
                        VALUES (1, 1, 'list', '', 60, 0, 1, 1, 1);
                    INSERT INTO notes (name, value) VALUES ('offline-mode', 'on');
                    PRAGMA user_version = \(LibrarySchema.migrations.count)
                    """)
            }
            _ = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)") { _ in }
            try connection.execute("PRAGMA journal_mode = DELETE")
        } catch {
            return nil
        }
        return (try? WholeFile.read(path, flags: 0, limit: 1 << 24)) ?? nil
    }()

    private static func fill(_ connection: Connection, _ number: Int64) throws(DatabaseError) {
        let track = Track(id: TrackID(owner: 1, audio: number), artist: "Кино", title: "Песня \(number)", duration: 200)
        let row = try connection.rowOrNew(track)
        try connection.run("INSERT INTO profile (position, track) VALUES (?, ?)", .integer(number), .integer(row))
        try connection.write(FinishedCopy(id: track.id, path: "/nowhere/\(number).mp3", bytes: 5))
        let download = Download(track: track, state: .failed, received: 5, total: 10, order: 1)
        try LibraryDatabase.write(download, to: connection)
        try connection.run(
            "INSERT INTO loudness (track, bytes, gain, peak) VALUES (?, 5, 1.5, 0.5)", .integer(row))
    }
}
