import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

@testable import NyanService

/// The listener's lists as MPRIS shows them, as tables.
@Suite("Playlists as MPRIS has them")
struct PlaylistsProjectionTests {
    private typealias Row = PlaylistShelf.Row

    private static func list(_ number: Int64) -> MusicList { .playlist(PlaylistID(owner: 1, number: number)) }

    private static let rows = [
        Row(.music, "My Music"), Row(.profile, "Profile"), Row(list(1), "ёлка"), Row(list(2), "Zebra"),
        Row(list(3), "Éclair"), Row(list(4), "zebra"), Row(list(5), "Жук"),
    ]

    private func page(_ index: UInt32, _ count: UInt32, _ order: String, _ reversed: Bool) -> [String] {
        let value = PlaylistsProjection.page(
            of: Self.rows, from: index, atMost: count, order: order, reversed: reversed)
        #expect(value.signatureOfValue == "a(oss)")
        return value.elements?.compactMap { $0[1]?.string } ?? []
    }

    @Test("lists come in the order asked: the person's own, or by name whatever the case and the marks")
    func orders() {
        let user = Self.rows.map(\.title)
        let alphabetical = ["Éclair", "My Music", "Profile", "Zebra", "zebra", "ёлка", "Жук"]
        #expect(page(0, 100, "User", false) == user && page(0, 100, "User", true) == user.reversed())
        #expect(page(0, 100, "Alphabetical", false) == alphabetical)
        #expect(page(0, 100, "Alphabetical", true) == alphabetical.reversed())
        #expect(page(0, 100, "Played", false) == user, "an order there is none of is the person's own")
        let orders = PlaylistsProjection.value(of: "Orderings", in: .init(rows: [], active: nil))
        #expect(orders == .strings(["User", "Alphabetical"]))
    }

    @Test("pages may lie anywhere")
    func pages() {
        #expect(page(1, 2, "User", false) == ["Profile", "ёлка"])
        #expect(page(6, 5, "User", false) == ["Жук"] && page(7, 5, "User", false) == [])
        #expect(page(0, 0, "User", true) == [])
        #expect(page(.max, .max, "Bogus", true) == [])
    }

    @Test("the active list is told with its name, and is none where it is not there")
    func active() {
        func value(_ list: MusicList?) -> BusValue? {
            PlaylistsProjection.value(of: "ActivePlaylist", in: .init(rows: Self.rows, active: list))
        }
        let path = PlaylistsInterface.path(of: Self.list(2))
        #expect(
            value(Self.list(2))
                == .structure([
                    .bool(true), .structure([.objectPath(path), .string("Zebra"), .string("")]),
                ]))
        let none = BusValue.structure([
            .bool(false), .structure([.objectPath("/"), .string(""), .string("")]),
        ])
        #expect(value(nil) == none && value(Self.list(99)) == none)
    }

    @Test("every declared property has a value of its declared type")
    func complete() {
        for property in PlaylistsInterface.interface.properties {
            let value = PlaylistsProjection.value(of: property.name, in: .init(rows: Self.rows, active: .music))
            #expect(value?.signatureOfValue == property.type, "\(property.name)")
        }
        #expect(PlaylistsProjection.value(of: "Other", in: .init(rows: [], active: nil)) == nil)
    }

    @Test("what differs is told: the count, the active one, and each list that is called otherwise")
    func changes() {
        let before = PlaylistsProjection.Shown(rows: Self.rows, active: Self.list(2))
        var after = before
        #expect(PlaylistsProjection.changes(from: before, to: after).properties.isEmpty)
        after.rows[3].title = "New"
        var told = PlaylistsProjection.changes(from: before, to: after)
        #expect(told.renamed == [Row(Self.list(2), "New")] && told.properties.keys.sorted() == ["ActivePlaylist"])
        after.rows[3].title = "Zebra"
        after.rows.removeLast()
        told = PlaylistsProjection.changes(from: before, to: after)
        #expect(told.renamed == [] && told.properties == ["PlaylistCount": .uint32(6)])
        after.active = nil
        told = PlaylistsProjection.changes(from: before, to: after)
        #expect(told.properties.keys.sorted() == ["ActivePlaylist", "PlaylistCount"])
    }
}

