import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// What was streamed once, as a listener without network meets it.
@Suite("Stream cache", .serialized, .timeLimit(.minutes(3)))
struct CacheTests {
    /// Four seconds; 192 kbit/s for 40 s; six seconds from a playlist.
    private let direct = "123456_456239999"
    private let long = "123456_456239965"
    private let segmented = "123456_456239998"

    private func house(cache: String = "1G") async throws -> House {
        let house = try await House(settings: "[cache]\nsize=\(cache)")
        try await house.startDaemon()
        try await house.signIn()
        return house
    }

    /// Streams a track until all of it is there.
    private func stream(_ house: House, _ track: String) async throws {
        #expect(try await house.ctl("play", track).status == 0)
        try await house.until("all of \(track) is there") {
            let status = try await house.status()
            return status.track?.id == track && status.state == "playing" && status.buffered == 1
        }
        #expect(try await house.press("Stop") < House.atOnce)
    }

    private func restart(_ house: House) async throws {
        house.daemon?.send(SIGTERM)
        #expect(await house.daemon?.status() == 0)
        try await house.startDaemon()
    }

    @Test("what was streamed plays from a cold start without any network, and in offline mode without a request")
    func withoutNetwork() async throws {
        let house = try await house()
        for track in [direct, segmented, long] { try await stream(house, track) }
        #expect(try await house.ctl("offline", "on").status == 0)
        try await restart(house)
        let before = try await house.requests().count
        for track in [direct, segmented, long] {
            #expect(try await house.ctl("play", track).status == 0)
            let status = try await house.sounds(beyond: 0.1)
            #expect(status.track?.id == track && status.buffered == 1 && status.problem == nil)
        }
        #expect(try await house.requests().count == before)
        #expect(try await house.ctl("offline", "off").status == 0)
        await house.stopServer()
        try await restart(house)
        for track in [direct, segmented, long] {
            #expect(try await house.ctl("play", track).status == 0)
            let status = try await house.sounds(beyond: 0.1)
            #expect(status.track?.id == track && status.problem == nil)
        }
    }

    static let damages: [(name: String, damage: @Sendable (inout Data) -> Void)] = [
        ("a flipped bit", { $0[$0.count / 2] ^= 1 }),
        ("zeroed", { $0 = Data(count: $0.count) }),
        ("truncated", { $0 = $0.prefix($0.count / 3) }),
        ("emptied", { $0 = Data() }),
        ("a web page", { $0 = Data("<!doctype html><html><body>gone</body></html>".utf8) }),
        ("noise", { data in data = Data((0..<data.count).map { UInt8(truncatingIfNeeded: $0 * 97) }) }),
    ]

    @Test("a copy that was damaged on disk is found out before it is heard, and is fetched anew", arguments: 0..<6)
    func damaged(_ index: Int) async throws {
        let (name, damage) = Self.damages[index]
        let house = try await house()
        for track in [long, segmented] {
            try await stream(house, track)
            let path = house.cachedCopy(of: track)
            let whole = try await house.digest(of: path)
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            damage(&bytes)
            try bytes.write(to: URL(fileURLWithPath: path))
            let before = try await house.mediaRequests(of: track).count
            try await stream(house, track)
            #expect(try await house.digest(of: path) == whole, "\(name) \(track)")
            #expect(try await house.mediaRequests(of: track).count > before, "\(name) \(track)")
        }
        if name != "emptied" { #expect(house.daemon?.errors.contains("were damaged and are fetched anew") == true) }
    }

    @Test("a damaged copy in offline mode is not played, and the reason says why")
    func damagedOffline() async throws {
        let house = try await house()
        try await stream(house, long)
        try await house.ctl("offline", "on")
        let path = house.cachedCopy(of: long)
        try Data(count: 961_723).write(to: URL(fileURLWithPath: path))
        #expect(try await house.ctl("play", long).status == 0)
        let status = try await house.reached("stopped")
        #expect(status.problem?.code == "offline" && status.position == 0)
    }

    @Test("the ceiling holds, least recently played first, also over a restart; what plays is never dropped")
    func ceiling() async throws {
        // Room for the long one and one short one.
        let house = try await house(cache: "1050k")
        try await stream(house, direct)
        try await stream(house, segmented)
        #expect(try house.cachedTracks() == [direct, segmented])
        // Played again over a restart: now the segmented one is the oldest.
        try await restart(house)
        try await stream(house, direct)
        try await stream(house, long)
        try await house.until("the oldest goes") { try house.cachedTracks() == [direct, long] }
        // Too small for anything: what plays and what stands at the restart stays.
        try house.writeSettings("[cache]\nsize=1k")
        #expect(try await house.ctl("play", long).status == 0)
        _ = try await house.sounds(beyond: 0.1)
        house.daemon?.send(SIGHUP)
        try await house.until("the others go") { try house.cachedTracks() == [long] }
        #expect(try await house.press("Pause") < House.atOnce)
        try await restart(house)
        _ = try await house.reached("paused")
        #expect(try house.cachedTracks() == [long])
    }
}
