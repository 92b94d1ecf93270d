import NyanCore
import Testing

@testable import NyanStore

@Suite("Some of the library")
struct LibraryBeginningTests {
    let folder = TemporaryFolder()

    @Test(
        "no more tracks than asked for have every word, of any script",
        arguments: [
            ("ки", 2, 2), ("ки", 50, 10), ("кино 7", 5, 1), ("宇多", 5, 5), ("宇多 ки", 50, 10), ("!!!", 3, 0), ("", 5, 0),
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
}
