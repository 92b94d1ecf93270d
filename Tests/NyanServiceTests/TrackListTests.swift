import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

@testable import NyanService

/// From one track list to the next, by table and at random.
@Suite("The difference of two track lists")
struct TrackListDiffTests {
    private typealias Row = TrackListProjection.Row
    private typealias Change = TrackListDiff.Change

    private static func row(_ number: UInt64, _ title: String = "") -> Row {
        Row(entry: Entry(id: EntryID(number), track: Track(id: TrackID(owner: 1, audio: 1), artist: "", title: title)))
    }

    private static func rows(_ numbers: [UInt64]) -> [Row] { numbers.map { row($0) } }

    /// A change as a word: `-3`, `+4<2`, `=5`, `!`.
    private static func word(_ change: Change) -> String {
        switch change {
        case .replaced: "!"
        case .removed(let entry): "-\(entry)"
        case .added(let row, let after): "+\(row.entry.id)<\(after.map { "\($0)" } ?? "")"
        case .described(let row): "=\(row.entry.id)"
        }
    }

    nonisolated private static let table: [(old: [UInt64], new: [UInt64], told: [String])] = [
        ([], [], []), ([1, 2], [1, 2], []), ([], [1], ["!"]), ([1], [], ["!"]), ([1, 2], [3, 4], ["!"]),
        ([1, 2, 3], [1, 3], ["-2"]), ([1, 2, 3], [2, 3], ["-1"]), ([1, 2], [1, 2, 3], ["+3<2"]),
        ([1, 2], [3, 1, 2], ["+3<"]), ([1, 2], [1, 3, 4, 2], ["+3<1", "+4<3"]),
        ([1, 2, 3], [4, 1, 3], ["-2", "+4<"]), ([1, 2, 3], [2, 1, 3], ["!"]),
        ([1], [1, 2, 3, 4, 5, 6, 7], ["+2<1", "+3<2", "+4<3", "+5<4", "+6<5", "+7<6"]),
        ([1], [1, 2, 3, 4, 5, 6, 7, 8], ["!"]),
        ([1, 2, 3, 4, 5], [4, 5, 6, 7, 8], ["-1", "-2", "-3", "+6<5", "+7<6", "+8<7"]),
    ]

    @Test("a few steps are told one by one, more of them as another list", arguments: table)
    func steps(_ old: [UInt64], _ new: [UInt64], _ told: [String]) {
        let changes = TrackListDiff.changes(from: Self.rows(old), to: Self.rows(new))
        #expect(changes.map(Self.word) == told)
    }

    @Test("an entry that stays and is described otherwise is told with its new description, whatever else changes")
    func described() {
        let old = [Self.row(1, "a"), Self.row(2, "b")]
        #expect(TrackListDiff.changes(from: old, to: [Self.row(1, "a"), Self.row(2, "c")]).map(Self.word) == ["=2"])
        let moved = TrackListDiff.changes(from: old, to: [Self.row(2, "c"), Self.row(1, "a")])
        #expect(moved == [.replaced, .described(Self.row(2, "c"))])
        #expect(TrackListDiff.changes(from: old, to: [Self.row(1, "z")]).map(Self.word) == ["-2", "=1"])
    }

    /// A client's list after it heard the changes.
    private static func heard(_ changes: [Change], by old: [Row], replacement: [Row]) -> [Row] {
        changes.reduce(into: old) { list, change in
            switch change {
            case .replaced: list = replacement.map { row in list.first { $0.entry.id == row.entry.id } ?? row }
            case .removed(let entry): list.removeAll { $0.entry.id == entry }
            case .added(let row, let after):
                let place = after.flatMap { id in list.firstIndex { $0.entry.id == id } }.map { $0 + 1 }
                list.insert(row, at: place ?? 0)
            case .described(let row):
                if let place = list.firstIndex(where: { $0.entry.id == row.entry.id }) { list[place] = row }
            }
        }
    }

