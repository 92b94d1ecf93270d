import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

/// Libraries of earlier nyands (field-issues.md D9).
@Suite("A library of an earlier nyand")
struct LibraryMigrationTests {
    let folder = TemporaryFolder()

    /// A library of schema `version` with a track in the profile, a copy, a download.
    func fill(_ path: String, version: Int) throws {
        let steps = Array(LibrarySchema.migrations[..<version])
        let old = try DatabaseFile(path: path, migrations: steps).open().connection
        // What is searched has had no apostrophes since there is an index of words.
        let word = version < 5 ? "don''t" : "dont"
        try old.run("BEGIN")
        for number in 1...300 {
            try old.run(
                """
                INSERT INTO tracks (id, owner, audio, artist, title, duration, available, explicit, folded)
                VALUES (?1, 7, ?1, 'Artist', 'Don''t ' || ?1, 100, 1, 0, 'artist' || char(10) || '\(word) ' || ?1)
                """, .integer(number))
            try old.run("INSERT INTO profile (position, track) VALUES (?1, ?1)", .integer(number))
        }
        try old.execute(
            """
            INSERT INTO copies (track, path, bytes) VALUES (1, '/m/1.mp3', 5);
            INSERT INTO downloads (track, ordinal, state, received, attempts) VALUES (2, 1, 'waiting', 0, 0);
            INSERT INTO account (id, description) VALUES (1, '{}'); INSERT INTO notes (name, value) VALUES ('a', 'b');
            COMMIT;
            """)
    }

    @Test(
        "of any number is brought up to date with all it knew, and a backup of before",
        arguments: 1..<LibrarySchema.migrations.count)
    func everyVersion(version: Int) async throws {
        let path = folder("library.db")
        try fill(path, version: version)
        let database = try await LibraryDatabase.open(path)
        #expect(database.notice == nil && !database.isNew)
        #expect(try await database.profileIDs().count == 300)
        #expect(try await database.profile(matching: "dont 300").count == 1)
        #expect(try await database.profile(matching: "don't 300 art").count == 1)
        #expect(try await database.music(matching: nil).count == 1)
        #expect(try await database.downloads().count == 1)
        #expect(try await database.note("a") == "b")
        #expect(try Connection("\(path).schema-\(version)").version == version)
        // Its rows are found after a change too, and no more under their old names.
        var renamed = track(300, "Other", "Name")
        renamed.id = TrackID(owner: 7, audio: 300)
        try await database.remember([renamed])
        #expect(try await database.known(matching: "dont 300").isEmpty)
        #expect(try await database.known(matching: "other name").count == 1)
    }

    @Test("stays what it was when the disk is full in the middle of the change, and is changed when there is room")
    func full() async throws {
        guard let disk = SmallDisk(kilobytes: 700) else { return }
        let path = "\(disk.path)/library.db"
        let version = 3
        try fill(path, version: version)
        try? Disk.write("\(disk.path)/filler", [UInt8](repeating: 1, count: 1 << 20))
        let refused = await failure { _ = try await LibraryDatabase.open(path) }
        #expect(refused?.code == .diskFull)
        #expect(!Folder.names(in: disk.path).contains { $0.contains("broken") })
        unlink("\(disk.path)/filler")
        let database = try await LibraryDatabase.open(path)
        #expect(try await database.profileIDs().count == 300)
        #expect(try await database.profile(matching: "dont 300").count == 1)
    }

    @Test("cut off in the middle of the change by a kill is what it was, and is changed at the next start")
    func killed() async throws {
        let path = folder("library.db")
        try fill(path, version: 3)
        // The files as they are while the change is not yet committed: what a kill leaves.
        let connection = try Connection(path)
        try connection.run("BEGIN IMMEDIATE")
        for step in LibrarySchema.migrations[3...] { try connection.execute(step.sql) }
        try connection.execute("PRAGMA user_version = \(LibrarySchema.migrations.count)")
        let other = TemporaryFolder()
        for name in ["library.db", "library.db-wal"] where Disk.exists(folder(name)) {
            try Disk.write(other(name), Disk.bytes(folder(name)))
        }
        try connection.run("ROLLBACK")
        #expect(try Connection(other("library.db")).version == 3)
        let database = try await LibraryDatabase.open(other("library.db"))
        #expect(database.notice == nil)
        #expect(try await database.profile(matching: "dont 300").count == 1)
    }
}
