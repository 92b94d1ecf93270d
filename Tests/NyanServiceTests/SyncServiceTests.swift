import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

@Suite("A sync that runs", .timeLimit(.minutes(1)))
struct SyncServiceTests {
    let rig = Rig()

    @Test("tells how far it is after each page, and that it is over")
    func progress() async throws {
        rig.source.profile = (1...450).map { track($0) }
        var told: [SyncProgress?] = []
        rig.librarian.syncs.onProgress = { told.append($0) }
        _ = try await rig.librarian.sync()
        let steps = [200, 400, 450].map { SyncProgress(read: $0, total: 450) }
        #expect(told == steps + [nil])
    }

    @Test("is stopped by offline mode at once, though its page is still waited for")
    func offline() async throws {
        rig.source.profile = [track(1)]
        await rig.account.ready()
        rig.source.pageLatch.shut()
        let sync = Task { () -> Failure? in
            do { _ = try await rig.librarian.sync() } catch { return error as? Failure }
            return nil
        }
        #expect(await until { rig.source.pageLatch.held == 1 })
        rig.connectivity.setOfflineMode(true)
        await settle()
        rig.source.pageLatch.open()
        #expect(await sync.value?.code == .offline)
        #expect(rig.library.profileNow.isEmpty && !rig.librarian.syncs.isRunning)
        rig.connectivity.setOfflineMode(false)
        #expect(try await rig.librarian.sync().total == 1)
    }

    @Test("does not undo a change that was made while the library was asked about new tracks, nor writes for another")
    func lateChange() async throws {
        rig.source.profile = [track(1), track(2)]
        rig.library.put(profile: [track(1)])
        await rig.account.ready()
        rig.library.departedLatch.shut()
        let sync = Task { try await rig.librarian.sync() }
        #expect(await until { rig.library.departedLatch.held == 1 })
        rig.librarian.changes.note(.added(track(3)))
        rig.library.departedLatch.open()
        _ = try await sync.value
        #expect(rig.library.profileNow == [track(3), track(1), track(2)].map(\.id))
        rig.source.profile = [track(4), track(3), track(1), track(2)]
        rig.library.departedLatch.shut()
        let stale = Task { try? await rig.librarian.sync() }
        #expect(await until { rig.library.departedLatch.held == 1 })
        try await rig.account.logout()
        rig.library.departedLatch.open()
        #expect(await stale.value == nil && rig.library.profileNow.isEmpty)
    }

    @Test("is not joined by who asks after it was stopped")
    func afterStop() async throws {
        rig.source.profile = [track(1)]
        await rig.account.ready()
        rig.source.pageLatch.shut()
        let old = Task { try? await rig.librarian.sync() }
        #expect(await until { rig.source.pageLatch.held == 1 })
        rig.connectivity.setOfflineMode(true)
        await settle()
        rig.connectivity.setOfflineMode(false)
        let new = Task { try await rig.librarian.sync() }
        #expect(await until { rig.source.pages == 2 })
        rig.source.pageLatch.open()
        #expect(await old.value == nil)
        #expect(try await new.value.total == 1)
        #expect(!rig.librarian.syncs.isRunning)
    }

    /// A clock that stands where the test puts it.
    final class HandClock: SleepClock {
        var time: ManualTime
        var asleep = Duration.zero
        var awake: Duration { time.now }
        init(_ time: ManualTime) { self.time = time }
    }

    func periodic() async -> (PeriodicSync, HandClock) {
        await rig.account.ready()
        let clock = HandClock(rig.time)
        let periodic = PeriodicSync(
            syncs: rig.librarian.syncs, account: rig.account, connectivity: rig.connectivity, hub: rig.hub,
            time: rig.time, clock: clock)
        periodic.start(interval: .seconds(1800), firstAfter: .seconds(2))
        await settle()
        return (periodic, clock)
    }

    @Test("comes by itself in pauses, also after a long sleep, and never while offline mode is on")
    func comesByItself() async throws {
        rig.source.profile = [track(1)]
        let (periodic, clock) = await periodic()
        rig.time.advance(by: .seconds(2))
        #expect(await until { rig.library.profileNow.count == 1 })
        await settle()
        #expect(rig.time.waits == [.seconds(1800)])
        clock.asleep = .seconds(7200)
        periodic.woke()
        await settle()
        #expect(rig.time.waits == [.seconds(1)])
        rig.connectivity.setOfflineMode(true)
        await settle()
        #expect(rig.time.waits.isEmpty)
        rig.time.advance(by: .seconds(9000))
        await settle()
        #expect(rig.source.pages == 1)
        rig.connectivity.setOfflineMode(false)
        #expect(await until { rig.source.pages == 2 })
        await settle()
        #expect(rig.time.waits == [.seconds(1800)])
    }

    @Test("that met no network is made up for when routes change, and in growing pauses until then")
    func makesUp() async throws {
        rig.source.profile = [track(1)]
        rig.source.failures = [.noNetwork, .noNetwork]
        let (periodic, _) = await periodic()
        rig.time.advance(by: .seconds(2))
        #expect(await until { !rig.connectivity.isOnline && rig.time.waits == [.seconds(5)] })
        rig.time.advance(by: .seconds(5))
        #expect(await until { rig.time.waits == [.seconds(10)] })
        periodic.networkChanged()
        await settle()
        #expect(rig.time.waits == [.seconds(1)])
        rig.time.advance(by: .seconds(1))
        #expect(await until { rig.connectivity.isOnline && rig.time.waits == [.seconds(1800)] })
        #expect(rig.library.profileNow.count == 1)
    }

    @Test("is not waited for while nobody is signed in")
    func signedOut() async throws {
        let (periodic, _) = await periodic()
        #expect(rig.time.waits == [.seconds(2)])
        try await rig.account.logout()
        await settle()
        #expect(rig.time.waits.isEmpty)
        withExtendedLifetime(periodic) {}
    }

    @Test("Changed routes are a reason to ask whether the network is back: only if it was gone, and a few times only")
    func routes() async throws {
        let network = NetworkReturn(
            connectivity: rig.connectivity, http: rig.http, time: rig.time, address: { "https://api.test" })
        network.routesChanged()
        await settle()
        #expect(rig.time.waits.isEmpty)
        rig.connectivity.failed(.noNetwork)
        network.routesChanged()
        for (number, pause) in [1, 4, 15].enumerated() {
            #expect(await until { rig.time.waits == [.seconds(pause)] })
            rig.time.advance(by: .seconds(pause))
            #expect(await until { rig.http.requests == number + 1 })
        }
        await settle()
        #expect(rig.time.waits.isEmpty && !rig.connectivity.isOnline)
        rig.http.answer = HTTPResponse(status: 404, headers: [:], body: [])
        network.routesChanged()
        await settle()
        rig.time.advance(by: .seconds(1))
        #expect(await until { rig.connectivity.isOnline })
        rig.connectivity.failed(.noNetwork)
        rig.connectivity.setOfflineMode(true)
        network.routesChanged()
        await settle()
        #expect(rig.time.waits.isEmpty && rig.http.requests == 4)
    }
}
