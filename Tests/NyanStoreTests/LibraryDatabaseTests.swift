import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

@Suite("The library on disk")
struct LibraryDatabaseTests {
    let folder = TemporaryFolder()

    func open() async throws -> LibraryDatabase {
        try await LibraryDatabase.open(folder("library.db"))
    }

    /// A sync to exactly these tracks.
    func plan(_ tracks: [Track]) -> SyncPlan {
        SyncPlan(tracks: tracks, added: [], removed: [], unavailable: 0, changesAnything: true)
    }

    @Test("keeps every field of a track and the profile's order over a restart")
    func keepsTracks() async throws {
        var full = track(1, "Кино", "Кукушка 🐦", album: "Чёрный альбом")
        full.accessKey = "abc"
        full.isAvailable = false
        full.unavailableReason = "Gone."
        full.isExplicit = true
        full.coverURL = "https://example.org/a.jpg"
        full.date = 1_700_000_000
        let tracks = [track(9, "", ""), full, track(5, "a\"b", "c\0d\ne")]
        try await open().apply(plan(tracks))
        let database = try await open()
        #expect(try await database.profile(matching: nil).map(\.track) == tracks)
        #expect(try await database.profileIDs() == tracks.map(\.id))
        #expect(try await database.profile(matching: nil).allSatisfy { $0.isAdded && $0.copyPath == nil })
        #expect(Disk.mode(folder("library.db")) == 0o600 && Disk.mode(folder("library.db-wal")) == 0o600)
    }

    @Test("an unchanged list writes nothing, a new track on top and a new title a few rows")
    func writesLittle() async throws {
        let database = try await open()
        var tracks = (1...200).map { track(Int64($0)) }
        try await database.apply(plan(tracks))
        let before = await database.rowsWritten
        try await database.apply(plan(tracks))
        #expect(await database.rowsWritten == before)
        tracks.insert(track(900), at: 0)
        try await database.apply(plan(tracks))
        // Its description, its place, and what the word index needs.
        let added = await database.rowsWritten
        #expect((before + 2...before + 12).contains(added))
        tracks[5].title = "New"
        try await database.apply(plan(tracks))
        #expect((added + 1...added + 12).contains(await database.rowsWritten))
        #expect(try await database.profile(matching: nil).map(\.track) == tracks)
    }

    @Test("follows any reordering, removal and addition", arguments: 1...8)
    func reorders(seed: UInt64) async throws {
        let database = try await open()
        var random = Steps(state: seed)
        var tracks = (1...40).map { track(Int64($0)) }
        for step in 0..<15 {
            switch random.next() % 4 {
            case 0: tracks.shuffle(using: &random)
            case 1: tracks.removeAll { _ in random.next() % 5 == 0 }
            case 2: tracks.insert(track(Int64(100 + step)), at: Int(random.next() % UInt64(tracks.count + 1)))
            default: tracks.insert(contentsOf: [track(Int64(200 + step)), track(Int64(300 + step))], at: 0)
            }
            try await database.apply(plan(tracks))
            #expect(try await database.profileIDs() == tracks.map(\.id))
        }
    }

    @Test("a cover address that is only signed anew is no change once the picture is here")
    func coverAddress() async throws {
        let database = try await open()
        var song = track(1)
        song.coverURL = "https://sun1.example.org/a.jpg?sign=1"
        try await database.apply(plan([song]))
        try await database.setCover("/covers/x.jpg", of: song.id)
        let before = await database.rowsWritten
        song.coverURL = "https://sun2.example.org/a.jpg?sign=2"
        try await database.apply(plan([song]))
        #expect(await database.rowsWritten == before)
        song.coverURL = "https://sun2.example.org/b.jpg?sign=2"
        try await database.apply(plan([song]))
        #expect(await database.rowsWritten == before + 1)
        #expect(try await database.tracks([song.id]).first?.coverPath == "/covers/x.jpg")
    }

    @Test(
        "finds by artist, title or album whatever the case, ё like е, composed or not, with or without accents",
        arguments: [
            ("чёрный", true), ("ЧЕРНЫЙ", true), ("черныи\u{306}", true), ("кино кукушка", true),
            ("Кино - Кукушка", true), ("кукуш", true), ("черныи", false), ("ария", false), ("%", false), ("_", false),
            ("", true), ("  ", true), ("'", false),
        ])
    func finds(text: String, isFound: Bool) async throws {
        let database = try await open()
        try await database.apply(plan([track(1, "Кино", "Кукушка", album: "Чёрный альбом")]))
        #expect(try await database.profile(matching: text).isEmpty == !isFound)
    }

    @Test(
        "folds letters of other scripts too",
        arguments: [
            ("bjork", "Björk"), ("BJÖRK", "Björk"), ("strasse", "Straße"), ("їжак", "ЇЖАК"), ("istanbul", "İstanbul"),
            ("кои\u{306}от", "Койот"), ("100%", "100% хит"), ("日本", "日本語"), ("!!!", "!!! — Me"), ("b", "a\0B"),
        ])
    func folds(text: String, artist: String) async throws {
        let database = try await open()
        try await database.remember([track(1, artist, "x")])
        #expect(try await database.known(matching: text).count == 1)
    }

