import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

@Suite("A database file in trouble")
struct DatabaseFileTests {
    let folder = TemporaryFolder()

    func fill(_ count: Int64 = 200) async throws {
        let tracks = (1...count).map { track($0) }
        let database = try await LibraryDatabase.open(folder("library.db"))
        try await database.apply(
            SyncPlan(tracks: tracks, added: [], removed: [], unavailable: 0, changesAnything: true))
    }

    @Test("is durable when the process is killed: the files as they are while open hold all that was acknowledged")
    func killed() async throws {
        let database = try await LibraryDatabase.open(folder("library.db"))
        for number in Int64(1)...20 {
            try await database.remember([track(number)])
            try await database.addCopy(FinishedCopy(id: track(number).id, path: "/m/\(number)", bytes: number))
            let other = TemporaryFolder()
            for name in ["library.db", "library.db-wal"] {
                try FileManager.default.copyItem(atPath: folder(name), toPath: other(name))
            }
            let copy = try await LibraryDatabase.open(other("library.db"))
            #expect(copy.notice == nil)
            #expect(try await copy.music(matching: nil).count == Int(number))
        }
    }

    @Test(
        "that is rubbish, cut off or overwritten inside is set aside, reported once and begun anew",
        arguments: ["text", "cut", "page"])
    func damaged(how: String) async throws {
        try await fill()
        let path = folder("library.db")
        var bytes = Disk.bytes(path)
        switch how {
        case "text": bytes = Array("this is no database at all, but a text that is long enough".utf8)
        case "cut": bytes = Array(bytes[..<(bytes.count / 2 + 100)])
        default: for place in 4096..<bytes.count { bytes[place] = UInt8(truncatingIfNeeded: place &* 7) }
        }
        try Disk.write(path, bytes)
        let first = try await LibraryDatabase.open(path)
        #expect(first.notice?.code == .fileAccess)
        #expect(first.notice?.message.contains("library.db.broken-") == true)
        #expect(try await first.profileIDs().isEmpty)
        let aside = Folder.names(in: folder.path).filter { $0.hasPrefix("library.db.broken-") && !$0.hasSuffix("-wal") }
        #expect(aside.count == 1)
        #expect(aside.first.map { Disk.bytes(folder($0)) } == bytes)
        try await first.remember([track(1)])
        let second = try await LibraryDatabase.open(path)
        #expect(second.notice == nil)
        #expect(try await second.tracks([track(1).id]).count == 1)
    }

    @Test("of no length is a new one")
    func empty() async throws {
        try Disk.write(folder("library.db"), [])
        #expect(try await LibraryDatabase.open(folder("library.db")).notice == nil)
    }

    @Test("with tables but no schema number is set aside, one of a newer nyand is refused and stays")
    func schemas() async throws {
        try Connection(folder("library.db")).execute("CREATE TABLE other (x)")
        #expect(try await LibraryDatabase.open(folder("library.db")).notice != nil)
        try Connection(folder("library.db")).execute("PRAGMA user_version = -5")
        #expect(try await LibraryDatabase.open(folder("library.db")).notice != nil)
        try Connection(folder("library.db")).execute("PRAGMA user_version = 99")
        let refused = await failure { _ = try await LibraryDatabase.open(folder("library.db")) }
        #expect(refused?.code == .fileAccess && refused?.message.contains("newer nyand") == true)
        #expect(try Connection(folder("library.db")).version == 99)
    }

    @Test("is migrated step by step in one transaction with a backup of before")
    func migrates() throws {
        let path = folder("x.db")
        let steps = [
            Migration(sql: "CREATE TABLE a (x); INSERT INTO a VALUES (1)"), Migration(sql: "ALTER TABLE a ADD y"),
            Migration(sql: "INSERT INTO a VALUES (2, 3)"),
        ]
        _ = try DatabaseFile(path: path, migrations: Array(steps[..<1])).open()
        let bad = steps[..<2] + [Migration(sql: "INSERT INTO nowhere VALUES (1)")]
        #expect(throws: Failure.self) { try DatabaseFile(path: path, migrations: Array(bad)).open() }
        #expect(try Connection(path).version == 1)
        #expect(try Connection(path).rows("SELECT * FROM a") { $0.isNull(1) }.count == 1)
        let opened = try DatabaseFile(path: path, migrations: steps).open()
        let connection = opened.connection
        #expect(opened.notice == nil && !opened.isNew)
        #expect(try connection.version == 3)
        #expect(try connection.rows("SELECT y FROM a ORDER BY x") { $0.integer(0) } == [0, 3])
        #expect(try Connection("\(path).schema-1").version == 1)
        #expect(Disk.mode("\(path).schema-1") == 0o600)
    }

    @Test("undoes a transaction that fails half-way")
    func rollsBack() throws {
        let connection = try Connection(folder("x.db"))
        try connection.execute("CREATE TABLE a (x UNIQUE)")
        #expect(throws: DatabaseError.self) {
            try connection.transaction { () throws(DatabaseError) in
                try connection.run("INSERT INTO a VALUES (1)")
                try connection.run("INSERT INTO a VALUES (1)")
            }
        }
        #expect(try connection.first("SELECT count(*) FROM a") { $0.integer(0) } == 0)
        try connection.transaction { () throws(DatabaseError) in try connection.run("INSERT INTO a VALUES (1)") }
        #expect(try connection.first("SELECT count(*) FROM a") { $0.integer(0) } == 1)
    }

    @Test("held by another program is a conflict that may pass, and is not set aside")
    func locked() async throws {
        try await fill(3)
        let other = try Connection(folder("library.db"))
        let database = try await LibraryDatabase.open(folder("library.db"))
        try other.run("BEGIN IMMEDIATE")
        let refused = await failure { try await database.remember([track(50)]) }
        #expect(refused?.code == .conflict && refused?.retry == .later)
        try other.run("ROLLBACK")
        try await database.remember([track(50)])
        #expect(!Folder.names(in: folder.path).contains { $0.contains("broken") })
    }

    @Test("on a full disk says so, loses nothing and goes on when there is room")
    func full() async throws {
        guard let disk = SmallDisk(kilobytes: 400) else { return }
        let database = try await LibraryDatabase.open("\(disk.path)/library.db")
        try await database.remember([track(1)])
        try? Disk.write("\(disk.path)/filler", [UInt8](repeating: 1, count: 1 << 20))
        var refused: Failure?
        var written = Int64(1)
        while refused == nil, written < 5000 {
            refused = await failure { try await database.remember([track(written + 1)]) }
            if refused == nil { written += 1 }
        }
        #expect(refused?.code == .diskFull)
        unlink("\(disk.path)/filler")
        try await database.remember([track(written + 1)])
        #expect(try await database.known(matching: "title").count == Int(written + 1))
    }
}
