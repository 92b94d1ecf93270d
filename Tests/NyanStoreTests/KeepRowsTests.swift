import FoundationEssentials
import NyanCore
import Testing

@testable import NyanStore

/// Keep rules and files in the real database.
@Suite("Keep rules on disk")
struct KeepRowsTests {
    let folder = TemporaryFolder()
    var path: String { folder("library.db") }
    private static let list = KeptList.playlist(PlaylistID(owner: 1, number: 5))
    private static let other = KeptList.playlist(PlaylistID(owner: 1, number: 6))

    /// A profile of tracks 1…4, a playlist of 3, 4, 5 and another one of 5.
    func filled() async throws -> LibraryDatabase {
        let database = try await LibraryDatabase.open(path)
        let tracks = (1...4).map { track(Int64($0)) }
        try await database.apply(
            SyncPlan(tracks: tracks, added: [], removed: [], unavailable: 0, changesAnything: true))
        let playlists = [5, 6].map { Playlist(id: PlaylistID(owner: 1, number: $0), title: "List \($0)", count: 3) }
        _ = try await database.setPlaylists(playlists)
        _ = try await database.setTracks([track(3), track(4), track(5)], of: playlists[0])
        _ = try await database.setTracks([track(5)], of: playlists[1])
        return database
    }

    private func wanted(_ database: LibraryDatabase, _ list: KeptList) async throws -> [Int64] {
        KeepPlan(try await database.keptTracks(of: list) ?? [], downloads: [:]).queued.map(\.id.audio)
    }

    @Test("Rules are there after a start, in order, and each knows its tracks in the list's order")
    func rules() async throws {
        var database = try await filled()
        #expect(try await database.keepRules().isEmpty)
        try await database.setKept(.profile, true)
        try await database.setKept(Self.list, true)
        database = try await LibraryDatabase.open(path)
        #expect(try await database.keepRules().map(\.list) == [.profile, Self.list])
        #expect(try await database.playlists().map(\.isKept) == [true, false])
        #expect(try await wanted(database, .profile) == [1, 2, 3, 4])
        #expect(try await wanted(database, Self.list) == [3, 4, 5])
        #expect(try await database.keptTracks(of: .playlist(PlaylistID(owner: 1, number: 9))) == nil)
        try await database.setKept(.profile, false)
        #expect(try await database.keepRules().map(\.list) == [Self.list])
        try await database.forgetProfile()
        #expect(try await database.keepRules().isEmpty)
    }

    @Test(
        "What a person takes away is remembered where a rule wants it, for all its twins, until it is asked for again")
    func declined() async throws {
        let database = try await filled()
        try await database.declined([track(1).id])
        #expect(try await wanted(database, .profile) == [1, 2, 3, 4], "no rule wanted it")
        try await database.setKept(.profile, true)
        try await database.declined([track(1).id, track(77).id])
        #expect(try await wanted(database, .profile) == [2, 3, 4])
        // A copy of a foreign track: the other id counts, too.
        try await database.remember([track(9)])
        try await database.added(track(8), from: track(9).id)
        try await database.declined([track(9).id])
        #expect(try await wanted(database, .profile) == [2, 3, 4])
        try await database.wished([track(8).id])
        #expect(try await wanted(database, .profile) == [8, 2, 3, 4])
        try await database.takeBack(.profile)
        #expect(try await wanted(database, .profile) == [8, 1, 2, 3, 4])
    }

    @Test("A rule's end knows what only it brought: not the user's, not another rule's, a twin's neither")
    func brought() async throws {
        let database = try await filled()
        for number in 3...5 {
            try await database.addCopy(
                FinishedCopy(id: track(Int64(number)).id, path: folder("\(number).mp3"), bytes: 7))
        }
        try await database.setKept(Self.list, true)
        try await database.mark([track(3).id, track(4).id, track(5).id], by: Self.list)
        func files() async throws -> [Int64] {
            UnkeepPlan(try await database.brought(by: Self.list), downloads: [:]).files.map(\.audio).sorted()
        }
        #expect(try await files() == [3, 4, 5])
        try await database.wished([track(4).id])
        #expect(try await files() == [3, 5])
        try await database.setKept(Self.other, true)
        #expect(try await files() == [3], "the other list has it")
        try await database.setKept(Self.other, false)
        try await database.setKept(.profile, true)
        #expect(try await files() == [5], "the profile has it")
        try await database.setKept(.profile, false)
        try await database.setKept(Self.list, false)
        #expect(try await files() == [3, 5], "what has ended can still be asked to delete")
        #expect(try await database.keptTracks(of: Self.list)?.map(\.isBrought) == [false, false, false])
        try await database.unmark([track(3).id], by: Self.list)
        #expect(try await files() == [5])
    }

