import NyanCore
import Testing

@testable import NyanStore

@Suite("Some of the library")
struct LibraryBeginningTests {
    let folder = TemporaryFolder()

    @Test(
        "no more tracks than asked for have every word, of any script",
        arguments: [
            ("ки", 2, 2), ("ки", 50, 10), ("宇多田 7", 5, 1), ("宇多", 5, 5), ("КИНО: 宇多", 50, 10), ("!!!", 3, 0),
            ("", 5, 0),
            ("宇多 ки", 50, 0),
            ("nothing", 5, 0), ("ки", 0, 0),
        ])
    func some(text: String, limit: Int, count: Int) async throws {
        let database = try await LibraryDatabase.open(folder("library.db"))
        let tracks = (1...10).map { track(Int64($0), "Кино 宇多田", "\($0)") }
        try await database.apply(
            SyncPlan(tracks: tracks, added: [], removed: [], unavailable: 0, changesAnything: true))
        let found = try await database.some(matching: text, limit: limit)
        #expect(found.count == count && found.allSatisfy { FilterWords(text).match($0) })
    }

    @Test("one that begins so is found among a thousand that have the words elsewhere")
    func crowd() async throws {
        let database = try await LibraryDatabase.open(folder("library.db"))
        let tracks = (1...1000).map { track(Int64($0), "Love", "of the \($0)") } + [track(2000, "Of Love", "The End")]
        try await database.apply(
            SyncPlan(tracks: tracks, added: [], removed: [], unavailable: 0, changesAnything: true))
        #expect(try await database.some(matching: "of lo", limit: 240).map(\.artist) == ["Of Love"])
    }
}
