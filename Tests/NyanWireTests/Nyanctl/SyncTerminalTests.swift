import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

@Suite("sync on a terminal", .enabled(if: Desk.hasProgram), .timeLimit(.minutes(1)))
struct SyncTerminalTests {
    /// What a terminal shows; `tail` says where standard output goes instead.
    private func shown(_ desk: Desk, _ tail: String) async throws -> String {
        try await Program(
            ["/usr/bin/script", "-qec", "'\(Desk.programPath)' sync \(tail)", "/dev/null"],
            environment: desk.environment
        ).outcome().output
    }

    @Test("draws over its line only where the output goes to the terminal, too")
    func escapes() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let numbers: [BusValue] = [.uint32(450), .uint32(3), .uint32(1), .uint32(0)]
        daemon.replies["Library.Sync"] = { _, _ in
            .reply(numbers + SyncCoding.values(SyncNews(changes: [.init(.gone, artist: "A", title: "T")], more: 0)))
        }
        let drawn = try await shown(desk, "")
        #expect(drawn.contains("\u{1B}") && drawn.contains("450 tracks"))
        let piped = try await shown(desk, ">/dev/null")
        #expect(!piped.contains("\u{1B}") && piped.contains("gone from the profile: A"))
    }
}
