import Glibc
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// What a new user does first, with the real programs.
@Suite("First steps", .serialized, .timeLimit(.minutes(4)))
struct FirstStepsTests {
    @Test("signing in, syncing and listing show the profile in VK's order")
    func profile() async throws {
        let house = try await House()
        try await house.startDaemon()
        let login = try await house.ctl("login", "--token", input: house.token + "\n")
        #expect(login.status == 0, "\(login.errors)")
        #expect(login.output.contains("453 tracks"))
        let sync = try await house.ctl("sync")
        #expect(sync.output.hasPrefix("450 tracks, 450 new, 0 removed"))
        let again = try await house.ctl("sync")
        #expect(again.output.hasPrefix("450 tracks, 0 new, 0 removed"))
        let rows = try await house.ctl("--json", "profile").decoded([TrackRow].self)
        #expect(rows.count == 450)
        #expect(rows.first?.id == "123456_456239999")
        #expect(rows.last?.id == "123456_456239550")
        let me = try await house.ctl("--json", "whoami")
        #expect(me.output.contains("\"id\":123456"))
    }

    @Test("a refused token stores nothing, changes nothing and says why")
    func refusedToken() async throws {
        let house = try await House()
        try await house.startDaemon()
        let refused = try await house.ctl("login", "--token", input: "not-a-token")
        #expect(refused.status == 4)
        #expect(!refused.errors.contains("not-a-token"))
        #expect(try await house.ctl("whoami").status == 4)
        #expect(try await house.ctl("sync").status == 4)
        #expect(try await house.status().signedIn == false)
    }

    @Test("logging out forgets the account and the profile, and survives a restart")
    func logout() async throws {
        let house = try await House()
        let daemon = try await house.startDaemon()
        try await house.signIn()
        #expect(try await house.ctl("logout").status == 0)
        #expect(try await house.ctl("profile").status == 4)
        daemon.send(SIGTERM)
        #expect(await daemon.status() == 0)
        try await house.startDaemon()
        #expect(try await house.ctl("whoami").status == 4)
    }

    @Test("a track streams: the state, the clock and MPRIS agree", arguments: ["123456_456239999", "123456_456239998"])
    func streams(id: String) async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        // Four seconds are soon over.
        try await house.ctl("repeat", "track")
        #expect(try await house.ctl("play", id).status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
        try await house.until("the clock runs") { try await house.status().position > 0.5 }
        let metadata = try await house.property("Metadata").dictionary ?? [:]
        #expect(metadata["xesam:url"]?.string == "https://vk.com/audio\(id)")
        #expect(metadata["mpris:length"]?.int64 ?? 0 > 1_000_000)
        #expect(try await house.property("PlaybackStatus").string == "Playing")
        #expect(try await house.ctl("pause").status == 0)
        #expect(try await house.property("PlaybackStatus").string == "Paused")
    }

    @Test("search finds tracks of all of VK, and a row of it plays")
    func search() async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        let found = try await house.ctl("search", "Found", "Song", "--count", "5")
        #expect(found.status == 0, "\(found.errors)")
        #expect(found.output.split(separator: "\n").count == 5)
        #expect(try await house.ctl("play", "2").status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
        let status = try await house.status()
        #expect(status.queue.length == 5)
        #expect(status.queue.position == 2)
    }

    @Test("seeking forth, back and past what was fetched lands where it was asked to", arguments: [36, 35])
    func seeking(place: Int) async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        try await house.control(#"{"cmd":"set","bandwidth":60000}"#)
        #expect(try await house.ctl("play", "123456_\(456_240_000 - place)").status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
        for target in [25.0, 5.0] {
            #expect(try await house.ctl("seek", "\(Int(target))").status == 0)
            // The other target is twenty seconds away.
            let there = ((target - 0.1)...(target + 12))
            try await house.until("it is at \(target) s") {
                let status = try await house.status()
                return status.state == "playing" && there.contains(status.position)
            }
        }
    }
}

extension House {
    /// A property of the MPRIS player.
    func property(_ name: String) async throws -> BusValue {
        let reply = try await connection.call(
            destination: Names.mpris, path: Names.mprisPath, interface: "org.freedesktop.DBus.Properties",
            member: "Get",
            args: [.string(PlayerInterface.name), .string(name)])
        return try #require(reply.first)
    }
}
