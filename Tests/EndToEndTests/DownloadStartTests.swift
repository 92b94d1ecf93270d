import Glibc
import NyanTestKit
import Testing

/// Starting beside what a stranger left in the music folder.
@Suite("Starting the downloads, whole", .serialized, .timeLimit(.minutes(1)))
struct DownloadStartTests {
    @Test("a pipe under the name of a half-made file holds up neither the start nor the list, and goes")
    func hanging() async throws {
        let house = try await House(settings: "parallel=1\n")
        mkdir(house.music, 0o700)
        // Whoever opens a pipe that nobody writes waits for ever.
        try #require(mkfifo("\(house.music)/.nyand-1.part", 0o600) == 0)
        try await house.startDaemon()
        try await house.signIn()
        try #require(try await house.ctl("download", "123456_456239999", "--wait").status == 0)
        let rows = try await house.ctl("--json", "music").decoded([TrackRow].self)
        #expect(rows.map(\.id) == ["123456_456239999"])
        #expect(access("\(house.music)/.nyand-1.part", F_OK) != 0)
    }
}
