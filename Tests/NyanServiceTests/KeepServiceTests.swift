import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Keep rules as a service: what is queued when, and whose wish counts.
@Suite("Keeping", .timeLimit(.minutes(1)))
struct KeepServiceTests {
    let rig = Rig()
    let store = MemoryKeep()
    let source = ScriptedPlaylists()
    let playlists: PlaylistService
    let keep: KeepService
    private static let one = Playlist(id: PlaylistID(owner: 1, number: 1), title: "One")
    private static let list = KeptList.playlist(one.id)

    init() async {
        playlists = PlaylistService(
            source: source, store: MemoryPlaylists(), library: rig.library, librarian: rig.librarian,
            account: rig.account, connectivity: rig.connectivity, time: rig.time, log: Log(level: .error))
        keep = KeepService(
            store: store, playlists: playlists, downloads: rig.downloads, library: rig.librarian,
            account: rig.account, connectivity: rig.connectivity, log: Log(level: .error))
        await rig.account.ready()
        rig.connectivity.setOfflineMode(true)
        rig.connectivity.setOfflineMode(false)
    }

    private var queued: [TrackID] { rig.downloads.list.map(\.id) }

    private func tracks(_ numbers: Int64...) -> [Track] { numbers.map { track($0) } }

    @Test("A rule queues what is there in the list's order; after a sync and a change what was added follows")
    func grows() async throws {
        store.put(tracks(3, 1), in: .profile)
        let kept = try await keep.keep(.profile)
        #expect(kept.queued == 2 && kept.rule.coming == 2)
        #expect(queued == [track(3).id, track(1).id])
        #expect(store.broughtNow(.profile) == [track(3).id, track(1).id])
        store.put(tracks(4, 3, 1), in: .profile)
        _ = try await rig.librarian.sync()
        #expect(await until { queued.last == track(4).id })
        store.put(tracks(5, 4, 3, 1), in: .profile)
        rig.librarian.changes.onChange()
        #expect(await until { queued.last == track(5).id })
    }

    @Test("Kept playlists are read at a sync, one after the other; others are not, and none is offline")
    func reading() async throws {
        source.put(Self.one, tracks(1))
        source.put(Playlist(id: PlaylistID(owner: 1, number: 2), title: "Two"), tracks(2))
        store.put(tracks(1), in: Self.list)
        _ = try await keep.keep(Self.list)
        let before = source.calls.count { $0 == "tracks" }
        store.put(tracks(1, 2), in: Self.list)
        _ = try await rig.librarian.sync()
        #expect(await until { queued == [track(1).id, track(2).id] })
        await settle()
        #expect(source.calls.count { $0 == "tracks" } == before + 1)
    }

    @Test("A playlist nobody has heard of is read before it is kept; one VK does not know is not kept")
    func unknown() async throws {
        await #expect(throws: Failure.self) { try await keep.keep(Self.list) }
        #expect(try await store.keepRules().isEmpty)
        source.put(Self.one, tracks(1))
        store.put(tracks(1), in: Self.list)
        #expect(try await keep.keep(Self.list).queued == 1)
        // Known from now on: the rule stands whatever VK says.
        _ = try await keep.unkeep(Self.list, deleting: false)
        rig.connectivity.setOfflineMode(true)
        #expect(try await keep.keep(Self.list).rule.list == Self.list)
        #expect(try await store.keepRules().map(\.list) == [Self.list])
    }

    @Test("What the person cancels or deletes stays away until he wishes for it or says keep again")
    func takenAway() async throws {
        store.put(tracks(1, 2, 3), in: .profile)
        _ = try await keep.keep(.profile)
        _ = try await rig.downloads.cancel([track(2).id])
        #expect(store.declinedNow == [track(2).id])
        _ = try await rig.librarian.sync()
        await settle()
        #expect(queued == [track(1).id, track(3).id])
        #expect(try await rig.downloads.add([track(2)]) == 1)
        #expect(store.declinedNow.isEmpty && store.broughtNow(.profile) == [track(1).id, track(3).id])
        _ = try await rig.downloads.cancel(nil)
        #expect(store.declinedNow.count == 3)
        await keep.start()
        #expect(queued.isEmpty)
        #expect(try await keep.keep(.profile).queued == 3)
    }

    @Test("The end of a rule cancels what only it wanted")
    func ends() async throws {
        store.put(tracks(1, 2, 3), in: .profile)
        store.put(tracks(3), in: Self.list)
        source.put(Self.one, tracks(3))
        _ = try await keep.keep(.profile)
        _ = try await keep.keep(Self.list)
        _ = try await rig.downloads.add([track(2)])
        let ended = try await keep.unkeep(.profile, deleting: false)
        #expect(ended.cancelled == 1 && queued == [track(2).id, track(3).id])
        #expect(store.declinedNow.isEmpty, "nobody took it away")
        await #expect(throws: Failure.self) { try await keep.unkeep(.profile, deleting: false) }
    }