    @Test("who takes the changes in order has the new list in the end", arguments: 1...200 as ClosedRange<UInt64>)
    func random(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        func list() -> [Row] {
            let numbers = (1...UInt64(12)).filter { _ in Bool.random(using: &random) }
            let ordered = Int.random(in: 0...3, using: &random) == 0 ? numbers.shuffled(using: &random) : numbers
            return ordered.map { Self.row($0, Bool.random(using: &random) ? "a" : "b") }
        }
        let (old, new) = (list(), list())
        let changes = TrackListDiff.changes(from: old, to: new)
        #expect(Self.heard(changes, by: old, replacement: new) == new)
        let singles = changes.filter { if case .described = $0 { false } else { true } }
        #expect(singles.count <= TrackListDiff.mostSteps)
    }
}

/// The track list on a real bus: calls, properties and signals.
@Suite("The track list on the bus", .serialized, .timeLimit(.minutes(1)))
struct TrackListBusTests {
    let rig = Rig()
    let bus: ListBus

    init() throws { bus = try ListBus(rig) }

    private func path(_ number: UInt64) -> BusValue { .objectPath(MetadataCoding.trackID(of: EntryID(number))) }
    private func paths(_ numbers: [UInt64]) -> BusValue {
        .objectPaths(numbers.map { MetadataCoding.trackID(of: EntryID($0)) })
    }
    private static let none = BusValue.objectPath(Names.noTrack)
    private static let named = ListBus.Heard(
        interface: TrackListInterface.name, member: "PropertiesChanged",
        values: [.string(TrackListInterface.name), .dictionary([:]), .strings(["Tracks"])])

    private func signal(_ member: String, _ values: BusValue...) -> ListBus.Heard {
        ListBus.Heard(interface: TrackListInterface.name, member: member, values: values)
    }

    private func list(_ event: () async throws -> Void) async throws -> [ListBus.Heard] {
        try await bus.listen(event).filter { $0.interface == TrackListInterface.name }
    }

    private func call(_ member: String, _ arguments: BusValue...) async throws(BusError) -> [BusValue] {
        try await bus.call(TrackListInterface.name, member, arguments)
    }

    @Test("an empty list, then a queue: another list with its current entry, and Tracks named as changed")
    func filled() async throws {
        #expect(try await bus.get(TrackListInterface.name, "Tracks") == .objectPaths([]))
        #expect(try await bus.get(TrackListInterface.name, "CanEditTracks") == .bool(true))
        let heard = try await list { rig.player.perform(.playTracks([track(1), track(2), track(1)], startAt: 1)) }
        #expect(heard == [signal("TrackListReplaced", paths([1, 2, 3]), path(2)), Self.named])
        #expect(try await bus.get(TrackListInterface.name, "Tracks") == paths([1, 2, 3]))
        let cleared = try await list { rig.player.perform(.clear) }
        #expect(cleared == [signal("TrackListReplaced", .objectPaths([]), Self.none), Self.named])
    }

    @Test("metadata of the list's entries: in the order asked, each once, the current one's as the player has it")
    func metadata() async throws {
        try await rig.play([track(1), track(2)])
        rig.engine.say(.lengthKnown(LoadNumber(1), .seconds(203)))
        let asked = BusValue.array([path(2), path(9), Self.none, path(1), path(2)], of: "o")
        let answer = try await call("GetTracksMetadata", asked)
        let maps = try #require(answer.first?.elements)
        #expect(maps.map { $0["mpris:trackid"] } == [path(2), path(1)])
        #expect(maps[1].unwrapped == (try await bus.get(PlayerInterface.name, "Metadata")))
        #expect(maps[1]["mpris:length"] == .int64(203_000_000) && maps[0]["xesam:title"] == .string("Title 2"))
        #expect(try await call("GetTracksMetadata", .array([], of: "o")) == [.array([], of: "a{sv}")])
    }

