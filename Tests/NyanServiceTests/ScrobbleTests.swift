import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// A player that is scrobbled, over fakes.
final class ScrobbleRig {
    let rig = Rig()
    let brainz = ScriptedSite()
    let lastfm = ScriptedSite()
    let journal: MemoryScrobbles
    let keys: MemoryScrobbleKeys
    let scrobbles: ScrobbleService

    /// `journal`, `keys`: what an earlier run left.
    init(journal: MemoryScrobbles = MemoryScrobbles(), keys: MemoryScrobbleKeys = MemoryScrobbleKeys()) {
        self.journal = journal
        self.keys = keys
        scrobbles = ScrobbleService(
            clients: .init(listenBrainz: brainz, lastFM: lastfm), journal: journal, keyStore: keys, player: rig.player,
            connectivity: rig.connectivity, hub: rig.hub, time: rig.time, log: Log(level: .error),
            wallClock: { [time = rig.time] in 1_790_000_000 + Int64(time.now / .seconds(1)) })
    }

    func signIn() async throws { _ = try await scrobbles.signIn(token: Secret("token")) }

    /// Time passes, a second at a time, as the player sees it.
    func wait(_ seconds: Int) async {
        for _ in 0..<seconds {
            rig.time.advance(by: .seconds(1))
            _ = await until { !self.rig.player.isTicking || self.rig.time.waits.contains { $0 <= .seconds(1) } }
        }
        await settle()
    }

    /// Plays these one after the other, each to more than half and less than whole, and takes the next.
    func hear(_ tracks: [Track]) async throws {
        for track in tracks {
            try await rig.play([track])
            await wait(track.duration / 2 + 2)
        }
    }
}

/// A track of 40 seconds: 20 of them count.
func brief(_ number: Int64) -> Track {
    Track(id: TrackID(owner: 7, audio: number), artist: "Artist \(number)", title: "Title \(number)", duration: 40)
}

private let gone = ScrobbleRefusal(.later(Failure(.network, "gone", retry: .later), seconds: nil))
private let unknown = ScrobbleRefusal(.stopped(Failure(.denied, "who?")))

@Suite(.serialized, .timeLimit(.minutes(1)))
struct ScrobbleTests {
    @Test("Without a login nothing is listened to, kept or sent")
    func silent() async throws {
        let world = ScrobbleRig()
        await world.scrobbles.start()
        try await world.hear([brief(1)])
        #expect(world.rig.player.onPlay == nil && world.brainz.calls.isEmpty && world.journal.titles(.lastfm) == [])
        #expect(try await world.scrobbles.reports() == [])
    }

    @Test("What plays is told, then that it was listened to, to each site somebody is signed in at")
    func both() async throws {
        let world = ScrobbleRig()
        await world.scrobbles.start()
        try await world.signIn()
        _ = try await world.scrobbles.beginConsent(apiKey: Secret("key"), sharedSecret: Secret("secret"))
        await #expect(throws: Failure.self) { _ = try await world.scrobbles.finishConsent() }
        world.lastfm.isAllowed = true
        #expect(try await world.scrobbles.finishConsent() == "anna")
        try await world.hear([brief(1)])
        #expect(world.brainz.calls == [["now Title 1"], ["Title 1"]])
        #expect(world.lastfm.calls == [["now Title 1"], ["Title 1"]])
        #expect(world.journal.titles(.listenbrainz) == [])
        let reports = try await world.scrobbles.reports()
        #expect(reports.map(\.sent) == [1, 1] && reports.allSatisfy { $0.problem == nil })
        #expect(world.lastfm.keysSeen.last?.token == Secret("session"))
    }

    @Test("Offline days are kept, over a restart too, and go out in batches by themselves")
    func offline() async throws {
        let world = ScrobbleRig()
        await world.scrobbles.start()
        try await world.signIn()
        world.brainz.refusals = Array(repeating: gone, count: 100)
        try await world.hear((1...12).map { brief($0) })
        #expect(world.brainz.refusals.count > 80, "it is not asked all the time")
        #expect(world.journal.titles(.listenbrainz).count == 12)
        await world.scrobbles.shutDown()
        let next = ScrobbleRig(journal: world.journal, keys: world.keys)
        await next.scrobbles.start()
        #expect(await until { next.brainz.calls.count == 2 })
        #expect(next.brainz.calls.map(\.count) == [10, 2])
        #expect(next.brainz.taken == (1...12).map { "Title \($0)" })
    }

    @Test("In offline mode nothing leaves the house; what counted goes when it ends")
    func offlineMode() async throws {
        let world = ScrobbleRig()
        await world.scrobbles.start()
        try await world.signIn()
        try await world.rig.play([brief(1)])
        world.rig.connectivity.setOfflineMode(true)
        world.rig.hub.flush()
        await world.wait(30)
        #expect(world.brainz.calls.isEmpty, "not even what plays")
        #expect(world.journal.titles(.listenbrainz) == ["Title 1"])
        #expect(world.rig.time.waits.allSatisfy { $0 <= .seconds(2) }, "nothing waits to try again")
        world.rig.connectivity.setOfflineMode(false)
        world.rig.hub.flush()
        #expect(await until { world.brainz.taken == ["Title 1"] })
    }

