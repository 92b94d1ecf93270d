import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

@testable import NyanService

@Suite("Playlists and lyrics on the bus", .timeLimit(.minutes(1)))
struct PlaylistFrontendTests {
    let desk = PlaylistRig()

    private func failure(_ line: Line, _ member: String, _ arguments: BusValue...) async -> Failure.Code? {
        do throws(BusError) {
            _ = try await line.call(member, arguments)
            return nil
        } catch {
            return FailureCoding.failure(error)?.code
        }
    }

    @Test("a list, its tracks and a change travel whole, and each change is told once")
    func playlists() async throws {
        try await desk.signIn()
        let mine = PlaylistRig.playlist(17)
        desk.source.put(mine, [track(1), track(2)])
        desk.source.recommended = [track(5)]
        let bus = try PrivateBus()
        let server = try Connection.open(.address(bus.address))
        let frontend = PlaylistsFrontend(playlists: desk.service, connection: server)
        let client = try Connection.open(.address(bus.address))
        try server.attach()
        try client.attach()
        try server.export(ExportedObject(at: Names.nyandPath, [(NyandInterfaces.playlists, frontend)]))
        var told = 0
        let subscription = try client.subscribe(
            MatchRule(sender: server.uniqueName, path: Names.nyandPath, member: "Changed")
        ) { _ in told += 1 }
        func call(_ member: String, _ arguments: BusValue...) async throws(BusError) -> [BusValue] {
            try await client.call(
                destination: server.uniqueName, path: Names.nyandPath, interface: NyandInterfaces.playlists.name,
                member: member, args: arguments, timeout: .seconds(10))
        }
        let list = try await call("List")
        #expect(PlaylistCoding.listed(list[0])?.map(\.playlist.title) == ["P17"] && list[1] == .string(""))
        let tracks = try await call("Tracks", .string("https://vk.com/music/playlist/1_17"), .string(""))
        #expect(TrackCoding.listedTracks(tracks[0])?.map(\.track.id) == [track(1).id, track(2).id])
        let filtered = try await call("Tracks", .string("1_17"), .string("Title 2"))
        #expect(TrackCoding.listedTracks(filtered[0])?.count == 1)
        #expect(told == 2)
        #expect(try await call("Add", .string("1_17"), .strings(["7_3", "7_1"])) == [.uint32(1)])
        #expect(try await call("Remove", .string("1_17"), .strings(["7_1"])) == [.uint32(1)])
        #expect(try await call("Rename", .string("1_17"), .string("Other")).isEmpty)
        #expect(try await call("Delete", .string("1_17")) == [.string("Other"), .bool(false)])
        let found = try await call("Recommendations", .string("7_1"))
        #expect(TrackCoding.listedTracks(found[0])?.map(\.track.id) == [track(5).id])
        _ = try await call("List")
        #expect(told >= 6)
        _ = subscription
    }

    @Test("what names no playlist or track is a bad argument; no lyrics and no current track are not found")
    func refusals() async throws {
        try await desk.signIn()
        let server = try PrivateBus()
        let line = try Line(
            NyandInterfaces.playlists,
            PlaylistsFrontend(playlists: desk.service, connection: try .open(.address(server.address))))
        #expect(await failure(line, "Tracks", .string("create"), .string("")) == .badArgument)
        #expect(await failure(line, "Add", .string("1_17"), .strings(["x"])) == .badArgument)
        #expect(await failure(line, "Create", .string(" ")) == .badArgument)
        #expect(await failure(line, "Recommendations", .string("text")) == .badArgument)
        let service = LyricsService(
            source: desk.source, store: desk.store, account: desk.rig.account, connectivity: desk.rig.connectivity)
        let words = try Line(NyandInterfaces.lyrics, LyricsFrontend(lyrics: service, player: desk.rig.player))
        #expect(await failure(words, "Get", .string("")) == .notFound)
        #expect(await failure(words, "Get", .string("7_1")) == .notFound)
        desk.source.words[track(2).id] = Lyrics(lines: [.init(begin: 5, text: "la")], credits: "me")
        try await desk.rig.play([track(2)])
        let answer = try await words.call("Get", [.string("")])
        #expect(answer[0] == .string("7_2"))
        #expect(LyricsCoding.lyrics(lines: answer[1], credits: answer[2]) == desk.source.words[track(2).id])
    }
}