    @Test("a quoted text selects profile first, then copies, then the rest; a blank one nothing")
    func known() async throws {
        let database = try await open()
        try await database.apply(plan([track(3), track(2)]))
        try await database.remember([track(5), track(4)])
        try await database.addCopy(FinishedCopy(id: track(4).id, path: "/m/4.mp3", bytes: 4))
        #expect(try await database.known(matching: "title").map(\.track.id.audio) == [3, 2, 4, 5])
        #expect(try await database.known(matching: " ").isEmpty)
        let asked = [track(5).id, track(99).id, track(3).id]
        #expect(try await database.tracks(asked).map(\.track.id) == [track(5).id, track(3).id])
    }

    @Test("what is seen elsewhere completes a description and never takes away from it")
    func remembers() async throws {
        let database = try await open()
        var song = track(1, album: "Album")
        song.accessKey = "key"
        try await database.remember([song])
        var seen = track(1, "Artist", "New title")
        seen.duration = 0
        try await database.remember([seen])
        let stored = try await database.tracks([song.id]).first?.track
        #expect(stored?.title == "New title" && stored?.album == "Album")
        #expect(stored?.accessKey == "key" && stored?.duration == 100)
        #expect(try await database.profileIDs().isEmpty)
    }

    @Test("lists finished copies newest first and survives logging out with them")
    func copies() async throws {
        let database = try await open()
        try await database.apply(plan([track(1), track(2), track(3)]))
        let copies = [2, 1].map { FinishedCopy(id: track($0).id, path: "/music/\($0).mp3", bytes: $0) }
        for copy in copies { try await database.addCopy(copy) }
        try await database.addCopy(FinishedCopy(id: TrackID(owner: 7, audio: 7), path: "/music/A - B.mp3", bytes: 1))
        #expect(try await database.music(matching: nil).map(\.track.id.audio) == [7, 1, 2])
        #expect(try await database.music(matching: "a - b").first?.track.title == "A - B")
        #expect(try await database.copy(of: track(1).id) == copies[1])
        try await database.forgetProfile()
        #expect(try await database.profileIDs().isEmpty)
        #expect(try await database.music(matching: nil).map(\.isAdded) == [false, false, false])
        #expect(try await database.tracks([track(3).id]).isEmpty)
        try await database.removeCopy(track(1).id)
        #expect(try await database.copy(of: track(1).id) == nil)
        #expect(try await database.music(matching: nil).count == 2)
    }

    @Test("keeps downloads with their failures in their order")
    func downloads() async throws {
        let database = try await open()
        var foreign = track(3)
        foreign.accessKey = "key"
        let downloads = [
            Download(track: track(1), state: .running, received: 5, total: 10, attempts: 2, order: 2),
            Download(
                track: foreign, state: .failed,
                failure: Failure(.serverBusy, "Wait.", subject: foreign.id, retry: .after(seconds: 20)), order: 1),
            Download(track: track(2), state: .paused, order: 3),
        ]
        try await database.remember([track(3)])
        try await database.save(downloads)
        #expect(try await open().downloads() == [downloads[1], downloads[0], downloads[2]])
        try await database.removeDownloads([track(1).id, track(77).id])
        #expect(try await database.downloads().map(\.id) == [foreign.id, track(2).id])
    }

    @Test("keeps the account and notes, and forgets them when asked")
    func accountAndNotes() async throws {
        let database = try await open()
        let account = Account(id: 42, name: "Имя", tracks: 450, login: "token", locationKind: "hls")
        try await database.setAccount(account)
        try await database.setNote("offline", "on")
        try await database.setNote("offline", "off")
        let again = try await open()
        #expect(try await again.account() == account)
        #expect(try await again.note("offline") == "off")
        try await again.setAccount(nil)
        try await again.setNote("offline", nil)
        #expect(try await again.account() == nil)
        #expect(try await again.note("offline") == nil)
    }

    /// With NYAN_FIGURES set also a hundred thousand, and the times are printed.
    static let showsFigures = getenv("NYAN_FIGURES") != nil

    @Test("lists and filters a large library", arguments: showsFigures ? [10_000, 100_000] : [10_000])
    func large(count: Int) async throws {
        let database = try await open()
        let tracks = (1...count).map { number in
            track(
                Int64(number), "Исполнитель g\(number % 700)z", "Название песни \(number)",
                album: "Album \(number % 90)")
        }
        var times: [String] = []
        func measure<Value>(_ name: String, _ body: () async throws -> Value) async throws -> Value {
            var value: Value?
            let start = clock()
            let time = try await ContinuousClock().measure { value = try await body() }
            let cpu = Double(clock() - start) / Double(CLOCKS_PER_SEC)
            times.append("\(name) \(time) (cpu \(cpu))")
            return try #require(value)
        }
        try await measure("sync") { try await database.apply(plan(tracks)) }
        try await measure("sync unchanged") { try await database.apply(plan(tracks)) }
        let all = try await measure("list") { try await database.profile(matching: nil) }
        #expect(all.count == count)
        let found = try await measure("filter") { try await database.profile(matching: "песни \(count - 1)") }
        #expect(found.count == 1)
        let wide = try await measure("known") { try await database.known(matching: "исполнитель g699z") }
        #expect(wide.count == count / 700)
        _ = try await measure("open") { try await open() }
        if Self.showsFigures { print("FIGURES \(count): \(times.joined(separator: ", "))") }
    }
}

/// A seeded source of numbers.
struct Steps: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}
