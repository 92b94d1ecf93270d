import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Keys and a journal that cannot be read at once, and several who want to change them.
@Suite("Scrobbling keys", .serialized, .timeLimit(.minutes(1)))
struct ScrobbleKeysTests {
    private static let late = Failure(.timeout, "the keyring does not answer", retry: .later)

    /// What a run leaves that is signed in at both sites.
    private func both() async throws -> ScrobbleRig {
        let world = ScrobbleRig()
        await world.scrobbles.start()
        try await world.signIn()
        try await joinLastFM(world)
        return world
    }

    private func joinLastFM(_ world: ScrobbleRig) async throws {
        _ = try await world.scrobbles.beginConsent(apiKey: Secret("key"), sharedSecret: Secret("secret"))
        world.lastfm.isAllowed = true
        _ = try await world.scrobbles.finishConsent()
    }

    private func next(_ before: ScrobbleRig) -> ScrobbleRig {
        ScrobbleRig(journal: before.journal, keys: before.keys)
    }

    @Test("A logout and a login at once: the one key goes, the other stays, whoever comes first")
    func atOnce() async throws {
        let world = ScrobbleRig()
        await world.scrobbles.start()
        try await joinLastFM(world)
        world.keys.gate.shut()
        async let out = world.scrobbles.signOut(.lastfm)
        async let login: Void = world.signIn()
        #expect(await until { world.keys.gate.held > 0 })
        await settle()
        world.keys.gate.open()
        _ = try await (out, login)
        #expect(Array(world.keys.stored.keys) == [.listenbrainz])
        #expect(try await world.scrobbles.reports().map(\.site) == [.listenbrainz])
    }

    @Test("A keyring that was too slow at the start is tried again by itself")
    func slowKeyring() async throws {
        let before = try await both()
        before.keys.fail(Self.late)
        let world = next(before)
        await world.scrobbles.start()
        try await world.hear([brief(1)])
        #expect(world.scrobbles.problem?.message == "scrobbling waits: the keyring does not answer")
        world.keys.fail(nil)
        await world.wait(60)
        #expect(world.brainz.taken == ["Title 1"] && world.lastfm.taken == ["Title 1"])
        #expect(world.scrobbles.problem == nil)
        world.rig.player.perform(.stop)
        await settle()
        #expect(world.rig.time.waits.allSatisfy { $0 < .seconds(10) }, "nothing is tried any more")
    }

    @Test("A login at one site gives the other one its keys, too, where they could not be read before")
    func loginHeals() async throws {
        let before = try await both()
        before.keys.fail(Failure(.denied, "locked"))
        let world = next(before)
        await world.scrobbles.start()
        world.keys.fail(nil)
        try await world.signIn()
        try await world.hear([brief(1)])
        #expect(world.brainz.taken == ["Title 1"] && world.lastfm.taken == ["Title 1"])
        #expect(try await world.scrobbles.reports().allSatisfy { $0.problem == nil })
    }

    @Test("A journal that cannot be read at the start is read later, and what counted meanwhile is not lost")
    func slowJournal() async throws {
        let before = try await both()
        before.journal.fail(Failure(.fileAccess, "the disk is not there yet"))
        let world = next(before)
        await world.scrobbles.start()
        #expect(world.scrobbles.problem?.message == "scrobbling: the disk is not there yet")
        try await world.hear([brief(1)])
        world.journal.fail(nil)
        await world.wait(60)
        #expect(await until { world.brainz.taken == ["Title 1"] && world.lastfm.taken == ["Title 1"] })
        #expect(world.scrobbles.problem == nil)
    }

    @Test("A keyring that tells of itself again and again is read once more, not each time")
    func burst() async throws {
        let before = try await both()
        before.keys.fail(Self.late)
        let world = next(before)
        await world.scrobbles.start()
        world.keys.fail(nil)
        let loads = world.keys.loads
        world.keys.gate.shut()
        for _ in 0..<10 {
            world.scrobbles.storeMayWork()
            await settle()
        }
        world.keys.gate.open()
        #expect(await until { world.scrobbles.problem == nil })
        await settle()
        #expect(world.keys.loads - loads == 2)
    }

    @Test("Keys that are read once more and are the same break nothing off")
    func sameKeys() async throws {
        let before = try await both()
        try await before.keys.save(before.keys.stored.filter { $0.key == .listenbrainz })
        let world = next(before)
        await world.scrobbles.start()
        world.brainz.gate.shut()
        try await world.hear([brief(1)])
        #expect(await until { world.brainz.gate.held == 1 })
        let loads = world.keys.loads
        world.scrobbles.storeMayWork()
        #expect(await until { world.keys.loads > loads })
        await settle()
        world.brainz.gate.open()
        #expect(await until { world.journal.titles(.listenbrainz).isEmpty })
        await settle()
        #expect(world.brainz.keysSeen.count == 1 && world.brainz.taken == ["Title 1"])
    }

    @Test("Keys that are gone are told of their own site, and of no other")
    func gone() async throws {
        let before = try await both()
        try await before.keys.save(before.keys.stored.filter { $0.key == .listenbrainz })
        let world = next(before)
        await world.scrobbles.start()
        let reports = try await world.scrobbles.reports()
        #expect(reports.first { $0.site == .listenbrainz }?.problem == nil)
        #expect(reports.first { $0.site == .lastfm }?.problem?.message.contains("keys for Last.fm are gone") == true)
        #expect(world.scrobbles.problem?.message.contains("Last.fm") == true)
        _ = try await world.scrobbles.signOut(.lastfm)
        #expect(world.scrobbles.problem == nil)
    }
}