    @Test("adding: the entry is told with its place, the list is on disk when the call is answered")
    func add() async throws {
        try await rig.play([track(1), track(2)])
        let saves = rig.playback.saves
        let heard = try await list {
            _ = try await call("AddTrack", .string("7_3"), path(1), .bool(false))
            #expect(rig.playback.saves > saves)
        }
        #expect(heard.map(\.member) == ["TrackAdded", "PropertiesChanged"] && heard[0].values[1] == path(1))
        #expect(heard[0].values[0]["xesam:url"] == .string("https://vk.com/audio7_3"))
        #expect(try await bus.get(TrackListInterface.name, "Tracks") == paths([1, 3, 2]))
        let first = try await list {
            _ = try await call("AddTrack", .string("https://vk.com/audio7_4"), Self.none, .bool(true))
        }
        #expect(first[0].values[1] == Self.none && rig.player.state.current == EntryID(4))
        _ = try await call("AddTrack", .string("7_5"), path(77), .bool(false))
        #expect(try await bus.get(TrackListInterface.name, "Tracks") == paths([4, 1, 3, 2, 5]))
    }

    @Test("a track that is found late does not undo what was chosen since; it is in the list all the same")
    func overtaken() async throws {
        try await rig.play([track(1), track(2)])
        for member in ["AddTrack", "OpenUri"] {
            let before = rig.player.state.entries.count
            let isList = member == "AddTrack"
            let arguments: [BusValue] = isList ? [.string("7_3"), path(1), .bool(true)] : [.string("7_3")]
            let frontend: any InterfaceHandler =
                isList
                ? TrackListFrontend(player: rig.player, snapshot: { rig.snapshot() }, coverPath: { _ in nil })
                : MPRISPlayerFrontend(player: rig.player, snapshot: { rig.snapshot() })
            let line = try Line(isList ? TrackListInterface.interface : PlayerInterface.interface, frontend)
            rig.library.knownLatch.shut()
            let slow = Task { try await line.call(member, arguments) }
            #expect(await until { rig.library.knownLatch.held > 0 })
            rig.player.perform(.skip(to: EntryID(2)))
            rig.library.knownLatch.open()
            switch await slow.result {
            case .success: #expect(isList)
            case .failure: #expect(!isList)
            }
            #expect(rig.player.state.current == EntryID(2), "\(member)")
            #expect(rig.player.state.entries.count == before + (isList ? 1 : 0))
        }
    }

