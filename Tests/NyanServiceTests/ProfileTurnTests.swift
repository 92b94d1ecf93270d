import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Changes of the profile that wait for their turn, look-ups that fail, and tracks nobody knows.
@Suite("Changes of the profile in their turn", .timeLimit(.minutes(1)))
struct ProfileTurnTests {
    let rig = Rig()
    let editor: ScriptedEditor
    let service: ProfileService

    init() {
        editor = ScriptedEditor(rig.source)
        service = ProfileService(
            editor: editor, source: rig.source, store: rig.library, library: rig.librarian, account: rig.account,
            hub: rig.hub, time: rig.time, log: Log(level: .error))
    }

    private func foreign(_ number: Int64) async throws -> Track {
        let track = Track(id: TrackID(owner: -9, audio: number), artist: "F", title: "Found \(number)", duration: 60)
        try await rig.library.remember([track])
        editor.foreign[track.id] = track
        return track
    }

    @Test(
        "After a lost answer, whatever keeps the list from being read, the next attempt looks first: one copy",
        arguments: [Failure.Code.denied, .challengeNeeded, .notSignedIn, .clientRefused, .network])
    func lookRefused(code: Failure.Code) async throws {
        let found = try await foreign(5)
        editor.fates = [.lostAfter]
        let attempt = Task { try await service.add([found.reference]) }
        #expect(await until { !rig.time.waits.isEmpty })
        rig.source.failures = [Failure(code, "not now")]
        rig.time.advance(by: .seconds(3))
        let failure = await #expect(throws: Failure.self) { _ = try await attempt.value }
        #expect(failure?.code == code)
        #expect(try await service.add([found.reference]).added.count == 1)
        #expect(rig.source.profile.count == 1 && editor.calls.count == 1)
    }

    @Test("What VK refused at once leaves no note")
    func refusedAtOnce() async throws {
        let found = try await foreign(5)
        editor.fates = [.refused(Failure(.serverBusy, "flood control", retry: .after(seconds: 300)))]
        await #expect(throws: Failure.self) { _ = try await service.add([found.reference]) }
        #expect(try await rig.library.note("adding.\(found.id)") == nil)
    }

    @Test("A track nobody knows does not keep the others from being added; alone it is a failure")
    func unknown() async throws {
        let first = try await foreign(1)
        let second = try await foreign(2)
        let deleted = TrackReference(id: TrackID(owner: -9, audio: 404))
        rig.source.unknown = [deleted.id]
        let outcome = try await service.add([first.reference, deleted, second.reference])
        #expect(outcome.added == rig.source.profile.map(\.id) && outcome.added.count == 2)
        #expect(outcome.refused.map(\.id) == [deleted.id] && outcome.refused.first?.failure.code == .notFound)
        let alone = await #expect(throws: Failure.self) { _ = try await service.add([deleted]) }
        #expect(alone?.code == .notFound)
    }

    @Test("Where none of many is in the profile that is said as a failure; one that is, is removed")
    func noneThere() async throws {
        rig.source.profile = [track(1)]
        rig.library.put(profile: [track(1)])
        let strangers = [8, 9].map { TrackID(owner: -9, audio: $0) }
        let failure = await #expect(throws: Failure.self) { _ = try await service.remove(strangers) }
        #expect(failure?.code == .notFound && editor.calls.isEmpty)
        let outcome = try await service.remove(strangers + [track(1).id])
        #expect(outcome.removed == [track(1).id] && outcome.refused.count == 2)
    }

    @Test("What was asked for as one account is not done as another")
    func otherAccount() async throws {
        let found = try await foreign(1)
        let other = try await foreign(2)
        rig.source.profile = [track(1)]
        rig.library.put(profile: [track(1)])
        await rig.account.ready()
        editor.latch.shut()
        let first = Task { try await service.add([found.reference]) }
        #expect(await until { editor.latch.held == 1 })
        let second = Task { try await service.add([other.reference]) }
        let third = Task { try await service.remove([track(1).id]) }
        await settle()
        rig.source.account.id = 2
        _ = try await rig.account.login(token: Secret("b"), profileName: nil)
        editor.latch.open()
        for failure in [
            await #expect(throws: Failure.self, performing: { _ = try await first.value }),
            await #expect(throws: Failure.self, performing: { _ = try await second.value }),
            await #expect(throws: Failure.self, performing: { _ = try await third.value }),
        ] { #expect(failure?.code == .cancelled) }
        #expect(editor.calls.count == 1 && !rig.library.profileNow.contains { $0.audio > 1000 })
    }

    @Test("An account that changes during the pause after a lost answer ends the change")
    func otherAccountMeanwhile() async throws {
        let found = try await foreign(1)
        editor.fates = [.lostBefore]
        let attempt = Task { try await service.add([found.reference]) }
        #expect(await until { !rig.time.waits.isEmpty })
        rig.source.account.id = 2
        _ = try await rig.account.login(token: Secret("b"), profileName: nil)
        rig.time.advance(by: .seconds(3))
        let failure = await #expect(throws: Failure.self) { _ = try await attempt.value }
        #expect(failure?.code == .cancelled && editor.calls.count == 1)
    }

    @Test("A sync that ends while the store is busy with an added track knows of it")
    func notedFirst() async throws {
        let found = try await foreign(1)
        await rig.account.ready()
        editor.latch.shut()
        let addition = Task { try await service.add([found.reference]) }
        #expect(await until { editor.latch.held == 1 })
        rig.library.latch.shut()
        editor.latch.open()
        #expect(await until { rig.library.latch.held == 1 })
        #expect(rig.librarian.changes.mark == 1)
        rig.library.latch.open()
        _ = try await addition.value
    }
}