/// Playlists on a real bus, over the services.
@Suite("Playlists on the desktop's bus", .serialized, .timeLimit(.minutes(1)))
struct MPRISPlaylistBusTests {
    let desk = PlaylistRig()
    let origin: QueueOrigin
    let shelf: PlaylistShelf
    let bus: ListBus
    private let mine = PlaylistRig.playlist(17)

    private var rig: Rig { desk.rig }

    init() throws {
        origin = QueueOrigin(notes: desk.rig.library, hub: desk.rig.hub)
        shelf = PlaylistShelf(
            playlists: desk.service, library: desk.rig.librarian, player: desk.rig.player, account: desk.rig.account,
            connectivity: desk.rig.connectivity, origin: origin, hub: desk.rig.hub)
        bus = try ListBus(desk.rig, shelf: shelf)
        let shelf = shelf
        desk.service.onChange = { shelf.reload() }
    }

    private func list(_ event: () async throws -> Void) async throws -> [ListBus.Heard] {
        try await bus.listen(event).filter { $0.interface == PlaylistsInterface.name }
    }

    private func activate(_ list: MusicList) async throws(BusError) {
        _ = try await bus.call(
            PlaylistsInterface.name, "ActivatePlaylist", [.objectPath(PlaylistsInterface.path(of: list))])
    }

    private func titles() async throws -> [String] {
        let answer = try await bus.call(
            PlaylistsInterface.name, "GetPlaylists", [.uint32(0), .uint32(100), .string("User"), .bool(false)])
        return answer.first?.elements?.compactMap { $0[1]?.string } ?? []
    }

    private func active() async throws -> String? {
        let value = try await bus.get(PlaylistsInterface.name, "ActivePlaylist")
        return value?[0]?.bool == true ? value?[1]?[1]?.string : nil
    }

    /// Signed in, with a profile of two tracks and one playlist of three that VK knows.
    private func signIn() async throws {
        rig.library.put(profile: [track(1), track(2)])
        desk.source.put(mine, [track(3), track(4), track(5)])
        try await desk.signIn()
        await desk.service.refresh()
        await settle()
    }

    @Test("without an account there is My Music alone; with one the profile and VK's playlists, told as they come")
    func rows() async throws {
        let heard = try await list { try await signIn() }
        #expect(heard.map(\.member) == Array(repeating: "PropertiesChanged", count: heard.count) && !heard.isEmpty)
        #expect(heard.last?.values[1]["PlaylistCount"] == .uint32(3))
        #expect(try await titles() == ["My Music", "Profile", "P17"])
        #expect(try await bus.get(PlaylistsInterface.name, "PlaylistCount") == .uint32(3))
        let out = try await list { try await desk.rig.account.logout() }
        #expect(out.last?.values[1]["PlaylistCount"] == .uint32(1))
        #expect(try await titles() == ["My Music"])
        await #expect(throws: BusError.self) { try await activate(.profile) }
    }

    @Test("a list is looked at: VK is asked behind the answer, and not again at once")
    func look() async throws {
        try await signIn()
        let calls = desk.source.calls.count
        desk.source.put(PlaylistRig.playlist(18), [])
        #expect(try await titles() == ["My Music", "Profile", "P17"])
        #expect(await until { shelf.rows.count == 4 })
        _ = try await titles()
        await settle()
        #expect(desk.source.calls.count == calls + 1)
        rig.time.advance(by: .seconds(61))
        rig.connectivity.setOfflineMode(true)
        _ = try await titles()
        await settle()
        #expect(desk.source.calls.count == calls + 1, "offline mode asks nothing")
    }