    @Test("Deleting deletes exactly what only the rule brought, also after its end; a file that cannot go keeps none")
    func deletes() async throws {
        store.put(tracks(1, 2, 3), in: .profile)
        store.put(copy: 10, of: track(3).id)
        _ = try await keep.keep(.profile)
        for number: Int64 in 1...3 {
            let id = track(number).id
            rig.library.put(copies: [FinishedCopy(id: id, path: "/no such folder/\(number)", bytes: 10)])
            store.put(copy: 10, of: id)
        }
        #expect(try await keep.preview(.profile) == (2, 20))
        #expect(try await keep.unkeep(.profile, deleting: false).staying == 2)
        // One is not in the library any more.
        try await rig.library.removeCopy(track(1).id)
        let ended = try await keep.unkeep(.profile, deleting: true)
        #expect(ended.deleted == 1 && ended.staying == 1)
        #expect(rig.library.copies.map(\.id) == [track(3).id])
    }

    @Test("What VK refuses is asked for once a day, not at every sync; the same answer again is no notice")
    func refused() async throws {
        let gone = Failure(.unavailableTrack, "no sound", retry: .never)
        var (now, told) = (1_000_000.0, [DownloadBatch]())
        rig.downloads.wallClock = { now }
        rig.downloads.onBatchEnd = { told.append($0) }
        store.put(tracks(1), in: .profile)
        _ = try await keep.keep(.profile)
        try #require(await rig.transfer(of: track(1).id)).fail(gone)
        #expect(await until { told.map(\.failed) == [1] })
        for _ in 0..<3 {
            now += 3_600
            await keep.start()
            #expect(rig.downloads.list.map(\.state) == [.failed])
        }
        now += 86_400
        await keep.start()
        try #require(await rig.transfer(of: track(1).id)).fail(gone)
        #expect(await until { rig.downloads.list.map(\.state) == [.failed] })
        await settle()
        now += 3_600
        await keep.start()
        #expect(rig.downloads.list.map(\.state) == [.failed] && told.count == 1)
    }

    @Test("Many files are deleted in few goes, and leave the list with them")
    func deletesMany() async throws {
        let many = (1...250).map { track(Int64($0)) }
        store.put(many, in: .profile)
        _ = try await keep.keep(.profile)
        for track in many {
            rig.library.put(copies: [FinishedCopy(id: track.id, path: "/no such folder/\(track.id)", bytes: 10)])
            store.put(copy: 10, of: track.id)
        }
        let before = store.unmarkings
        let ended = try await keep.unkeep(.profile, deleting: true)
        #expect(ended.deleted == 250 && ended.freed == 2500 && queued.isEmpty && rig.library.copies.isEmpty)
        #expect(store.broughtNow(.profile).isEmpty && store.unmarkings - before <= 4)
    }

    @Test("A download that is done while its rule ends is a file of the rule's: it is deleted, and marked until then")
    func doneMeanwhile() async throws {
        store.put(tracks(1, 2), in: .profile)
        _ = try await keep.keep(.profile)
        store.onEnd = { [rig, store] in
            let id = track(1).id
            try? await rig.bring(id)
            _ = await until { rig.library.copies.contains { $0.id == id } }
            store.put(copy: 10, of: id)
        }
        let ended = try await keep.unkeep(.profile, deleting: true)
        #expect(ended.cancelled == 1 && ended.deleted == 1 && ended.staying == 0)
        #expect(rig.library.copies.isEmpty && queued.isEmpty)
    }

    @Test("A full disk keeps nobody from deleting and cancelling; it is remembered when there is room")
    func fullDisk() async throws {
        let full = Failure(.diskFull, "no room")
        store.put(tracks(1, 2), in: .profile)
        _ = try await keep.keep(.profile)
        store.failOnce(full)
        #expect(try await rig.downloads.cancel([track(1).id]) == 1)
        #expect(store.declinedNow == [track(1).id])
        rig.library.put(copies: [FinishedCopy(id: track(2).id, path: "/no such folder/2", bytes: 10)])
        store.failOnce(full)
        #expect(try await rig.downloads.deleteCopies([track(2).id]).files == 1)
        #expect(store.declinedNow == [track(1).id, track(2).id] && rig.library.copies.isEmpty)
    }

    @Test("A track that is taken away while a rule looks at its list is not brought by it")
    func meanwhile() async throws {
        store.put(tracks(1), in: .profile)
        _ = try await keep.keep(.profile)
        store.put(tracks(1, 2), in: .profile)
        store.latch.shut()
        let look = Task { await keep.start() }
        #expect(await until { store.latch.held == 1 })
        try await keep.tookAway([track(2).id])
        store.latch.open()
        await look.value
        #expect(queued == [track(1).id])
    }
}
