import NyanCore
import Testing

@testable import NyanStore

@Suite("Imported files in the library")
struct ImportRowTests {
    let folder = TemporaryFolder()

    func described(_ id: TrackID, _ title: String, bytes: Int64 = 10) -> DescribedCopy {
        DescribedCopy(
            copy: FinishedCopy(id: id, path: "/music/\(title).mp3", bytes: bytes),
            track: Track(id: id, artist: "Кино", title: title, album: "Ночь", duration: 100))
    }

    @Test("They are listed with what their files say, newest first, and found by their words")
    func listed() async throws {
        let library = try await LibraryDatabase.open(folder("library.db"))
        let ids = [TrackID(owner: 0, audio: 5), TrackID(owner: 0, audio: .max)]
        try await library.take([described(ids[0], "Мама"), described(ids[1], "Ночь")])
        let rows = try await library.music(matching: nil)
        #expect(
            rows.map(\.track.id) == ids.reversed() && rows.map(\.copyPath) == ["/music/Ночь.mp3", "/music/Мама.mp3"])
        #expect(rows[0].track.album == "Ночь" && rows[0].track.duration == 100 && !rows[0].isAdded)
        #expect(try await library.music(matching: "мама").map(\.track.id) == [ids[0]])
        // Deleted and taken again with better tags.
        try await library.removeCopy(ids[0])
        try await library.take([described(ids[0], "Мама мы все")])
        #expect(try await library.tracks([ids[0]]).first?.track.title == "Мама мы все")
        // Logging out takes nothing of it.
        try await library.forgetProfile()
        #expect(try await library.music(matching: nil).count == 2)
    }

    @Test("What VK says of its track counts for more than a file's tags")
    func vks() async throws {
        let library = try await LibraryDatabase.open(folder("library.db"))
        let id = TrackID(owner: 1, audio: 7)
        try await library.remember([track(7, "Artist", "As VK has it")])
        try await library.take([described(id, "From the tag"), described(TrackID(owner: 1, audio: 8), "Unknown to us")])
        #expect(try await library.tracks([id]).first?.track.title == "As VK has it")
        #expect(try await library.copy(of: id)?.path == "/music/From the tag.mp3")
        #expect(try await library.music(matching: "unknown").map(\.track.id.audio) == [8])
    }
}
