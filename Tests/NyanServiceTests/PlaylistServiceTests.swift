import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// A rig with playlists.
@MainActor struct PlaylistRig {
    let rig = Rig()
    let source = ScriptedPlaylists()
    let store = MemoryPlaylists()
    let service: PlaylistService

    init() {
        service = PlaylistService(
            source: source, store: store, library: rig.library, librarian: rig.librarian, account: rig.account,
            connectivity: rig.connectivity, time: rig.time, log: Log(level: .error))
    }

    static func playlist(_ number: Int64, owner: Int64 = 1, followed: Bool = false) -> Playlist {
        Playlist(id: PlaylistID(owner: owner, number: number), title: "P\(number)", count: 2, isFollowed: followed)
    }

    /// The account as it is known after a login.
    func signIn() async throws { _ = try await rig.account.login(token: Secret("t"), profileName: nil) }

    /// Runs what waits for a while after a lost answer.
    func patiently<Value: Sendable>(_ work: @escaping @MainActor () async throws -> Value) async throws -> Value {
        let task = Task { try await work() }
        let clock = Task {
            while !Task.isCancelled {
                if !rig.time.waits.isEmpty { rig.time.advance(by: .seconds(3)) }
                await Task.yield()
            }
        }
        defer { clock.cancel() }
        return try await task.value
    }

    func failure(_ work: () async throws(Failure) -> Void) async -> Failure? {
        do throws(Failure) { try await work() } catch { return error }
        return nil
    }
}

@Suite("Reading playlists", .timeLimit(.minutes(1)))
struct PlaylistReadingServiceTests {
    let desk = PlaylistRig()
    private let one = PlaylistRig.playlist(1)
    private let two = PlaylistRig.playlist(2)

