import CSQLite
import FoundationEssentials
import Glibc
import NyanCore
import Synchronization
import Testing

@testable import NyanStore

/// What a new library takes from a damaged one, whatever comes between.
@Suite("A library begun anew")
struct RebuildTests {
    let stand = DamagedLibraryTests()
    var path: String { stand.path }

    private func asides() -> [String] {
        Folder.names(in: stand.folder.path).filter { $0.hasPrefix("library.db.") && !$0.hasSuffix("-wal") }
    }

    private static func playlist(_ number: Int64) -> Playlist {
        Playlist(
            id: PlaylistID(owner: 1, number: number), accessKey: "ab", title: "P\(number)", about: nil, count: 3,
            isFollowed: false, follow: nil)
    }

    private static func song(_ number: Int64) -> Track { track(number, "Исполнитель \(number)", "Песня \(number)") }

    @Test("knows what VK never tells again, and what it need not be asked again")
    func tables() async throws {
        try await stand.fill()
        do {
            let database = try await LibraryDatabase.open(path)
            try await database.added(track(1 << 32, "Копия", "Её"), from: track(1000).id)
            try await database.removed(track(5).id)
            try await database.removed(track(2000).id)
            let short = (1...2000).filter { $0 % 10 != 0 }.map { Self.song(Int64($0)) }
            try await database.apply(
                SyncPlan(
                    tracks: short.filter { $0.id.audio != 5 }, added: [], removed: [], unavailable: 0,
                    changesAnything: true))
            try await database.setLoudness(
                LoudnessReading(bytes: 3, loudness: Loudness(trackGain: -5, trackPeak: 0.5)), of: track(1000).id)
            let words = Lyrics(lines: [Lyrics.Line(text: "la")])
            try await database.setLyrics(StoredLyrics(lyrics: words, askedAt: 7), of: track(3).id)
            try await database.setLyrics(StoredLyrics(lyrics: nil, askedAt: 8), of: track(4).id)
            _ = try await database.setPlaylists([Self.playlist(2), Self.playlist(1)])
            _ = try await database.setTracks([3, 2, 1].map { Self.song($0) }, of: Self.playlist(1))
            _ = try await database.setTracks((890...910).map { Self.song($0) }, of: Self.playlist(2))
        }
        try stand.damage(.page)
        let database = try await LibraryDatabase.open(path)
        #expect(database.isNew && database.notice != nil)
        let twins = try await database.twins(of: track(1000).id)
        #expect(Set(twins) == [track(1000).id, track(1 << 32).id])
        #expect(try await database.copy(of: track(1 << 32).id)?.path == stand.folder("here.mp3"))
        #expect(try await database.placeBeforeRemoval(of: track(5).id) == 4)
        #expect(try await database.removedCopy(of: track(2000).id) == track(2000).id)
        #expect(try await database.departed([track(10).id, track(11).id]) == [track(10).id])
        #expect(try await database.loudness(of: track(1000).id)?.loudness?.trackGain == -5)
        #expect(try await database.lyrics(of: track(3).id)?.lyrics != nil)
        #expect(try await database.lyrics(of: track(4).id) == StoredLyrics(lyrics: nil, askedAt: 8))
        let lists = try await database.playlists()
        #expect(lists.map(\.playlist) == [Self.playlist(2), Self.playlist(1)])
        // One that misses a track is read anew rather than shown with a hole.
        #expect(lists.map(\.isRead) == [false, true])
        let ids = try await database.tracks(of: Self.playlist(1).id, matching: nil)?.map(\.track.id.audio)
        #expect(ids == [3, 2, 1])
    }

    @Test("keeps copies whose whole disk is away, and none that was taken away among others of whatever kind")
    func awayDisk() async throws {
        try await stand.fill()
        do {
            let database = try await LibraryDatabase.open(path)
            mkdir(stand.folder("empty"), 0o700)
            mkdir(stand.folder("full"), 0o700)
            try Disk.write(stand.folder("full/other.m4a"), [1])
            for (number, folder) in [(Int64(1100), "disk"), (1101, "empty"), (1102, "full")] {
                try await database.addCopy(
                    FinishedCopy(id: track(number).id, path: stand.folder("\(folder)/x.mp3"), bytes: 3))
            }
        }
        try stand.damage(.page)
        let database = try await LibraryDatabase.open(path)
        #expect(Set(try await database.music(matching: nil).map(\.track.id.audio)) == [1000, 1100, 1101])
    }

