import FoundationEssentials
import Glibc
import NyanCore
import Synchronization
import Testing

@testable import NyanStore

/// Every way in which a library's file can be broken, and what is known afterwards (field-issues.md D4).
@Suite("A damaged library")
struct DamagedLibraryTests {
    let folder = TemporaryFolder()
    var path: String { folder("library.db") }

    enum Damage: String, CaseIterable, Sendable {
        /// A page of the track table is overwritten; then all but the first page; the file is cut; emptied; replaced.
        case page, allPages, cut, empty, text, zeros
    }

    /// 2,000 tracks, three copies of which one's file is there, an unfinished download, an account, a note.
    func fill() async throws {
        let database = try await LibraryDatabase.open(path)
        let tracks = (1...2000).map { track(Int64($0), "Исполнитель \($0)", "Песня \($0)") }
        try await database.apply(
            SyncPlan(tracks: tracks, added: [], removed: [], unavailable: 0, changesAnything: true))
        try Disk.write(folder("here.mp3"), [1, 2, 3])
        for (number, name) in [(Int64(1000), "here.mp3"), (1001, "away.mp3")] {
            try await database.addCopy(FinishedCopy(id: track(number).id, path: folder(name), bytes: 3))
        }
        try await database.save([Download(track: track(1002), state: .running, received: 5, total: 10, order: 1)])
        try await database.setAccount(Account(id: 42, name: "Имя", tracks: 2000, login: "token"))
        try await database.setNote("offline-mode", "on")
    }

    func damage(_ kind: Damage) throws {
        var bytes = Disk.bytes(path)
        switch kind {
        case .page:
            let place = try #require(leafOfTracks(bytes))
            for offset in 0..<4096 { bytes[place + offset] = UInt8(truncatingIfNeeded: offset &* 37 &+ 11) }
        case .allPages: for place in 4096..<bytes.count { bytes[place] = UInt8(truncatingIfNeeded: place &* 7) }
        case .cut: bytes = Array(bytes[..<(bytes.count / 2 + 100)])
        case .empty: bytes = []
        case .text: bytes = Array("this is no database at all, but a text that is long enough".utf8)
        case .zeros: for place in 0..<bytes.count { bytes[place] = 0 }
        }
        try Disk.write(path, bytes)
    }

    /// A page in the middle that holds rows of tracks: the name of one stands in it.
    func leafOfTracks(_ bytes: [UInt8]) -> Int? {
        let name = Array("Песня 900".utf8)
        for place in stride(from: 0, to: bytes.count, by: 4096) where bytes[place] == 0x0D {
            let page = bytes[place..<min(place + 4096, bytes.count)]
            if page.indices.dropLast(name.count).contains(where: { page[$0...].starts(with: name) }) { return place }
        }
        return nil
    }

    @Test("is set aside and begun anew at the start, with all that could be read of it", arguments: Damage.allCases)
    func atStart(kind: Damage) async throws {
        try await fill()
        try damage(kind)
        let broken = Disk.bytes(path)
        let database = try await LibraryDatabase.open(path)
        #expect(database.isNew)
        if kind == .empty {
            #expect(database.notice == nil)
        } else {
            #expect(database.notice?.message.contains("library.db.broken-") == true)
            let aside = Folder.names(in: folder.path).filter { $0.hasPrefix("library.db.broken-") }
            #expect(aside.count == 1 && Disk.bytes(folder(aside[0])) == broken, "\(aside)")
        }
        let profile = try await database.profileIDs()
        if kind == .page {
            #expect(profile.count > 1900 && profile.count < 2000)
            #expect(profile == profile.sorted { $0.audio < $1.audio })
            #expect(try await database.account()?.id == 42)
            #expect(try await database.note("offline-mode") == "on")
            #expect(try await database.downloads().map(\.id) == [track(1002).id])
            // What is not on the disk is not said to be.
            #expect(try await database.music(matching: nil).map(\.track.id) == [track(1000).id])
            #expect(try await database.profile(matching: "песня 1999").count == 1)
        } else {
            #expect(profile.isEmpty || kind == .cut)
        }
        try await verifyUsable(database)
    }

