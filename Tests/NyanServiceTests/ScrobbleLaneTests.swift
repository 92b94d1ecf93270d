import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// A site that answers after ten minutes, unless it is told to answer at once; it notes which calls were broken off.
private final class SlowSite: ScrobbleClient {
    let batch = 10
    let time: ManualTime
    var isSlow = true
    private(set) var calls = 0
    private(set) var brokenOff = 0

    init(_ time: ManualTime) { self.time = time }

    func submit(_ listens: [Listen], _ keys: ScrobbleKeys) async throws(ScrobbleRefusal) -> [ListenVerdict] {
        try await call()
        return listens.map { _ in .taken }
    }

    func nowPlaying(_ listen: Listen, _ keys: ScrobbleKeys) async throws(ScrobbleRefusal) { try await call() }

    private func call() async throws(ScrobbleRefusal) {
        calls += 1
        guard isSlow else { return }
        do { try await time.wait(for: .seconds(600)) } catch {
            brokenOff += 1
            throw ScrobbleRefusal(.later(Failure(.cancelled, "broken off"), seconds: nil))
        }
    }
}

@Suite("A lane to a site", .serialized, .timeLimit(.minutes(1)))
struct ScrobbleLaneTests {
    private let time = ManualTime()
    private let journal = MemoryScrobbles()
    private let site: SlowSite
    private let lane: ScrobbleLane
    private let listen = Listen(artist: "A", title: "T", seconds: 180, began: 1_790_000_000)

    init() {
        site = SlowSite(time)
        lane = ScrobbleLane(.listenbrainz, client: site, journal: journal, time: time, log: Log(level: .error))
    }

    /// Somebody is signed in, and so many listens wait.
    private func begin(_ count: Int) async throws {
        try await journal.enrol(.listenbrainz, name: "anna")
        for _ in 0..<count { _ = try await journal.add(listen) }
        lane.use(ScrobbleKeys(token: Secret("one")))
        lane.use(network: true)
    }

    @Test("Offline mode ends what is under way, a batch and a word about what plays; the listens go afterwards, once")
    func offline() async throws {
        try await begin(1)
        lane.look(waiting: 1)
        lane.tell(listen)
        #expect(await until { site.calls == 2 })
        lane.use(network: false)
        #expect(await until { site.brokenOff == 2 })
        await settle()
        #expect(time.waits.isEmpty && site.calls == 2 && journal.titles(.listenbrainz).count == 1)
        #expect(lane.problem == nil, "being told to be silent is no trouble")
        site.isSlow = false
        lane.use(network: true)
        #expect(await until { journal.titles(.listenbrainz).isEmpty })
        #expect(site.calls == 3)
    }

    @Test("A batch that ends while new keys come begins no second one beside theirs")
    func newKeys() async throws {
        try await begin(25)
        site.isSlow = false
        journal.gate.shut()
        lane.look(waiting: 25)
        // It is answered, and asks the journal how many wait now.
        #expect(await until { journal.gate.held == 1 })
        site.isSlow = true
        lane.use(ScrobbleKeys(token: Secret("two")))
        #expect(await until { site.calls == 2 })
        journal.gate.open()
        await settle()
        #expect(site.calls == 2, "one batch at a time")
        #expect(time.waits == [.seconds(600)])
    }

    @Test("What another account sent is not counted to the new one")
    func otherAccount() async throws {
        try await begin(3)
        lane.look(waiting: 3)
        #expect(await until { time.waits.count == 1 })
        // The answer is there already when the login comes.
        time.advance(by: .seconds(600))
        lane.use(nil)
        try await journal.enrol(.listenbrainz, name: "boris")
        await settle()
        #expect(try await journal.reports().map(\.sent) == [0])
    }
}