    @Test("the list and the tracks are read at VK and stay known without it, with a word about it")
    func cached() async throws {
        try await desk.signIn()
        var changes = 0
        desk.service.onChange = { changes += 1 }
        desk.source.put(one, [track(1), track(2)])
        desk.source.put(two, [])
        let fresh = try await desk.service.playlists()
        #expect(fresh.rows.map(\.playlist) == [one, two] && fresh.notice == nil)
        let tracks = try await desk.service.tracks(of: one.reference, matching: nil)
        #expect(tracks.rows.map(\.track) == [track(1), track(2)] && tracks.notice == nil && changes == 2)
        _ = try await desk.service.playlists()
        #expect(changes == 2, "nothing is told where nothing changed")
        desk.source.failures = ["list": [.noNetwork], "tracks": [.noNetwork]]
        let stored = try await desk.service.playlists()
        #expect(stored.rows.map(\.playlist) == [one, two])
        #expect(stored.notice?.hasPrefix("shown as it was read last: no network") == true)
        let kept = try await desk.service.tracks(of: one.reference, matching: "Title 2")
        #expect(kept.rows.map(\.track) == [track(2)] && kept.notice != nil)
        let calls = desk.source.calls.count
        desk.rig.connectivity.setOfflineMode(true)
        #expect(try await desk.service.playlists().notice == nil)
        #expect(try await desk.service.tracks(of: one.reference, matching: nil).rows.count == 2)
        #expect(
            await desk.failure { () async throws(Failure) in
                _ = try await desk.service.tracks(of: two.reference, matching: nil)
            }?.code == .offline)
        #expect(desk.source.calls.count == calls, "offline mode asks nothing")
    }

    @Test("VK that hangs is waited for eight seconds where something is stored, and what comes later is taken over")
    func hanging() async throws {
        try await desk.signIn()
        desk.source.put(one, [track(1)])
        _ = try await desk.service.playlists()
        desk.source.put(two, [])
        desk.source.latch.shut()
        async let asked = desk.service.playlists()
        #expect(await until { desk.rig.time.waits == [.seconds(8)] })
        desk.rig.time.advance(by: .seconds(8))
        let shown = try await asked
        #expect(shown.rows.count == 1 && shown.notice == "shown as it was read last: VK does not answer")
        desk.source.latch.open()
        let store = desk.store
        for _ in 0..<100 where try await store.playlists().count < 2 { await settle() }
        #expect(try await store.playlists().count == 2 && desk.rig.time.waits.isEmpty)
    }

    @Test("two who ask at once share one reading")
    func shared() async throws {
        try await desk.signIn()
        desk.source.put(one, [track(1)])
        desk.source.latch.shut()
        let first = Task { try await desk.service.tracks(of: one.reference, matching: nil) }
        let second = Task { try await desk.service.tracks(of: one.reference, matching: nil) }
        #expect(await until { desk.source.latch.held == 1 })
        await settle()
        desk.source.latch.open()
        #expect(try await [first.value, second.value].map(\.rows.count) == [1, 1])
        #expect(desk.source.calls == ["describe", "tracks"])
    }

    @Test("nothing is lost by one short answer, nor by an empty one that VK's description belies")
    func doubt() async throws {
        try await desk.signIn()
        desk.source.put(one, [track(1), track(2)])
        _ = try await desk.service.playlists()
        _ = try await desk.service.tracks(of: one.reference, matching: nil)
        desk.source.tracks[one.id] = []
        let doubted = try await desk.service.tracks(of: one.reference, matching: nil)
        #expect(doubted.rows.count == 2 && doubted.notice?.contains("suddenly shows no track") == true)
        desk.source.playlists[0].count = 0
        #expect(try await desk.service.tracks(of: one.reference, matching: nil).rows.isEmpty)
        desk.source.playlists = []
        desk.source.tracks[one.id] = []
        let list = try await desk.service.playlists()
        #expect(list.rows.count == 1 && list.notice?.contains("suddenly shows no playlist") == true)
        desk.source.tracks[one.id] = nil
        #expect(try await desk.service.playlists().rows.isEmpty)
    }

    @Test("a list VK makes anew shows what it holds now, a foreign one is read by its address and stays known")
    func generatedAndForeign() async throws {
        try await desk.signIn()
        let mix = PlaylistRig.playlist(-21)
        desk.source.put(mix, [track(1), track(2)])
        _ = try await desk.service.tracks(of: mix.reference, matching: nil)
        desk.source.tracks[mix.id] = [track(8), track(9)]
        let now = try await desk.service.tracks(of: mix.reference, matching: nil)
        #expect(now.rows.map(\.track) == [track(8), track(9)] && now.notice == nil)
        let foreign = try #require(PlaylistReference("https://vk.com/music/playlist/-5_7_ab"))
        desk.source.put(PlaylistRig.playlist(7, owner: -5), [track(3)], listed: false)
        #expect(try await desk.service.tracks(of: foreign, matching: nil).rows.count == 1)
        #expect(try await desk.service.known(foreign.id)?.accessKey == "ab")
        desk.source.failures = ["tracks": [.noNetwork]]
        #expect(try await desk.service.tracks(of: foreign, matching: nil).rows.count == 1)
        #expect(
            await desk.failure { () async throws(Failure) in
                _ = try await desk.service.tracks(of: PlaylistRig.playlist(404).reference, matching: nil)
            }?.code == .notFound)
    }

    @Test("a login without the list's method still opens playlists and is not called useless")
    func missingMethod() async throws {
        try await desk.signIn()
        let missing = Failure(.unsupported, "VK keeps playlists from this login's client")
        desk.source.put(one, [track(1)])
        desk.source.failures = ["list": [missing], "describe": [missing]]
        #expect(await desk.failure { () async throws(Failure) in _ = try await desk.service.playlists() } == missing)
        #expect(try await desk.service.tracks(of: one.reference, matching: nil).rows.count == 1)
        #expect(desk.rig.account.isUsable)
    }

    @Test("signed out there are none")
    func signedOut() async throws {
        let desk = PlaylistRig()
        try await desk.rig.account.logout()
        #expect(
            await desk.failure { () async throws(Failure) in
                _ = try await desk.service.playlists()
            }?.code == .notSignedIn)
    }
}

@Suite("Changing playlists", .timeLimit(.minutes(1)))
struct PlaylistChangeServiceTests {
    let desk = PlaylistRig()
    private let one = PlaylistRig.playlist(1)
    private let lost = Failure(.timeout, "late", retry: .later)

    private func creations() -> Int { desk.source.calls.count { $0 == "create" } }

