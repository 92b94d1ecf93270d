import NyanCore
import Testing

@testable import NyanNet

/// What a playlist may say that no server would, and nyand must live through.
@Suite("Playlists with absurd addresses and numbers", .timeLimit(.minutes(1)))
struct RefusedAddressTests {
    let server: LocalServer
    let fixture: SoundFixture
    private let refused = "http://127.0.0.1:99999/a.ts"

    init() async throws {
        server = try LocalServer()
        fixture = try await SoundFixture.inDirectory(of: server.root)
    }

    private func fetch(_ name: String, _ lines: [String]) async throws -> (Attempt, MemoryCopy) {
        let text = (["#EXTM3U"] + lines + [""]).joined(separator: "\n")
        try SoundFixture.write(text, "\(server.root)/hls/\(name).m3u8")
        let copy = MemoryCopy()
        return (await attempt(server.location("dir/hls/\(name).m3u8"), into: copy), copy)
    }

    @Test("A segment at an address libcurl refuses ends the attempt in words", arguments: [0, 1, 3])
    func segment(place: Int) async throws {
        var lines = fixture.durations.prefix(4).enumerated().flatMap { ["#EXTINF:\($1),", "plain-\($0).ts"] }
        lines[2 * place + 1] = refused
        let (attempt, copy) = try await fetch("refused-\(place)", lines + ["#EXT-X-ENDLIST"])
        #expect(attempt.failure != nil && !copy.isComplete)
    }

    @Test("So does a key, a variant and the sound itself")
    func others() async throws {
        let segment = ["#EXTINF:\(fixture.durations[0]),", "seg-1.ts", "#EXT-X-ENDLIST"]
        let key = try await fetch("refused-key", ["#EXT-X-KEY:METHOD=AES-128,URI=\"\(refused)\""] + segment)
        #expect(key.0.failure != nil)
        let variant = try await fetch("refused-variant", ["#EXT-X-STREAM-INF:BANDWIDTH=9", refused])
        #expect(variant.0.failure != nil)
        #expect(await attempt(Location(url: Secret(refused)), into: MemoryCopy()).failure != nil)
    }

    @Test("Next to no seconds for what is there make no estimate", arguments: ["0.0000000000001", "0", "1e-300"])
    func seconds(first: String) async throws {
        var lines = fixture.durations.enumerated().flatMap { ["#EXTINF:\($1),", "plain-\($0).ts"] }
        lines[0] = "#EXTINF:\(first),"
        let (attempt, copy) = try await fetch("tiny\(first)", lines + ["#EXT-X-ENDLIST"])
        #expect(attempt.isFinished && copy.bytes == fixture.sound)
    }
}
