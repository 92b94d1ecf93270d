import FoundationEssentials
import Glibc
import NyanDBus
import NyanTestKit
import Testing

/// Playlists, recommendations, lyrics and the status, with the real programs.
@Suite("Playlists and lyrics, whole", .serialized, .timeLimit(.minutes(4)))
struct PlaylistTests {
    struct Row: Decodable { let id: String, title: String, count: Int, kept: Bool }
    struct Words: Decodable {
        struct Line: Decodable { let begin: Int?, text: String }
        let id: String, timed: Bool, lines: [Line]
    }

    private func signedIn(_ settings: String = "") async throws -> House {
        let house = try await House(settings: "[vk]\nmin-interval-ms=20\n" + settings)
        try await house.control(#"{"cmd":"set","rate-limit":0}"#)
        try await house.startDaemon()
        try await house.signIn()
        return house
    }

    private func titles(_ house: House) async throws -> [String: Row] {
        let rows = try await house.ctl("--json", "playlists").decoded([Row].self)
        return Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    @Test("own, followed, generated and foreign playlists open, and all of it is there offline from a cold start")
    func reading() async throws {
        let house = try await signedIn()
        let lists = try await titles(house)
        #expect(lists["123456_90005"]?.count == 300 && lists["123456_-21"] != nil && lists["123456_90007"] != nil)
        let long = try await house.ctl("--json", "playlist", "123456_90005").decoded([TrackRow].self)
        #expect(long.count == 300 && Set(long.map(\.id)).count == 300)
        #expect(try await house.ctl("--json", "playlist", "123456_90007").decoded([TrackRow].self).count == 3)
        #expect(try await house.ctl("playlist", "123456_-21").output.split(separator: "\n").count == 10)
        let key = try await house.fetch("/_playlists/77")
        let found = try JSONDecoder().decode([[String: Loose]].self, from: Data(key.utf8))
        let secret = try #require(found.first { $0["id"]?.text == "77_70001" }?["key"]?.text)
        let address = "https://m.vk.com/audios77?z=audio_playlist77_70001%2F\(secret)"
        #expect(try await house.ctl("playlist", address).output.split(separator: "\n").count == 3)
        let refused = try await house.ctl("playlist", "77_70009")
        #expect(refused.status == 5 && refused.errors.contains("no such playlist"))
        #expect(try await house.ctl("playlist", "123456_90004").errors == "the playlist is empty\n")
        await house.stopServer()
        house.daemon?.send(SIGKILL)
        _ = await house.daemon?.status()
        try await house.startDaemon()
        #expect(try await house.ctl("offline", "on").status == 0)
        let offline = try await house.ctl("--json", "playlists")
        #expect(offline.errors.isEmpty)
        #expect(try offline.decoded([Row].self).count == lists.count)
        let again = try await house.ctl("--json", "playlist", "123456_90005").decoded([TrackRow].self)
        #expect(again.map(\.id) == long.map(\.id))
        #expect(try await house.ctl("playlist", "77_70001").output.split(separator: "\n").count == 3)
        #expect(try await house.ctl("playlist", "123456_90006").status == 6, "never read")
        #expect(try await house.ctl("offline", "off").status == 0)
        let silent = try await house.ctl("playlists")
        #expect(silent.status == 0 && silent.errors.hasPrefix("shown as it was read last"), "\(silent.errors)")
    }

    @Test("a playlist is made, filled, renamed, emptied and deleted; nothing is made twice after lost answers")
    func changing() async throws {
        let house = try await signedIn()
        try await house.control(#"{"cmd":"inject","method":"audio.createPlaylist","reset":"headers","times":1}"#)
        let made = try await house.ctl("playlist", "create", "Новый", "список")
        #expect(made.status == 0, "\(made.errors)")
        let id = String(made.output.dropLast())
        #expect(try await titles(house).values.count { $0.title == "Новый список" } == 1)
        try await house.control(#"{"cmd":"inject","method":"audio.addToPlaylist","reset":"headers","times":1}"#)
        let ids = ["123456_456239998", "123456_456239990", "123456_456239999"]
        let added = try await house.ctl("playlist", "add", id, ids[0], ids[1], ids[2], ids[0])
        #expect(added.errors == "3 tracks added\n" && added.status == 0)
        #expect(try await house.ctl("playlist", "add", id, ids[1]).errors.hasPrefix("0 tracks added"))
        #expect(try await house.ctl("--json", "playlist", id).decoded([TrackRow].self).map(\.id) == ids)
        #expect(try await house.ctl("playlist", "rename", id, "Другой").status == 0)
        #expect(try await titles(house)[id]?.title == "Другой")
        #expect(try await house.ctl("playlist", id).output.split(separator: "\n").count == 3)
        #expect(try await house.ctl("playlist", "remove", id, "2").errors == "1 track removed\n", "a row")
        #expect(try await house.ctl("--json", "playlist", id).decoded([TrackRow].self).map(\.id) == [ids[0], ids[2]])
        #expect(try await house.ctl("playlist", "delete", id).errors == "“Другой” is deleted; its tracks stay\n")
        #expect(try await titles(house)[id] == nil)
        let unfollowed = try await house.ctl("playlist", "delete", "123456_90007")
        #expect(unfollowed.errors.contains("you follow it no more"), "\(unfollowed.errors)")
        #expect(try await house.ctl("playlist", "rename", "123456_90008", "x").status == 1)
        #expect(try await house.ctl("playlist", "delete", "123456_-21").status == 1)
    }

    @Test("a login without the list's method keeps the rest; an empty answer empties nothing")
    func missingMethod() async throws {
        let house = try await signedIn()
        _ = try await titles(house)
        try await house.control(#"{"cmd":"inject","method":"audio.getPlaylists","code":3,"times":50}"#)
        let list = try await house.ctl("playlists")
        #expect(list.status == 0 && list.errors.contains("from this login's client"), "\(list.errors)")
        #expect(try await house.ctl("playlist", "123456_90001").output.split(separator: "\n").count == 5)
        #expect(try await house.status().problem == nil)
        try await house.control(
            #"{"cmd":"inject","method":"audio.get","body":"{\"response\":{\"count\":0,\"items\":[]}}","times":2}"#)
        let kept = try await house.ctl("playlist", "123456_90001")
        #expect(kept.output.split(separator: "\n").count == 5 && kept.errors.contains("suddenly shows no track"))
    }

    @Test("lyrics, plain and timed, are known offline, also that there are none; recommendations play")
    func lyrics() async throws {
        let house = try await signedIn()
        let timed = try await house.ctl("--json", "lyrics", "123456_456239999").decoded(Words.self)
        #expect(timed.timed && timed.lines.allSatisfy { $0.begin != nil } && timed.lines.count > 1)
        let plain = try await house.ctl("lyrics", "123456_456239998")
        #expect(plain.status == 0 && plain.output.contains("\n\n"), "an empty line stays: \(plain.output)")
        #expect(try await house.ctl("lyrics", "123456_456239997").status == 5)
        let found = try await house.ctl("--json", "recommendations", "123456_456239999").decoded([TrackRow].self)
        #expect(!found.isEmpty)
        try await house.control(#"{"cmd":"set","recommendations-shape":"audios"}"#)
        let merged = try await house.ctl("--json", "recommendations", "123456_456239999").decoded([TrackRow].self)
        #expect(merged.map(\.id) == found.map(\.id))
        await house.stopServer()
        #expect(try await house.ctl("lyrics", "123456_456239998").output == plain.output)
        #expect(try await house.ctl("lyrics", "123456_456239997").status == 5)
    }

    /// The track that the look-alike's status shows.
    private func shown(_ house: House) async throws -> String? {
        let page = try await house.fetch("/_broadcast")
        let answer = try JSONDecoder().decode(Broadcast.self, from: Data(page.utf8))
        return answer.audio
    }

    private struct Broadcast: Decodable { let audio: String? }

    @Test("lyrics --follow prints a line a second, and the VK status shows the track until the daemon ends")
    func followed() async throws {
        let house = try await signedIn("[vk]\nbroadcast=true\n")
        let follower = try Program(
            [House.programs + "/nyanctl", "lyrics", "--follow", "--json"], environment: house.environment)
        #expect(try await house.ctl("play", "123456_\(456_240_000 - 35)").status == 0)
        struct Line: Decodable { let id: String, begin: Int? }
        var begins: [Int] = []
        var late: [Int] = []
        while begins.count < 4, let line = await follower.line() {
            let position = try await house.property("Position").int64 ?? 0
            let sung = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
            #expect(sung.id == "123456_\(456_240_000 - 35)")
            begins.append(sung.begin ?? -1)
            late.append(Int(position / 1000) - (sung.begin ?? 0))
        }
        #expect(begins == begins.sorted() && Set(begins).count == 4)
        // None comes before its time. What others come later than the first in time is the machine's.
        #expect(late.allSatisfy { $0 > -200 } && late.contains { $0 < 1000 }, "\(late)")
        try await house.until("the status shows it") { try await shown(house) == "123456_\(456_240_000 - 35)" }
        follower.send(SIGTERM)
        house.daemon?.send(SIGTERM)
        #expect(await house.daemon?.status() == 0)
        #expect(try await shown(house) == nil)
    }
}