    private func verifyUsable(_ database: LibraryDatabase) async throws {
        try await database.remember([track(5000, "New", "Fresh")])
        #expect(try await database.known(matching: "fresh").count == 1)
        try await database.reading { connection throws(DatabaseError) in
            let verdict = try connection.first("PRAGMA integrity_check") { $0.text(0) }
            #expect(verdict == "ok")
            try connection.run("INSERT INTO words (words) VALUES ('integrity-check')")
        }
        try await database.endRebuilding()
        let again = try await LibraryDatabase.open(path)
        #expect(again.notice == nil && !again.isNew)
    }

    @Test("that shows only at a query is healed there: the query is answered, readers are told, the rest is saved")
    func atQuery() async throws {
        try await fill()
        let database = try await LibraryDatabase.open(path)
        let told = Mutex<[String]>([])
        database.onDamage.listen { failure, isNew in told.withLock { $0.append("\(isNew) \(failure.message)") } }
        // As a bad disk would: behind the back of the open connection, whose log is written back first.
        try await database.reading { connection throws(DatabaseError) in
            _ = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)") { _ in }
            try connection.execute("PRAGMA shrink_memory")
        }
        let place = try #require(leafOfTracks(Disk.bytes(path)))
        let file = try OpenFile(path, O_RDWR)
        try file.write([UInt8](repeating: 0xA5, count: 4096), at: Int64(place))
        let listed = try await database.profile(matching: nil)
        #expect(listed.count > 1900 && listed.count < 2000)
        let lines = told.withLock { $0 }
        #expect(lines.count == 1 && lines[0].hasPrefix("true") && lines[0].contains("broken-"))
        #expect(try await database.account()?.id == 42)
        try await verifyUsable(database)
    }

    @Test("whose word index alone is broken keeps everything, and finds again")
    func words() async throws {
        try await fill()
        let database = try await LibraryDatabase.open(path)
        let told = Mutex<[Bool]>([])
        database.onDamage.listen { _, isNew in told.withLock { $0.append(isNew) } }
        try await database.reading { connection throws(DatabaseError) in
            try connection.run("UPDATE words_data SET block = x'00112233445566778899' WHERE id > 10")
        }
        let reopened = try await LibraryDatabase.open(path)
        reopened.onDamage.listen { _, isNew in told.withLock { $0.append(isNew) } }
        #expect(try await reopened.profile(matching: "песня 1999").count == 1)
        // From SQLite 3.44 on it is found at the start.
        #expect(told.withLock { $0 } == [false] || reopened.notice != nil)
        #expect(try await reopened.profileIDs().count == 2000)
    }

    @Test("whose log is missing is what it was when the log was last written back")
    func withoutLog() async throws {
        try await fill()
        let database = try await LibraryDatabase.open(path)
        try await database.remember([track(7000)])
        let other = TemporaryFolder()
        try Disk.write(other("library.db"), Disk.bytes(path))
        let copy = try await LibraryDatabase.open(other("library.db"))
        try await verifyUsable(copy, at: other("library.db"))
        withExtendedLifetime(database) {}
    }

    private func verifyUsable(_ database: LibraryDatabase, at path: String) async throws {
        try await database.remember([track(5000, "New", "Fresh")])
        let again = try await LibraryDatabase.open(path)
        #expect(again.notice == nil)
        #expect(try await again.known(matching: "fresh").count == 1)
    }

    @Test("in a folder that cannot be written to, or in somebody else's hands, is refused in words and left alone")
    func refused() async throws {
        try await fill()
        let before = Disk.bytes(path)
        let other = try Connection(path)
        try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE notes SET value = value")
        let locked = await failure { _ = try await LibraryDatabase.open(path) }
        #expect(locked?.code == .conflict && locked?.message.contains("in use") == true)
        try other.execute("ROLLBACK")
        #expect(!Folder.names(in: folder.path).contains { $0.contains("broken") })
        guard let disk = SmallDisk(kilobytes: 4000) else { return }
        try Disk.write("\(disk.path)/library.db", before)
        _ = Disk.output("/bin/mount", ["-o", "remount,ro", disk.path])
        let readOnly = await failure { _ = try await LibraryDatabase.open("\(disk.path)/library.db") }
        #expect(readOnly?.code == .fileAccess)
        #expect(Disk.bytes("\(disk.path)/library.db") == before)
    }
}
