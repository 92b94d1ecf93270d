import FoundationEssentials
import NyanTestKit
import Testing

/// Other people's music, and what VK cannot give.
@Suite("People and availability", .serialized, .timeLimit(.minutes(3)))
struct PeopleTests {
    private struct Person: Decodable { let id: Int64, name: String, screenName: String?, canListen: Bool }

    @Test("friends and groups tell whose music can be listed, also offline; an owner is named in any way")
    func people() async throws {
        let house = try await House()
        try await house.hurry()
        try await house.startDaemon()
        try await house.signIn()
        let friends = try await house.ctl("--json", "friends").decoded([Person].self)
        #expect(friends.first { $0.id == 77 }?.canListen == true)
        #expect(friends.first { $0.id == 18 }?.canListen == false)
        let groups = try await house.ctl("--json", "groups").decoded([Person].self)
        #expect(groups.contains { $0.id == -88 && $0.canListen })
        for owner in ["open_friend", "https://vk.com/id77", "m.vk.ru/audios77"] {
            let listed = try await house.ctl("--json", "profile", "--owner", owner).decoded([TrackRow].self)
            #expect(listed.count == 5 && listed.allSatisfy { $0.id.hasPrefix("77_") }, "\(owner)")
        }
        for owner in ["-88", "https://vk.com/open_group"] {
            let listed = try await house.ctl("--json", "profile", "--owner", owner).decoded([TrackRow].self)
            #expect(listed.count == 5, "\(owner)")
        }
        for (owner, words) in [("201", "does not show"), ("30", "private"), ("18", "deleted"), ("-15", "denies")] {
            let refused = try await house.ctl("profile", "--owner", owner)
            #expect(refused.status == 1 && refused.errors.contains(words), "\(owner): \(refused.errors)")
        }
        #expect(try await house.ctl("profile", "--owner", "nobody_at_all").status == 5)
        #expect(try await house.ctl("profile", "--owner", "https://example.org/x").status == 2)
        #expect(try await house.status().problem == nil)
        #expect(try await house.ctl("offline", "on").status == 0)
        #expect(try await house.ctl("--json", "friends").decoded([Person].self).count == friends.count)
        #expect(try await house.ctl("friends").output.contains("✗ closed profile"))
    }

    private func row(_ place: Int, _ house: House) async throws -> ProfileChangeTests.Row {
        let rows = try await house.ctl("--json", "profile").decoded([ProfileChangeTests.Row].self)
        return try #require(rows.first { $0.id == "123456_\(456_240_000 - place)" })
    }

    @Test("what has no sound is told with its reason, asked about once by id, and is back when VK gives it again")
    func availability() async throws {
        let house = try await House()
        try await house.hurry()
        try await house.startDaemon()
        try await house.signIn()
        let rows = try await house.ctl("--json", "profile").decoded([ProfileChangeTests.Row].self)
        let gone = rows.filter { !$0.available }.map { 456_240_000 - (Int($0.id.dropFirst(7)) ?? 0) }
        #expect(gone == [16, 17, 19, 20])
        #expect(rows.filter { !$0.available }.allSatisfy { $0.unavailableReason?.isEmpty == false })
        #expect(try await house.resolves() == 1, "all doubtful ones of a page in one call")
        #expect(try await house.ctl("profile", "Half").output.contains("✗ VK gives only a short sample"))
        // A kept one and a streamed one lose their sound.
        let kept = "123456_456239999"
        #expect(try await house.ctl("download", kept, "--wait").status == 0)
        for place in [1, 2] {
            try await house.control(
                #"{"cmd":"track","id":"123456_\#(456_240_000 - place)","link":"empty","restricted":6}"#)
        }
        #expect(try await house.ctl("sync").errors.contains("6 of them unavailable"))
        #expect(try await row(1, house).unavailableReason?.contains("restricts") == true)
        #expect(try await row(2, house).available == false)
        #expect(try await house.ctl("profile", "HLS").output.contains("✗"))
        #expect(try await house.ctl("play", "123456_456239998", kept).status == 0)
        let playing = try await house.reached("playing")
        #expect(playing.track?.id == kept, "the one that cannot be had is skipped, the file plays")
        for place in [1, 2] {
            try await house.control(
                #"{"cmd":"track","id":"123456_\#(456_240_000 - place)","link":"signed","restricted":0}"#)
        }
        #expect(try await house.ctl("sync").errors.contains("4 of them unavailable"))
        #expect(try await row(2, house).available)
    }

    @Test("titles come whole and clean, and a search goes on beyond 300")
    func titlesAndSearch() async throws {
        let house = try await House()
        try await house.hurry()
        try await house.startDaemon()
        try await house.signIn()
        #expect(try await row(3, house).artist == "Simon & Гарфункель")
        #expect(try await row(7, house).title.count == 500)
        #expect(try await row(8, house).artist.isEmpty)
        #expect(try await house.ctl("profile").output.contains("Unknown – "))
        let controls = try await row(30, house)
        #expect((controls.artist + controls.title).unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
        let found = try await house.ctl("--json", "search", "Песня", "--count", "380").decoded([TrackRow].self)
        #expect(found.count == 380 && Set(found.map(\.id)).count == 380)
        #expect(try await house.ctl("search", "x", "--count", "1001").status == 2)
    }
}

extension House {
    /// Lets calls to VK follow one another at once; before the daemon is started, where the pace is not what is tested.
    func hurry() async throws {
        let path = home + "/config/nyand/nyand.conf"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing("min-interval-ms=400", with: "min-interval-ms=0")
            .write(toFile: path, atomically: true, encoding: .utf8)
        try await control(#"{"cmd":"set","rate-limit":0}"#)
    }
}
