import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

@testable import NyanService

/// Several wishes about what is current, each of which looks for its track first.
@Suite("Wishes about what is current", .serialized, .timeLimit(.minutes(1)))
struct ChoiceTests {
    @Test("of two that look for their tracks the later one counts, though the earlier one was ready first")
    func later() async throws {
        for member in ["AddTrack", "OpenUri"] {
            let rig = Rig()
            rig.copies.addFile("/m/1.mp3")
            try await rig.play([track(1), track(2)])
            let isList = member == "AddTrack"
            let line = try Line(
                isList ? TrackListInterface.interface : PlayerInterface.interface,
                isList
                    ? TrackListFrontend(player: rig.player, snapshot: { rig.snapshot() }, coverPath: { _ in nil })
                    : MPRISPlayerFrontend(player: rig.player, snapshot: { rig.snapshot() }))
            let earlier = rig.player.makeChoice()
            rig.library.knownLatch.shut()
            let arguments: [BusValue] =
                isList ? [.string("7_3"), .objectPath(Names.noTrack), .bool(true)] : [.string("7_3")]
            let wish = Task { try await line.call(member, arguments) }
            #expect(await until { rig.library.knownLatch.held > 0 })
            try await rig.player.open("file:///m/1.mp3", choice: earlier)
            #expect(rig.player.state.currentEntry?.track.id.isVKs == false)
            rig.library.knownLatch.open()
            _ = try await wish.value
            #expect(rig.player.state.currentEntry?.track.id == track(3).id, "\(member)")
        }
    }

    @Test("so it is with a list, and with three of them in any order; what is chosen at once is later than all of them")
    func lists() async throws {
        let desk = PlaylistRig()
        let rig = desk.rig
        rig.copies.addFile("/m/1.mp3")
        rig.library.put(profile: [track(1), track(2)])
        try await desk.signIn()
        let shelf = PlaylistShelf(
            playlists: desk.service, library: rig.librarian, player: rig.player, account: rig.account,
            connectivity: rig.connectivity, origin: QueueOrigin(notes: rig.library, hub: rig.hub), hub: rig.hub)
        #expect(await until { shelf.rows.count > 1 })
        let wishes = (0..<4).map { _ in shelf.makeChoice() }
        try await shelf.start(.profile, choice: wishes[0])
        try await rig.player.open("file:///m/1.mp3", choice: wishes[2])
        await #expect(throws: Failure.self) { try await shelf.start(.profile, choice: wishes[1]) }
        #expect(rig.player.state.currentEntry?.track.id.isVKs == false)
        rig.player.perform(.skip(to: EntryID(2)))
        await #expect(throws: Failure.self) { try await shelf.start(.profile, choice: wishes[3]) }
        #expect(rig.player.state.current == EntryID(2))
    }
}

/// Edits of the list by a desktop.
@Suite("The track list on disk", .serialized, .timeLimit(.minutes(1)))
struct TrackListSavingTests {
    private let rig = Rig()

    private func line() throws -> Line {
        try Line(
            TrackListInterface.interface,
            TrackListFrontend(player: rig.player, snapshot: { rig.snapshot() }, coverPath: { _ in nil }))
    }

    private func remove(_ number: UInt64, _ line: Line) async throws(BusError) {
        _ = try await line.call("RemoveTrack", [.objectPath(MetadataCoding.trackID(of: EntryID(number)))])
    }

    @Test("a removal is seen at once, and answered when it is on disk; where there is no room it is told so")
    func removal() async throws {
        let line = try line()
        try await rig.play([track(1), track(2), track(3)])
        try await rig.player.saved()
        rig.playback.latch.shut()
        var isAnswered = false
        let call = Task {
            try await remove(2, line)
            isAnswered = true
        }
        #expect(await until { rig.player.state.entries.count == 2 && rig.playback.latch.held > 0 })
        // Answers come in order: this one would be behind it.
        _ = try await line.client.owner(of: line.server.uniqueName)
        _ = try await line.call("GetTracksMetadata", [.array([], of: "o")])
        #expect(!isAnswered)
        rig.playback.latch.open()
        try await call.value
        #expect(rig.playback.saved?.entries.map(\.id) == [EntryID(1), EntryID(3)])
        rig.playback.fail(Failure(.diskFull, "no room", retry: .later))
        await #expect(throws: BusError.self) { try await remove(3, line) }
    }
}