    /// Where the start that began it was ended.
    enum Kill: String, CaseIterable, Sendable {
        /// Right after the damaged file was renamed; after an empty one was made; after its tables; after all of it.
        case renamed, made, tables, salvaged
    }

    @Test(
        "reads the damaged one at the next start when the first one was killed or had no room", arguments: Kill.allCases
    )
    func killed(at kill: Kill) async throws {
        try await stand.fill()
        try stand.damage(.page)
        let broken = Disk.bytes(path)
        var file = LibraryDatabase.file(path)
        if kill == .tables || kill == .salvaged {
            let salvage = try #require(file.salvage)
            file.salvage = { (damaged, connection) throws(DatabaseError) in
                if kill == .salvaged { try salvage(damaged, connection) }
                throw DatabaseError(code: SQLITE_FULL, message: "full")
            }
            let refused = await failure { _ = try file.open() }
            #expect(refused?.code == .diskFull)
        } else {
            try #require(rename(path, "\(path).damaged") == 0)
            if kill == .made { try Disk.write(path, []) }
        }
        let database = try await LibraryDatabase.open(path)
        #expect(database.isNew && database.notice?.message.contains("library.db.broken-") == true)
        let profile = try await database.profileIDs()
        #expect(profile.count > 1900 && profile.count < 2000)
        #expect(try await database.account()?.id == 42)
        let aside = asides()
        #expect(aside.count == 1 && aside[0].hasPrefix("library.db.broken-"), "\(aside)")
        #expect(Disk.bytes(stand.folder(aside[0])) == broken)
    }

    @Test("counts as new at each start until all is known again")
    func isNew() async throws {
        for _ in 1...2 { #expect(try await LibraryDatabase.open(path).isNew) }
        try await LibraryDatabase.open(path).endRebuilding()
        for _ in 1...2 { #expect(try await !LibraryDatabase.open(path).isNew) }
    }

    @Test("while running is tried again at each call until there is room, and then has what the old one had")
    func retried() async throws {
        guard let disk = SmallDisk(kilobytes: 8000) else { return }
        try await stand.fill()
        let moved = "\(disk.path)/library.db"
        try Disk.write(moved, Disk.bytes(path))
        let database = try await LibraryDatabase.open(moved)
        let told = Mutex<[Bool]>([])
        database.onDamage.listen { _, isNew in told.withLock { $0.append(isNew) } }
        try await database.reading { connection throws(DatabaseError) in
            _ = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)") { _ in }
            try connection.execute("PRAGMA shrink_memory")
        }
        let place = try #require(stand.leafOfTracks(Disk.bytes(moved)))
        let page = try OpenFile(moved, O_RDWR)
        try page.write([UInt8](repeating: 0xA5, count: 4096), at: Int64(place))
        let filler = try OpenFile("\(disk.path)/filler", O_RDWR | O_CREAT, mode: 0o600)
        var end = Int64(0)
        while (try? filler.write([UInt8](repeating: 1, count: 4096), at: end)) != nil { end += 4096 }
        for _ in 1...3 {
            let refused = await failure { _ = try await database.profile(matching: nil) }
            #expect(refused?.code == .diskFull, "\(refused?.message ?? "")")
        }
        #expect(told.withLock { $0 }.isEmpty)
        unlink("\(disk.path)/filler")
        try filler.truncate(to: 0)
        let listed = try await database.profile(matching: nil)
        #expect(listed.count > 1900 && listed.count < 2000)
        #expect(told.withLock { $0 } == [true])
        #expect(try await database.account()?.id == 42)
    }

    /// As `quick_check` from SQLite 3.44 on.
    private static let newerVerdict: @Sendable (Connection) throws(DatabaseError) -> Void = {
        (connection) throws(DatabaseError) in
        try DatabaseFile.check(connection)
        guard try connection.version > 4 else { return }
        try connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
    }

    @Test("is none where only the word index is broken, also where the check at the start looks into that")
    func words() async throws {
        try await stand.fill()
        try Connection(path).run("UPDATE words_data SET block = x'00112233445566778899' WHERE id > 10")
        var file = LibraryDatabase.file(path)
        file.verdict = Self.newerVerdict
        let opened = try file.open()
        #expect(!opened.isNew && opened.notice?.message.contains("made anew") == true)
        #expect(asides().isEmpty)
        #expect(throws: Never.self) { try Self.newerVerdict(opened.connection) }
        #expect(try opened.connection.first("SELECT count(*) FROM profile") { $0.integer(0) } == 2000)
        #expect(try file.open().notice == nil)
    }
}