    @Test("a new playlist is on top of the list")
    func create() async throws {
        try await desk.signIn()
        desk.source.put(one, [])
        let made = try await desk.service.create("  New one ")
        #expect(made.playlist.title == "New one")
        #expect(try await desk.store.playlists().map(\.playlist.title) == ["New one", "P1"])
        #expect(
            await desk.failure { () async throws(Failure) in _ = try await desk.service.create(" ") }?.code
                == .badArgument)
    }

    @Test("after a lost answer it is looked for before it is made again, one of the same title notwithstanding")
    func lostAnswer() async throws {
        try await desk.signIn()
        desk.source.put(Playlist(id: PlaylistID(owner: 1, number: 5), title: "New"), [])
        desk.source.failures = ["create": [lost]]
        desk.source.acting = ["create"]
        let made = try await desk.patiently { try await desk.service.create("New") }
        #expect(made.playlist.id.number != 5 && creations() == 1 && desk.source.playlists.count == 2)
        desk.source.acting = []
        desk.source.failures = ["create": [lost]]
        _ = try await desk.patiently { try await desk.service.create("New") }
        #expect(creations() == 3 && desk.source.playlists.count == 3, "it was not made: asked once more")
        desk.source.failures = ["create": [lost], "list": [nil, .noNetwork]]
        let failure = await #expect(throws: Failure.self) {
            _ = try await desk.patiently { try await desk.service.create("New") }
        }
        #expect(failure?.message.contains("did not say whether") == true && creations() == 4)
    }

    @Test("adding keeps the order, asks for nothing twice and says how many were new")
    func add() async throws {
        try await desk.signIn()
        desk.source.put(one, [track(1)])
        _ = try await desk.service.playlists()
        let wanted = [track(3), track(1), track(2), track(3)].map(\.reference)
        #expect(try await desk.service.add(wanted, to: one.reference) == 2)
        #expect(desk.source.added == [[track(3).id, track(2).id]])
        #expect(try await desk.store.tracks(of: one.id, matching: nil)?.map(\.track.id.audio) == [1, 3, 2])
        #expect(try await desk.service.add(wanted, to: one.reference) == 0)
        #expect(desk.source.added.count == 1)
    }

    @Test("an addition whose answer was lost is not made twice", arguments: [true, false])
    func addLost(acts: Bool) async throws {
        try await desk.signIn()
        desk.source.put(one, [])
        desk.source.failures = ["add": [lost]]
        desk.source.acting = acts ? ["add"] : []
        let many = (1...150).map { track($0) }
        let count = try await desk.patiently { try await desk.service.add(many.map(\.reference), to: one.reference) }
        #expect(count == 150)
        #expect(desk.source.tracks[one.id]?.map(\.id) == many.map(\.id))
        #expect(desk.source.added.map(\.count) == (acts ? [100, 50] : [100, 100, 50]))
    }

    @Test("removing takes out what is there, and says so where nothing is")
    func remove() async throws {
        try await desk.signIn()
        desk.source.put(one, [track(1), track(2), track(3)])
        #expect(try await desk.service.remove([track(2), track(9)].map(\.reference), from: one.reference) == 1)
        #expect(try await desk.store.tracks(of: one.id, matching: nil)?.map(\.track.id.audio) == [1, 3])
        let failure = await desk.failure { () async throws(Failure) in
            _ = try await desk.service.remove([track(9).reference], from: one.reference)
        }
        #expect(failure?.code == .notFound)
    }

    @Test("deleting says whether it was one's own; a followed one goes by what VK follows it as")
    func delete() async throws {
        try await desk.signIn()
        var followed = PlaylistRig.playlist(7, owner: -5, followed: true)
        followed.follow = PlaylistID(owner: 1, number: 70)
        desk.source.put(one, [track(1)])
        desk.source.put(followed, [])
        _ = try await desk.service.playlists()
        #expect(try await desk.service.delete(one.reference).isFollowed == false)
        #expect(try await desk.service.delete(followed.reference).isFollowed)
        #expect(desk.source.playlists.isEmpty)
        #expect(try await desk.store.playlists().isEmpty)
        let failure = await desk.failure { () async throws(Failure) in
            _ = try await desk.service.delete(PlaylistRig.playlist(404).reference)
        }
        #expect(failure?.code == .notFound)
    }

    @Test("renaming shows at once; what is followed or made by VK cannot be changed, and VK is not asked")
    func rename() async throws {
        try await desk.signIn()
        desk.source.put(one, [])
        desk.source.put(PlaylistRig.playlist(7, owner: -5, followed: true), [])
        _ = try await desk.service.playlists()
        try await desk.service.rename(one.reference, to: "Other")
        #expect(try await desk.store.playlists().map(\.playlist.title) == ["Other", "P7"])
        let calls = desk.source.calls.count
        for other in [PlaylistRig.playlist(7, owner: -5), PlaylistRig.playlist(-3)] {
            let failure = await desk.failure { () async throws(Failure) in
                try await desk.service.rename(other.reference, to: "x")
            }
            #expect(failure?.code == .denied)
        }
        #expect(desk.source.calls.count == calls)
    }

    @Test("recommendations are known from then on")
    func recommendations() async throws {
        try await desk.signIn()
        desk.source.recommended = [track(1), track(2)]
        #expect(try await desk.service.recommendations(like: nil).map(\.track) == [track(1), track(2)])
        #expect(try await desk.rig.library.tracks([track(2).id]).count == 1)
    }
}
