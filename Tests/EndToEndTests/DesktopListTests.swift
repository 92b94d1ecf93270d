import Glibc
import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// MPRIS' playlists and track list, and who is told of what came late or jumped, with the real programs.
@Suite("A desktop's lists, whole", .serialized, .timeLimit(.minutes(3)))
struct DesktopListTests {
    /// Signals of MPRIS as they come.
    private final class Ear {
        var metadata: [BusValue] = []
        var seeked: [Int64] = []
        var lists = 0
        private var subscription: Subscription?

        init(_ house: House) throws {
            subscription = try house.connection.subscribe(MatchRule(sender: Names.mpris, path: Names.mprisPath)) {
                [weak self] message in
                guard let self, let values = try? message.values() else { return }
                if message.member == "Seeked" { seeked.append(values[0].int64 ?? -1) }
                if message.member == "TrackListReplaced" { lists += 1 }
                if message.member == "PropertiesChanged", let map = values[1]["Metadata"] { metadata.append(map) }
            }
        }
    }

    private func get(_ house: House, _ interface: String, _ property: String) async throws -> BusValue? {
        try await call(house, "org.freedesktop.DBus.Properties", "Get", .string(interface), .string(property)).first?
            .unwrapped
    }

    @discardableResult
    private func call(
        _ house: House, _ interface: String, _ member: String, _ arguments: BusValue...
    ) async throws -> [BusValue] {
        try await house.connection.call(
            destination: Names.mpris, path: Names.mprisPath, interface: interface, member: member, args: arguments,
            timeout: .seconds(20))
    }

    private func active(_ house: House) async throws -> String? {
        let value = try await get(house, PlaylistsInterface.name, "ActivePlaylist")
        return value?[0]?.bool == true ? value?[1]?[1]?.string : nil
    }

    @Test("a panel finds VK's playlists and starts one; what plays is still known after kill -9")
    func playlists() async throws {
        let house = try await House(settings: "[vk]\nmin-interval-ms=20\n")
        try await house.startDaemon()
        let alone = try await get(house, PlaylistsInterface.name, "PlaylistCount")
        #expect(alone == .uint32(1))
        try await house.signIn()
        let look: () async throws -> [BusValue] = {
            try await call(
                house, PlaylistsInterface.name, "GetPlaylists", .uint32(0), .uint32(50), .string("User"),
                .bool(false))[0].elements ?? []
        }
        try await house.until("the panel's look has brought VK's playlists") { try await look().count > 3 }
        let rows = try await look()
        #expect(rows.prefix(2).map { $0[1]?.string } == ["My Music", "Profile"])
        let path = PlaylistsInterface.path(of: .playlist(PlaylistID(owner: 123_456, number: 90_007)))
        let row = try #require(rows.first { $0[0]?.objectPath == path })
        try await call(house, PlaylistsInterface.name, "ActivatePlaylist", .objectPath(path))
        #expect(try await house.status().queue.length == 3)
        #expect(try await active(house) == row[1]?.string)
        let tracks = try await get(house, TrackListInterface.name, "Tracks")
        let known = try await call(house, TrackListInterface.name, "GetTracksMetadata", try #require(tracks))
        #expect(known[0].elements?.count == 3)
        house.daemon?.send(SIGKILL)
        _ = await house.daemon?.status()
        try await house.startDaemon()
        try await house.until("the origin of the queue is read") { try await active(house) == row[1]?.string }
        #expect(try await house.ctl("queue", "clear").status == 0)
        #expect(try await active(house) == nil)
    }

    @Test("a cover that comes late is told with the same trackid; every jump is told once, whoever made it")
    func lateAndJumping() async throws {
        let house = try await House(settings: "[vk]\nmin-interval-ms=20\n")
        try await house.control(
            #"{"cmd":"track","id":"123456_456239999","media":"long","hls":false,"duration":40}"#)
        try await house.startDaemon()
        try await house.signIn()
        let ear = try Ear(house)
        #expect(try await house.ctl("play", "123456_456239999", "123456_456239998").status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
        try await house.until("the cover is told") { ear.metadata.last?["mpris:artUrl"] != nil }
        #expect(Set(ear.metadata.compactMap { $0["mpris:trackid"]?.objectPath }).count == 1)
        #expect(ear.metadata.count > 1 && ear.metadata.first?["mpris:artUrl"] == nil && ear.lists == 1)
        try await house.until("what came with the start is over") { try await house.status().position > 0.3 }
        ear.seeked = []
        // The engine's word about where it came to: within a few frames of what was asked for.
        let steps: [(words: [String], ClosedRange<Int64>)] = [
            (["seek", "5"], 5_000_000...5_300_000), (["prev"], 0...300_000), (["seek", "+4"], 4_000_000...7_000_000),
        ]
        for (place, (words, position)) in steps.enumerated() {
            let program = [House.programs + "/nyanctl"] + words
            let begun = ContinuousClock.now
            #expect(try await Program(program, environment: house.environment).outcome().status == 0)
            try await house.until("the jump of \(words) is told") { ear.seeked.count > place }
            // What plays has moved on until the engine tells it: on a busy machine by more than a few frames.
            let moved = Int64((ContinuousClock.now - begun) / .microseconds(1))
            #expect(ear.seeked.count == place + 1, "\(ear.seeked)")
            #expect((position.lowerBound...position.upperBound + moved).contains(ear.seeked[place]), "\(ear.seeked)")
        }
        let current = try #require(ear.metadata.last?["mpris:trackid"])
        let begun = ContinuousClock.now
        try await call(house, PlayerInterface.name, "SetPosition", current.unwrapped, .int64(2_000_000))
        try await house.until("a panel's jump is told") { ear.seeked.count == 4 }
        let moved = Int64((ContinuousClock.now - begun) / .microseconds(1))
        #expect((2_000_000...2_300_000 + moved).contains(ear.seeked.last ?? 0), "\(ear.seeked)")
        // Whoever asks after the restart is told the place that was restored, and play goes on there.
        let sought = ContinuousClock.now
        #expect(try await house.ctl("seek", "7").status == 0)
        #expect(try await house.ctl("pause").status == 0)
        let played = Int64((ContinuousClock.now - sought) / .microseconds(1))
        #expect(try await house.ctl("volume", "50").status == 0)
        house.daemon?.send(SIGKILL)
        _ = await house.daemon?.status()
        try await house.startDaemon()
        let restored = try await get(house, PlayerInterface.name, "Position")?.int64 ?? -1
        #expect((7_000_000...7_300_000 + played).contains(restored), "\(restored)")
        let resumed = ContinuousClock.now
        #expect(try await house.ctl("play").status == 0)
        try await house.until("it goes on") { try await house.status().state == "playing" }
        let later = try await get(house, PlayerInterface.name, "Position")?.int64 ?? -1
        let most = restored + 300_000 + Int64((ContinuousClock.now - resumed) / .microseconds(1))
        #expect(later >= restored && later <= most, "\(later)")
    }
}
