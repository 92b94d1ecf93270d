import NyanCore
import NyanTestKit
import Testing

/// The lists of `nyanctl ui` with the real daemon: keys that come fast, and what is done elsewhere meanwhile.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ScreenListTests {
    private struct Row: Decodable { var id: String }

    private func ids(_ house: House, _ list: String) async throws -> [String] {
        try await house.ctl("--json", list).decoded([Row].self).map(\.id)
    }

    @Test("a held key moves one entry of the queue, others go where they are seen, and another's changes are followed")
    func lists() async throws {
        let stage = try await UIStage.ofProfile()
        let house = stage.house
        let profile = try await ids(house, "profile")
        // Another client's change.
        #expect(try await house.ctl("remove", profile[5]).status == 0)
        try await stage.sees("449 tracks")
        try await stage.tmux.press("Home", "Enter")
        try await house.until("the queue is there") { try await ids(house, "queue").count == 449 }
        let queue = try await ids(house, "queue")
        try await stage.tmux.press("5")
        // The profile shows as many: what is typed before the queue's rows are there is for nothing.
        try await stage.sees("[5 Queue]")
        try await stage.sees("  1  Direct – MP3")
        try await stage.tmux.press("Home", "j")
        try await stage.tmux.type(String(repeating: "J", count: 30) + String(repeating: "K", count: 10))
        var moved = queue
        moved.insert(moved.remove(at: 1), at: 21)
        try await house.until("it is moved") { try await ids(house, "queue") == moved }
        try await stage.tmux.press("x", "x", "x")
        moved.removeSubrange(21...23)
        try await house.until("three are out") { try await ids(house, "queue") == moved }
        try await stage.sees("446 tracks")
        #expect(try await house.ctl("logout").status == 0)
        try await stage.tmux.press("1")
        try await stage.sees("not signed in: `nyanctl login`")
        try await stage.tmux.press("q")
        try await stage.isGivenBack()
    }
}
