import Glibc
import NyanCore
import Testing

@testable import NyanStore

@Suite("Filters of the library")
struct LibraryWordsTests {
    let folder = TemporaryFolder()

    private static let parts = [
        "Кино", "чёрный", "ЧЕРНЫЙ", "альбом", "Їжак", "Straße", "STRASSE", "İstanbul", "ışık", "Björk", "AC/DC",
        "don't", "Don’t", "100%", "snake_case", "!!!", "宇多田ヒカル", "🐦", "हिन्दी", "é", "e\u{301}", "и\u{306}", "й", "²",
        "\u{1F1F7}\u{1F1FA}", "\u{200D}", "½", "Ⅷ", "ꙮ", "\u{483}", "ա", "შ", "\"q\"", "(x)", "*", "ß", "Ω", "ﬁ", "№5",
        "-",
        "º", "ª", "×", "ʰ", "\u{0}", "𝒜", "ǅ", "ɐ", "Ҁ", "ԥ", "Ԩ", "\u{37F}", "ΐ", "ѝ", "\u{387}", "ƛ", "º1", "a²b",
    ]

    @Test("find what FilterWords finds, for texts of any script and signs", arguments: [UInt64(1), 2, 3, 4])
    func agrees(seed: UInt64) async throws {
        var random = Steps(state: seed)
        let database = try await LibraryDatabase.open(folder("library.db"))
        func text(_ count: ClosedRange<Int>) -> String {
            (0..<Int.random(in: count, using: &random)).map { _ in Self.parts.randomElement(using: &random) ?? "" }
                .joined(separator: Bool.random(using: &random) ? " " : "")
        }
        let tracks = (1...150).map { track(Int64($0), text(0...3), text(0...4)) }
        try await database.apply(
            SyncPlan(tracks: tracks, added: [], removed: [], unavailable: 0, changesAnything: true))
        // Rewritten and removed rows leave nothing behind in the index.
        var changed = tracks.prefix(140).map { $0 }
        for place in changed.indices where place % 3 == 0 { changed[place].title = text(0...3) }
        try await database.apply(
            SyncPlan(tracks: changed, added: [], removed: [], unavailable: 0, changesAnything: true))
        for _ in 0..<150 {
            var typed = text(1...2)
            if Bool.random(using: &random) { typed = String(typed.unicodeScalars.prefix(2).map(Character.init)) }
            let found = try await database.profile(matching: typed).map(\.track.id)
            let words = FilterWords(typed)
            #expect(found == changed.filter { words.match($0) }.map(\.id), "\(typed.debugDescription)")
        }
    }

    @Test("an unchanged list writes no page: neither the file nor its log changes")
    func writesNoPage() async throws {
        let path = folder("library.db")
        let database = try await LibraryDatabase.open(path)
        let tracks = (1...3000).map { track(Int64($0)) }
        let plan = SyncPlan(tracks: tracks, added: [], removed: [], unavailable: 0, changesAnything: true)
        try await database.apply(plan)
        let other = try Connection(path)
        let version = try other.first("PRAGMA data_version") { $0.integer(0) }
        let (file, log) = (Disk.bytes(path), Disk.bytes("\(path)-wal"))
        try await database.apply(plan)
        #expect(Disk.bytes(path) == file && Disk.bytes("\(path)-wal") == log)
        #expect(try other.first("PRAGMA data_version") { $0.integer(0) } == version)
        try await database.remember([track(9999)])
        #expect(try other.first("PRAGMA data_version") { $0.integer(0) } != version)
    }

    @Test("what left the profile is known to have been there until it returns or somebody else signs in")
    func departed() async throws {
        let database = try await LibraryDatabase.open(folder("library.db"))
        func sync(_ numbers: [Int64]) async throws {
            try await database.apply(
                SyncPlan(
                    tracks: numbers.map { track($0) }, added: [], removed: [], unavailable: 0, changesAnything: true))
        }
        let ids = (Int64(1)...4).map { track($0).id }
        try await sync([1, 2, 3])
        try await sync([1])
        #expect(try await database.departed(ids) == [ids[1], ids[2]])
        try await sync([3, 4, 1])
        #expect(try await database.departed(ids) == [ids[1]])
        try await database.forgetProfile()
        #expect(try await database.departed(ids).isEmpty)
    }
}
