import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Sync, and what is asked of VK.
@Suite(.timeLimit(.minutes(1)))
struct LibraryTests {
    let rig = Rig()

    @Test("Two who sync at once share one reading and one outcome")
    func singleFlight() async throws {
        rig.source.profile = [track(1), track(2), track(3, available: false)]
        rig.source.latch.shut()
        // Children of `async let` begin when they like; these begin in this order on the main actor.
        let first = Task { try await rig.librarian.sync() }
        let second = Task { try await rig.librarian.sync() }
        #expect(await until { rig.source.latch.held == 1 })
        await settle()
        rig.source.latch.open()
        let outcomes = try await [first.value, second.value]
        #expect(outcomes[0] == SyncOutcome(total: 3, added: 3, removed: 0, unavailable: 1))
        #expect(outcomes[0] == outcomes[1] && rig.source.pages == 1)
        let third = try await rig.librarian.sync()
        #expect(third.added == 0 && rig.source.pages == 2)
    }

    @Test("A sync that fails changes nothing and can be asked for again")
    func failing() async throws {
        rig.library.put(profile: [track(1)])
        rig.source.failures = [.noNetwork]
        await #expect(throws: Failure.self) { _ = try await rig.librarian.sync() }
        #expect(rig.library.profileNow == [track(1).id] && !rig.connectivity.isOnline)
        rig.source.profile = [track(1)]
        #expect(try await rig.librarian.sync().total == 1)
        #expect(rig.connectivity.isOnline)
    }

    @Test("A profile that is still being read when somebody else signs in is not taken for theirs")
    func otherAccount() async throws {
        rig.source.profile = [track(1)]
        rig.source.latch.shut()
        let old = Task { try? await rig.librarian.sync() }
        #expect(await until { rig.source.latch.held == 1 })
        try await rig.account.logout()
        rig.source.latch.open()
        #expect(await old.value == nil)
        #expect(rig.library.profileNow.isEmpty && !rig.library.writes.contains("apply"))
    }

    @Test("After a login a sync does not join the one of the account before")
    func freshSync() async throws {
        rig.source.profile = [track(1)]
        await rig.account.ready()
        rig.source.pageLatch.shut()
        let old = Task { try? await rig.librarian.sync() }
        #expect(await until { rig.source.pageLatch.held == 1 })
        _ = try await rig.account.login(token: Secret("new"), profileName: nil)
        rig.source.profile = [track(2)]
        let new = Task { try await rig.librarian.sync() }
        await settle()
        rig.source.pageLatch.open()
        #expect(try await new.value.total == 1)
        _ = await old.value
        #expect(rig.library.profileNow == [track(2).id])
    }

    @Test("An unchanged profile tells readers nothing")
    func unchanged() async throws {
        rig.source.profile = [track(1)]
        _ = try await rig.librarian.sync()
        await settle()
        let before = rig.told.count
        _ = try await rig.librarian.sync()
        await settle()
        #expect(rig.told.count == before)
    }

    @Test("Offline mode and being signed out are said without a call")
    func withoutCall() async throws {
        await rig.account.ready()
        rig.connectivity.setOfflineMode(true)
        let offline = await #expect(throws: Failure.self) { _ = try await rig.librarian.sync() }
        #expect(offline?.code == .offline)
        rig.connectivity.setOfflineMode(false)
        try await rig.account.logout()
        let signedOut = await #expect(throws: Failure.self) { _ = try await rig.librarian.sync() }
        #expect(signedOut?.code == .notSignedIn && rig.source.pages == 0)
    }

    @Test("A cover is fetched once, however many ask, and its arrival is told")
    func cover() async throws {
        rig.http.answer = HTTPResponse(status: 200, headers: [:], body: [1])
        let pictured = Track(
            id: track(1).id, artist: "A", title: "T", coverURL: "https://media.test/cover.jpg")
        async let first = rig.covers.cover(of: pictured)
        async let second = rig.covers.cover(of: pictured)
        #expect(await [first, second] == ["/dev/null", "/dev/null"])
        #expect(rig.http.requests == 1 && rig.covers.path(of: pictured.id) == "/dev/null")
        await settle()
        #expect(rig.told.contains { $0.contains(.playback) })
    }

    @Test("Ids that VK does not know are named; known ones need no call")
    func unknown() async throws {
        rig.library.put(profile: [track(1)])
        #expect(try await rig.librarian.tracks([track(1).reference]).map(\.track) == [track(1)])
        #expect(rig.source.resolved.isEmpty)
        rig.source.unknown = [track(2).id]
        let failure = await #expect(throws: Failure.self) {
            _ = try await rig.librarian.tracks([track(1).reference, track(2).reference])
        }
        #expect(failure?.code == .notFound && failure?.subject == track(2).id)
    }
}