    @Test("Trouble is waited out and ends with the network's return; each listen arrives once")
    func trouble() async throws {
        let world = ScrobbleRig()
        await world.scrobbles.start()
        try await world.signIn()
        // The word about what plays comes through.
        world.brainz.refusals = [nil, gone]
        try await world.hear([brief(1)])
        #expect(world.brainz.taken.isEmpty && world.journal.titles(.listenbrainz) == ["Title 1"])
        #expect(try await world.scrobbles.reports().first?.problem?.code == .network)
        #expect(world.scrobbles.problem == nil, "what passes by itself is no matter for the daemon's status")
        world.scrobbles.mayReach()
        #expect(await until { world.brainz.taken == ["Title 1"] })
        world.brainz.refusals = [nil, gone]
        try await world.hear([brief(2)])
        await world.wait(40)
        #expect(world.brainz.taken == ["Title 1", "Title 2"])
        #expect(try await world.scrobbles.reports().first?.problem == nil)
    }

    @Test("A token that is refused stops everything, is told as a problem, and listens are kept for the next login")
    func refused() async throws {
        let world = ScrobbleRig()
        await world.scrobbles.start()
        try await world.signIn()
        world.brainz.refusals = [nil, unknown]
        try await world.hear([brief(1), brief(2)])
        #expect(world.scrobbles.problem?.code == .denied)
        #expect(world.brainz.calls == [["now Title 1"]], "nothing more is tried")
        #expect(world.journal.titles(.listenbrainz) == ["Title 1", "Title 2"])
        try await world.signIn()
        #expect(await until { world.brainz.taken == ["Title 1", "Title 2"] })
        #expect(world.scrobbles.problem == nil)
    }

    @Test("A login that is refused, or cannot be kept, changes nothing")
    func logins() async throws {
        let world = ScrobbleRig()
        await world.scrobbles.start()
        world.brainz.refusals = [unknown]
        await #expect(throws: Failure.self) { try await world.signIn() }
        await #expect(throws: Failure.self) { _ = try await world.scrobbles.signIn(token: Secret("two words")) }
        await #expect(throws: Failure.self) { _ = try await world.scrobbles.finishConsent() }
        world.keys.fail(Failure(.denied, "locked"))
        await #expect(throws: Failure.self) { try await world.signIn() }
        world.keys.fail(nil)
        #expect(world.keys.stored.isEmpty)
        #expect(try await world.scrobbles.reports() == [])
        world.rig.connectivity.setOfflineMode(true)
        await #expect(throws: Failure.self) { try await world.signIn() }
    }

    @Test("Keys that cannot be read are healed by a login, and a journal that was set aside is told until then")
    func spoilt() async throws {
        let world = ScrobbleRig(journal: MemoryScrobbles(notice: Failure(.fileAccess, "it was damaged")))
        world.keys.spoil()
        await world.scrobbles.start()
        #expect(world.scrobbles.problem?.message.contains("it was damaged") == true)
        try await world.signIn()
        #expect(world.scrobbles.problem == nil && world.keys.stored.keys.contains(.listenbrainz))
        _ = try await world.scrobbles.beginConsent(apiKey: Secret("key"), sharedSecret: Secret("secret"))
        world.lastfm.isAllowed = true
        _ = try await world.scrobbles.finishConsent()
        world.keys.spoil()
        _ = try await world.scrobbles.signOut(.lastfm)
        #expect(Array(world.keys.stored.keys) == [.listenbrainz], "the other one's stay")
    }

    @Test("Logging out leaves no key and no listen behind")
    func logout() async throws {
        let world = ScrobbleRig()
        await world.scrobbles.start()
        try await world.signIn()
        world.brainz.refusals = [nil, gone]
        try await world.hear([brief(1)])
        #expect(try await world.scrobbles.signOut(.listenbrainz) == 1)
        #expect(world.keys.stored.isEmpty && world.rig.player.onPlay == nil)
        #expect(try await world.scrobbles.reports() == [])
        world.scrobbles.mayReach()
        await settle()
        #expect(world.brainz.taken == [])
    }

    @Test("While the keyring is locked listens are kept, and go once it can be read")
    func locked() async throws {
        let before = ScrobbleRig()
        await before.scrobbles.start()
        try await before.signIn()
        before.keys.fail(Failure(.denied, "the keyring is locked", retry: .later))
        let world = ScrobbleRig(journal: before.journal, keys: before.keys)
        await world.scrobbles.start()
        try await world.hear([brief(1)])
        #expect(world.scrobbles.problem?.message == "scrobbling waits: the keyring is locked")
        #expect(world.journal.titles(.listenbrainz) == ["Title 1"] && world.brainz.calls.isEmpty)
        world.keys.fail(nil)
        world.scrobbles.storeMayWork()
        #expect(await until { world.brainz.taken == ["Title 1"] })
        #expect(world.scrobbles.problem == nil)
    }

    @Test("A full disk is told, and what was counted meanwhile is written when there is room")
    func fullDisk() async throws {
        let world = ScrobbleRig()
        await world.scrobbles.start()
        try await world.signIn()
        world.journal.fail(Failure(.diskFull, "no room", retry: .later))
        try await world.hear([brief(1)])
        #expect(world.scrobbles.problem?.code == .diskFull && world.brainz.taken == [])
        world.journal.fail(nil)
        try await world.hear([brief(2)])
        #expect(await until { world.brainz.taken == ["Title 1", "Title 2"] })
        #expect(world.scrobbles.problem == nil)
    }

    @Test("What counts only by the program's end is kept")
    func atTheEnd() async throws {
        let world = ScrobbleRig()
        await world.scrobbles.start()
        try await world.signIn()
        try await world.rig.play([brief(1)])
        await world.wait(19)
        world.rig.connectivity.setOfflineMode(true)
        world.rig.time.advance(by: .seconds(1))
        await world.rig.player.shutDown()
        await world.scrobbles.shutDown()
        #expect(world.journal.titles(.listenbrainz) == ["Title 1"])
    }
}
