import Glibc
import NyanCore
import Testing

@testable import NyanStore

@Suite("Addresses in the library")
struct LibraryAddressTests {
    let folder = TemporaryFolder()

    @Test("a library of the first schema keeps its tracks, and knows addresses from then on")
    func migrates() async throws {
        let path = folder("data/library.db")
        do {
            mkdir(folder("data"), 0o700)
            let old = try DatabaseFile(path: path, migrations: [LibrarySchema.migrations[0]]).open().connection
            try old.execute(
                """
                INSERT INTO tracks (owner, audio, artist, title, duration, available, explicit, folded)
                VALUES (7, 1, 'A', 'T', 60, 1, 0, 'a t');
                INSERT INTO profile (position, track) VALUES (1, 1);
                """)
        }
        let track = try SoundAddress("https://h.test/Кот.mp3?k=v").track
        try await LibraryDatabase.open(path).remember([track])
        let library = try await LibraryDatabase.open(path)
        #expect(try await library.tracks([track.id]).map(\.track) == [track])
        #expect(try await library.profile(matching: nil).map(\.track.title) == ["T"])
        #expect(try await library.known(matching: "кот").map(\.track) == [track])
        var better = track
        better.duration = 99
        try await library.remember([better])
        #expect(try await library.tracks([track.id]).map(\.track) == [better])
    }
}