    @Test("a playlist that is renamed is told by one struct, its place in the list stays")
    func renamed() async throws {
        try await signIn()
        let heard = try await list { try await desk.service.rename(mine.reference, to: "Other") }
        let path = PlaylistsInterface.path(of: .playlist(mine.id))
        #expect(
            heard == [
                ListBus.Heard(
                    interface: PlaylistsInterface.name, member: "PlaylistChanged",
                    values: [.structure([.objectPath(path), .string("Other"), .string("")])])
            ])
    }

    @Test("activating starts the list, and it is the active one until nothing of it is left")
    func activate() async throws {
        try await signIn()
        #expect(try await active() == nil)
        let heard = try await list { try await activate(.playlist(mine.id)) }
        #expect(heard.map(\.member) == ["PropertiesChanged"])
        #expect(heard[0].values[1]["ActivePlaylist"]?[1]?[1] == .string("P17"))
        #expect(rig.player.state.entries.map(\.track.id) == [track(3).id, track(4).id, track(5).id])
        #expect(rig.player.state.status == .playing)
        // Others beside it change nothing, nor does the removal of some of it.
        rig.player.perform(.playNow([track(9)]))
        rig.player.perform(.remove([EntryID(1), EntryID(2)]))
        #expect(try await active() == "P17")
        let gone = try await list { rig.player.perform(.remove([EntryID(3)])) }
        #expect(gone.map(\.member) == ["PropertiesChanged"] && gone[0].values[1]["ActivePlaylist"]?[0] == .bool(false))
        try await activate(.profile)
        #expect(try await active() == "Profile" && rig.player.state.entries.count == 2)
        rig.player.perform(.playTracks([track(8)], startAt: 0))
        #expect(try await active() == nil)
    }

    @Test("what `play` starts by itself is the active list, too")
    func play() async throws {
        try await signIn()
        let frontend = PlayerFrontend(
            player: rig.player, library: rig.librarian, origin: origin, snapshot: { desk.rig.snapshot() })
        let line = try Line(NyandInterfaces.player, frontend)
        _ = try await line.call("Play", [])
        #expect(try await active() == "Profile")
    }

    @Test("what the queue was filled from is known after a restart, and forgotten with the queue")
    func restart() async throws {
        try await signIn()
        try await activate(.playlist(mine.id))
        #expect(await until { rig.library.noted("queue.origin") == "1_17 1 3" })
        let later = QueueOrigin(notes: rig.library, hub: rig.hub)
        #expect(later.list(in: rig.player.state) == nil)
        await later.restore()
        #expect(later.list(in: rig.player.state) == .playlist(mine.id))
        rig.player.perform(.clear)
        #expect(later.list(in: rig.player.state) == nil)
        #expect(await until { rig.library.noted("queue.origin") == nil })
    }

    @Test("offline mode starts what is on this machine, and says so where nothing is")
    func offline() async throws {
        try await signIn()
        rig.library.put(copies: [FinishedCopy(id: track(2).id, path: "/dev/null", bytes: 1)])
        rig.connectivity.setOfflineMode(true)
        try await activate(.profile)
        #expect(rig.player.state.entries.map(\.track.id) == [track(2).id])
        try await activate(.music)
        #expect(rig.player.state.entries.map(\.track.id) == [track(2).id])
        let before = rig.player.state.entries
        let error = await #expect(throws: BusError.self) { try await activate(.playlist(mine.id)) }
        #expect(error?.name == "org.freedesktop.DBus.Error.Failed" && error?.message.contains("offline") == true)
        #expect(rig.player.state.entries == before)
    }

    @Test("an empty list and an unknown one change nothing; while VK is slow everybody else is answered")
    func slow() async throws {
        try await signIn()
        for list in [MusicList.music, .playlist(PlaylistID(owner: 1, number: 99))] {
            let error = await #expect(throws: BusError.self) { try await activate(list) }
            #expect(error?.name.hasPrefix("org.freedesktop.DBus.Error.") == true)
        }
        #expect(rig.player.state.entries.isEmpty)
        desk.source.latch.shut()
        let slow = Task { try await activate(.playlist(mine.id)) }
        #expect(await until { desk.source.latch.held > 0 })
        #expect(try await bus.get(PlayerInterface.name, "PlaybackStatus") == .string("Stopped"))
        // Who asks for another list meanwhile means that one.
        try await activate(.profile)
        desk.source.latch.open()
        await #expect(throws: BusError.self) { try await slow.value }
        #expect(try await active() == "Profile" && rig.player.state.entries.count == 2)
    }
}