    @Test("A damaged library gives its rules, what they brought and what was taken away to the new one")
    func salvaged() async throws {
        try await {
            let database = try await filled()
            try await database.setKept(.profile, true)
            try await database.setKept(Self.list, true)
            try await database.addCopy(FinishedCopy(id: track(3).id, path: folder("3.mp3"), bytes: 7))
            try await database.mark([track(3).id], by: .profile)
            try await database.mark([track(3).id], by: Self.list)
            try await database.declined([track(1).id])
        }()
        // The page that holds the schema's free list is left; the file's end is not.
        let handle = try DatabaseFile(path: path, migrations: LibrarySchema.migrations).open().connection
        try handle.execute(
            "PRAGMA wal_checkpoint(TRUNCATE); CREATE TABLE filler (text); INSERT INTO filler VALUES (randomblob(40000)); PRAGMA wal_checkpoint(TRUNCATE)"
        )
        var bytes = Disk.bytes(path)
        for place in (bytes.count - 8192)..<bytes.count { bytes[place] = UInt8(truncatingIfNeeded: place &* 37) }
        try Disk.write(path, bytes.dropLast(2048))
        let database = try await LibraryDatabase.open(path)
        #expect(database.isNew && database.notice != nil)
        #expect(try await database.keepRules().map(\.list) == [.profile, Self.list])
        #expect(try await wanted(database, .profile) == [2, 4])
        #expect(try await database.brought(by: Self.list).map(\.id) == [track(3).id])
        #expect(try await database.brought(by: .profile).map(\.isKeptElsewhere) == [true])
    }

    @Test("What a look found is carried out as a whole; a copy that has another path by now is left alone")
    func files() async throws {
        let database = try await filled()
        try await database.setKept(.profile, true)
        func copy(_ number: Int64, _ name: String, bytes: Int64 = 7) -> FinishedCopy {
            FinishedCopy(id: track(number).id, path: folder(name), bytes: bytes)
        }
        for number: Int64 in 1...3 { try await database.addCopy(copy(number, "\(number).mp3")) }
        try await database.setLoudness(
            LoudnessReading(bytes: 7, loudness: Loudness(trackGain: 1, trackPeak: 1)), of: track(2).id)
        var changes = FolderChanges()
        changes.moved = [
            .init(copy(1, "x/1.mp3"), from: folder("1.mp3")), .init(copy(3, "3b.mp3"), from: folder("other")),
        ]
        changes.edited = [copy(2, "2.mp3", bytes: 9)]
        changes.gone = [copy(3, "3.mp3"), copy(1, "elsewhere.mp3")]
        changes.found = [copy(50, "50.mp3")]
        changes.seen = [SeenFile(path: folder("50.mp3"), bytes: 7, modified: 3, id: track(50).id)]
        let described = Track(id: track(50).id, artist: "Found", title: "Again")
        #expect(try await database.take(changes, described: [described]) == [track(3).id])
        let copies = try await database.finishedCopies().sorted { $0.id.audio < $1.id.audio }
        #expect(copies == [copy(1, "x/1.mp3"), copy(2, "2.mp3", bytes: 9), copy(50, "50.mp3")])
        #expect(try await database.loudness(of: track(2).id) == nil, "measured anew")
        #expect(try await database.tracks([track(50).id]).first?.track.title == "Again")
        #expect(try await database.seenFiles() == changes.seen)
        #expect(try await wanted(database, .profile) == [4], "what was deleted by hand is not brought again")
        var back = FolderChanges()
        back.found = [copy(3, "3.mp3")]
        back.unseen = [folder("50.mp3")]
        _ = try await database.take(back, described: [])
        #expect(try await database.seenFiles().isEmpty)
        #expect(try await database.keptTracks(of: .profile)?.first { $0.track.id == track(3).id }?.isDeclined == false)
    }
}
