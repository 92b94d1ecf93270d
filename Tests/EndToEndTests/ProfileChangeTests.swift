import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// Changing the profile with the real programs: at once, linked, and never twice.
@Suite("Profile changes", .serialized, .timeLimit(.minutes(3)))
struct ProfileChangeTests {
    struct Row: Decodable, Equatable {
        let id: String, title: String, artist: String, added: Bool, downloaded: Bool
        let path: String?, available: Bool, unavailableReason: String?
    }

    private func rows(_ house: House, _ words: String...) async throws -> [Row] {
        let arguments = [House.programs + "/nyanctl", "--json"] + words
        return try await Program(arguments, environment: house.environment).outcome().decoded([Row].self)
    }

    /// How many rows of VK's own list have this title.
    private func atVK(_ title: String, _ house: House) async throws -> Int {
        struct Listed: Decodable { let id: String, title: String }
        let list = try JSONDecoder().decode([Listed].self, from: Data(try await house.fetch("/_library").utf8))
        return list.count { $0.title == title }
    }

    private func calls(_ method: String, _ house: House) async throws -> Int {
        try await house.requests().count { $0.method == method }
    }

    @Test("a downloaded track that is added stays downloaded, under both ids; its file is played and deleted by either")
    func linked() async throws {
        let house = try await House()
        try await house.hurry()
        try await house.startDaemon()
        try await house.signIn()
        let found = try await rows(house, "search", "Found", "Song", "--count", "3")
        let foreign = found[0].id
        #expect(!found[0].added)
        // By row, so that the key travels along.
        _ = try await house.ctl("search", "Found", "Song", "--count", "3")
        #expect(try await house.ctl("download", "1", "--wait").status == 0)
        let add = try await house.ctl("add", "1")
        #expect(add.status == 0 && add.output.isEmpty && add.errors == "added to the profile\n")
        let copy = try #require(try await rows(house, "profile").first)
        #expect(copy.id.hasPrefix("123456_") && copy.id != foreign && copy.title == found[0].title)
        #expect(copy.added && copy.downloaded)
        let again = try await rows(house, "search", "Found", "Song", "--count", "30")
        #expect(again.first { $0.id == foreign }.map { $0.added && $0.downloaded && $0.path == copy.path } == true)
        #expect(try await house.ctl("add", "1").errors == "already in the profile\n")
        #expect(try await house.ctl("add", "https://vk.com/audio\(copy.id)").errors == "already in the profile\n")
        let wait = try await house.ctl("download", copy.id, "--wait")
        #expect(wait.status == 0 && wait.errors == "already there\n", "\(wait.output)")
        try await house.ctl("repeat", "track")
        // Played from disk: VK is asked for nothing.
        try await house.control(#"{"cmd":"clear-log"}"#)
        #expect(try await house.ctl("play", copy.id).status == 0)
        _ = try await house.reached("playing")
        #expect(try await house.requests().isEmpty)
        #expect(try await house.ctl("sync").output.hasPrefix("451 tracks, 0 new, 0 removed"))
        #expect(try await house.ctl("delete", copy.id).status == 0)
        #expect(try await rows(house, "music").isEmpty)
        #expect(access(try #require(copy.path), F_OK) != 0)
    }

    @Test("one that VK does not know keeps no other from being added; removing what is not there ends with 5")
    func unknownAmongOthers() async throws {
        let house = try await House()
        try await house.hurry()
        try await house.startDaemon()
        try await house.signIn()
        _ = try await house.ctl("search", "Found", "Song", "--count", "3")
        let add = try await house.ctl("add", "1", "-9_987654321", "2")
        #expect(add.status == 1 && add.errors.hasPrefix("2 of 3 added to the profile\n"), "\(add.errors)")
        #expect(add.errors.contains("VK knows no track -9_987654321"))
        let none = try await house.ctl("remove", "-9_987654321", "-9_987654322")
        #expect(none.status == 5 && none.errors == "nyanctl: none of them is in your profile\n")
        #expect(try await house.ctl("remove", "-9_987654321").status == 5)
    }

    @Test("like saves the current track once; remove takes it off at once, by the foreign id too; restore puts it back")
    func likeAndRemove() async throws {
        let house = try await House()
        try await house.hurry()
        try await house.startDaemon()
        try await house.signIn()
        #expect(try await house.ctl("like").status == 5)
        _ = try await house.ctl("search", "Found", "Song", "--count", "3")
        // The one that plays is the one that is liked, however long that takes.
        try await house.ctl("repeat", "track")
        #expect(try await house.ctl("play", "2").status == 0)
        let foreign = try #require(try await house.reached("playing").track?.id)
        #expect(try await house.ctl("like").errors == "added to the profile\n")
        try await house.until("the status tells") {
            try await house.ctl("--json", "status").output.contains("\"added\":true")
        }
        #expect(try await house.ctl("like").errors == "already in the profile\n")
        #expect(try await calls("audio.add", house) == 1)
        // Off by the id it was found under, and back.
        #expect(try await house.ctl("remove", foreign).status == 0)
        #expect(try await rows(house, "profile").count == 450)
        #expect(try await house.ctl("restore", foreign).errors == "it is in the profile again, in its place\n")
        // One from the middle, by its row.
        let before = try await rows(house, "profile").map(\.id)
        _ = try await house.ctl("profile")
        #expect(try await house.ctl("remove", "200").errors.contains("nyanctl restore \(before[199])"))
        var rest = before
        rest.remove(at: 199)
        #expect(try await rows(house, "profile").map(\.id) == rest)
        #expect(try await house.ctl("restore", "200").status == 0)
        #expect(try await rows(house, "profile").map(\.id) == before)
        #expect(try await house.ctl("sync").output.hasPrefix("451 tracks, 0 new, 0 removed"))
        #expect(try await rows(house, "profile").map(\.id) == before)
        // Once VK has forgotten it.
        #expect(try await house.ctl("remove", "200").status == 0)
        try await house.control(#"{"cmd":"clock","advance":1300}"#)
        let late = try await house.ctl("restore", "200")
        #expect(late.status == 5 && late.errors.contains("too late") && late.errors.contains("add it again"))
    }

    @Test("an addition whose answer was lost makes one copy, whether VK acted or not, also over kill -9")
    func lostAnswers() async throws {
        let house = try await House()
        try await house.hurry()
        let daemon = try await house.startDaemon()
        try await house.signIn()
        let found = try await rows(house, "search", "Found", "Song", "--count", "9")
        for (place, how) in [#""body":"html","act":true"#, #""reset":"before""#].enumerated() {
            try await house.control(#"{"cmd":"inject","method":"audio.add",\#(how)}"#)
            let add = try await house.ctl("add", found[place].id)
            #expect(add.status == 0, "\(how): \(add.errors)")
            #expect(try await atVK(found[place].title, house) == 1, "\(how)")
            #expect(try await rows(house, "profile").first?.title == found[place].title)
        }
        // VK acts, and the daemon dies before it hears of it.
        try await house.control(#"{"cmd":"inject","method":"audio.add","delay":20}"#)
        let lost = try Program(
            [House.programs + "/nyanctl", "add", found[5].id], environment: house.environment)
        try await house.until("VK has acted") { try await atVK(found[5].title, house) == 1 }
        daemon.send(SIGKILL)
        _ = await daemon.status()
        _ = await lost.status()
        try await house.startDaemon()
        #expect(try await house.ctl("add", found[5].id).status == 0)
        #expect(try await atVK(found[5].title, house) == 1)
    }

    @Test("many are added in their order, slowly; VK's flood control ends it, and what was done is told")
    func many() async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        _ = try await house.ctl("search", "Found", "Song", "--count", "9")
        #expect(try await house.ctl("add", "3", "4").errors == "2 of 2 added to the profile\n")
        try await house.control(#"{"cmd":"inject","method":"audio.add","code":9,"skip":1}"#)
        let stopped = try await house.ctl("add", "1", "2", "3", "4")
        #expect(stopped.status == 6)
        #expect(stopped.errors.hasPrefix("1 of 4 added to the profile, 2 already there\n"), "\(stopped.errors)")
        #expect(stopped.errors.contains("flood control"))
        let titles = try await rows(house, "profile").prefix(3).map(\.title)
        #expect(titles == (2...4).map { "Found Song 0\($0)" })
        let times = try await house.requests().filter { $0.kind == "api" }.map(\.time).sorted()
        #expect(zip(times, times.dropFirst(3)).allSatisfy { $1 - $0 >= 1 }, "never more than three in a second")
    }
}
