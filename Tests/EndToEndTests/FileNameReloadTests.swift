import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

@Suite("Names of files, whole", .serialized, .timeLimit(.minutes(1)))
struct FileNameReloadTests {
    @Test("a new file-name counts from the next download on, without a restart; files that are there keep their names")
    func reloaded() async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        let ids = ["123456_456239998", "123456_456239965"]
        #expect(try await house.ctl("download", ids[0], "--wait").status == 0)
        let before = try #require(try await house.ctl("--json", "music").decoded([TrackRow].self).first?.path)
        try house.writeSettings("file-name={id} {title}")
        #expect(try await house.ctl("reload").status == 0)
        #expect(try await house.ctl("download", ids[1], "--wait").status == 0)
        let rows = try await house.ctl("--json", "music").decoded([TrackRow].self)
        #expect(rows.contains { $0.id == ids[0] && $0.path == before })
        let second = try #require(rows.first { $0.id == ids[1] }?.path?.split(separator: "/").last)
        #expect(second.hasPrefix("\(ids[1]) "), "\(second)")
        // A template that is no good changes nothing.
        try house.writeSettings("file-name={artist}/{title}")
        #expect(try await house.ctl("reload").status == 2)
    }
}