    @Test("what cannot be played changes nothing and has one of D-Bus' own error names")
    func refused() async throws {
        try await rig.play([track(1)])
        let rows = [("nonsense", "InvalidArgs"), ("ftp://host/a", "NotSupported"), ("", "InvalidArgs"), ("0_5", "")]
        for (uri, name) in rows {
            let error = await #expect(throws: BusError.self) {
                _ = try await call("AddTrack", .string(uri), Self.none, .bool(true))
            }
            #expect(error?.name.hasPrefix("org.freedesktop.DBus.Error.\(name)") == true, "\(uri)")
        }
        #expect(try await bus.get(TrackListInterface.name, "Tracks") == paths([1]))
    }

    @Test("removing and going: told in steps; unknown entries change nothing and are no error")
    func edits() async throws {
        try await rig.play([track(1), track(2), track(3)])
        let removed = try await list { _ = try await call("RemoveTrack", path(2)) }
        #expect(removed == [signal("TrackRemoved", path(2)), Self.named])
        let nothing = try await bus.listen {
            _ = try await call("RemoveTrack", path(2))
            _ = try await call("RemoveTrack", Self.none)
            _ = try await call("GoTo", path(2))
            _ = try await call("GoTo", Self.none)
            _ = try await call("GoTo", .objectPath("/org/nyantunes/Nyand/entry/03"))
        }
        #expect(nothing == [])
        #expect(try await list { _ = try await call("GoTo", path(3)) } == [])
        #expect(rig.player.state.current == EntryID(3) && rig.player.state.status == .playing)
        rig.player.perform(.pause)
        _ = try await call("GoTo", path(1))
        #expect(rig.player.state.current == EntryID(1) && rig.player.state.status == .paused)
        let last = try await bus.listen { _ = try await call("RemoveTrack", path(1)) }
        // The list first, so that it holds what the player names next.
        #expect(last.map(\.member) == ["TrackRemoved", "PropertiesChanged", "PropertiesChanged", "Seeked"])
        #expect(last[1] == Self.named && last[2].values[0] == .string(PlayerInterface.name))
    }

    @Test("a move or a shuffle is another list")
    func reordered() async throws {
        try await rig.play((1...4).map { track($0) })
        let moved = try await list { rig.player.perform(.move(EntryID(4), to: 0)) }
        #expect(moved == [signal("TrackListReplaced", paths([4, 1, 2, 3]), path(1)), Self.named])
        var shuffled: [ListBus.Heard] = []
        // Four entries may be shuffled into the order they had.
        for turn in 0..<20 where shuffled.isEmpty {
            shuffled = try await list { rig.player.perform(.setShuffle(turn.isMultiple(of: 2))) }
        }
        #expect(shuffled.map(\.member) == ["TrackListReplaced", "PropertiesChanged"])
    }

    @Test("a length or a cover learnt late is told of the entry, under the number it has")
    func late() async throws {
        try await rig.play([track(1), track(2)])
        let length = try await list { rig.engine.say(.lengthKnown(LoadNumber(1), .seconds(203))) }
        #expect(length.map(\.member) == ["TrackMetadataChanged"] && length[0].values[0] == path(1))
        #expect(length[0].values[1]["mpris:length"] == .int64(203_000_000))
        rig.http.answer = HTTPResponse(status: 200, headers: [:], body: [1])
        let pictured = Track(id: track(2).id, artist: "A", title: "T", coverURL: "https://media.test/c.jpg")
        let cover = try await list { _ = await rig.covers.cover(of: pictured) }
        #expect(cover.map(\.member) == ["TrackMetadataChanged"] && cover[0].values[0] == path(2))
        #expect(cover[0].values[1]["mpris:artUrl"] == .string("file:///dev/null"))
        var renamed = track(2)
        renamed.title = "Other"
        let described = try await list { rig.player.trackChanged(renamed) }
        #expect(described.map(\.member) == ["TrackMetadataChanged"])
        #expect(described[0].values[1]["xesam:title"] == .string("Other"))
    }

    @Test("of ten thousand entries twenty are shown, and next is told of once in ten tracks")
    func long() async throws {
        rig.player.perform(.playTracks((1...10_000).map { track($0) }, startAt: 5_000))
        #expect(try await bus.get(TrackListInterface.name, "Tracks") == paths(Array(4_996...5_015)))
        let quiet = try await list { for _ in 0..<9 { rig.player.perform(.next) } }
        #expect(quiet == [])
        let moved = try await list { rig.player.perform(.next) }
        #expect(moved == [signal("TrackListReplaced", paths(Array(5_006...5_025)), path(5_011)), Self.named])
        // An entry that is not shown any more is still the same entry.
        let far = try await call("GetTracksMetadata", paths([1, 10_000]))
        #expect(far.first?.elements?.map { $0["xesam:title"] } == [.string("Title 1"), .string("Title 10000")])
        rig.player.perform(.clear)
    }

    @Test("a burst of changes in one turn is told once, by what came of it")
    func burst() async throws {
        rig.player.perform(.playTracks((1...1_000).map { track($0) }, startAt: 0))
        let heard = try await list {
            for number in 1...200 as ClosedRange<UInt64> {
                rig.player.perform(.remove([EntryID(number)]))
                rig.player.perform(.next)
            }
        }
        #expect(heard.map(\.member) == ["TrackListReplaced", "PropertiesChanged"])
        #expect(heard[0].values[0] == (try await bus.get(TrackListInterface.name, "Tracks")))
        rig.player.perform(.clear)
    }
}
