import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Changing the profile at VK: never twice, and the library follows at once.
@Suite(.timeLimit(.minutes(1)))
struct ProfileTests {
    let rig = Rig()
    let editor: ScriptedEditor
    let service: ProfileService

    init() {
        editor = ScriptedEditor(rig.source)
        service = ProfileService(
            editor: editor, source: rig.source, store: rig.library, library: rig.librarian, account: rig.account,
            hub: rig.hub, time: rig.time, log: Log(level: .error))
    }

    /// A foreign track that the library knows.
    private func foreign(_ number: Int64, key: String? = nil) async throws -> Track {
        let track = Track(
            id: TrackID(owner: -9, audio: number), accessKey: key, artist: "F", title: "Found \(number)", duration: 60)
        try await rig.library.remember([track])
        editor.foreign[track.id] = track
        return track
    }

    /// Runs what waits for a while after a lost answer.
    private func patiently<Value: Sendable>(
        _ work: @escaping @MainActor () async throws -> Value
    ) async throws -> Value {
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

    private func copies(_ track: Track) -> Int { rig.source.profile.count { $0.title == track.title } }

    @Test("An added track is in the library at once, under its new id, without a sync")
    func add() async throws {
        rig.source.profile = [track(1)]
        rig.library.put(profile: [track(1)])
        let found = try await foreign(5, key: "k")
        let outcome = try await service.add([found.reference])
        #expect(outcome == AddOutcome(added: [TrackID(owner: 1, audio: 1001)]))
        #expect(editor.calls == ["add -9_5_k"])
        #expect(rig.library.profileNow == [TrackID(owner: 1, audio: 1001), track(1).id])
        await settle()
        #expect(rig.told.contains { $0.contains(.library) })
        #expect(try await rig.librarian.sync().added == 0, "a sync agrees")
    }

    @Test("What is in the profile is not added again, by either id")
    func addTwice() async throws {
        let found = try await foreign(5)
        let first = try await service.add([found.reference])
        let copy = try #require(first.added.first)
        #expect(try await service.add([found.reference]) == AddOutcome(present: [found.id]))
        #expect(try await service.add([TrackReference(id: copy)]) == AddOutcome(present: [copy]))
        #expect(editor.calls.count == 1)
    }

    @Test("Two who add the same at once make one copy")
    func together() async throws {
        let found = try await foreign(5)
        await rig.account.ready()
        editor.latch.shut()
        let first = Task { try await service.add([found.reference]) }
        let second = Task { try await service.add([found.reference]) }
        #expect(await until { editor.latch.held == 1 })
        await settle()
        editor.latch.open()
        let outcomes = try await [first.value, second.value]
        #expect(outcomes.map(\.added.count).sorted() == [0, 1] && copies(found) == 1)
    }

    @Test(
        "An answer lost on the way never makes two copies, and the track is added in the end",
        arguments: [
            ([.lostAfter], 1), ([.lostBefore], 2), ([.lostBefore, .lostAfter], 2), ([.lostBefore, .lostBefore], 3),
        ] as [([ScriptedEditor.Fate], Int)])
    func lost(fates: [ScriptedEditor.Fate], calls: Int) async throws {
        rig.source.profile = [track(1)]
        rig.library.put(profile: [track(1)])
        let found = try await foreign(5)
        editor.fates = fates
        let outcome = try await patiently { try await service.add([found.reference]) }
        #expect(outcome.added.count == 1 && copies(found) == 1 && editor.calls.count == calls)
        #expect(rig.library.profileNow.first == rig.source.profile.first?.id)
        #expect(try await rig.library.note("adding.\(found.id)") == nil)
    }

    @Test("A copy of the same song that was there before is not taken for the new one")
    func sameSong() async throws {
        let found = try await foreign(5)
        var older = found
        older.id = TrackID(owner: 1, audio: 3)
        rig.source.profile = [older]
        editor.fates = [.lostBefore]
        let outcome = try await patiently { try await service.add([found.reference]) }
        #expect(outcome.added == [TrackID(owner: 1, audio: 1001)] && copies(found) == 2)
    }

    @Test("Where even the list cannot be read, the next attempt looks first: still one copy")
    func openEnd() async throws {
        let found = try await foreign(5)
        editor.fates = [.lostAfter]
        // The head is read before; then nothing can be read.
        let attempt = Task { try await service.add([found.reference]) }
        #expect(await until { !rig.time.waits.isEmpty })
        rig.source.failures = [.noNetwork]
        rig.time.advance(by: .seconds(3))
        let failure = await #expect(throws: Failure.self) { _ = try await attempt.value }
        #expect(failure?.code == .network && copies(found) == 1)
        let outcome = try await service.add([found.reference])
        #expect(outcome.added.count == 1 && copies(found) == 1 && editor.calls.count == 1)
    }

    @Test("Many are added from the last to the first, so that they stand in the order given; none twice")
    func order() async throws {
        var wanted: [TrackReference] = []
        for number in 1...5 { wanted.append(try await foreign(Int64(number)).reference) }
        let outcome = try await service.add(wanted + [wanted[0]])
        #expect(rig.source.profile.map(\.title) == (1...5).map { "Found \($0)" })
        #expect(outcome.added == rig.source.profile.map(\.id))
        #expect(rig.library.profileNow == outcome.added)
    }

    @Test(
        "What concerns all ends the work, and what was done is told",
        arguments: [
            Failure(.serverBusy, "flood control", retry: .after(seconds: 300)),
            Failure(.challengeNeeded, "a captcha"), Failure(.notSignedIn, "expired"), Failure(.offline, "offline"),
        ])
    func stops(failure: Failure) async throws {
        var wanted: [TrackReference] = []
        for number in 1...5 { wanted.append(try await foreign(Int64(number)).reference) }
        editor.fates = [.done, .done, .refused(failure)]
        let outcome = try await service.add(wanted)
        #expect(outcome.added.count == 2 && outcome.stopped == failure && editor.calls.count == 3)
        #expect(rig.source.profile.map(\.title) == ["Found 4", "Found 5"])
        #expect(rig.library.profileNow == outcome.added)
    }

    @Test("One that VK refuses does not keep the others from being added; alone it is a failure")
    func refused() async throws {
        var wanted: [TrackReference] = []
        for number in 1...3 { wanted.append(try await foreign(Int64(number)).reference) }
        let denied = Failure(.denied, "VK denies access to this")
        editor.fates = [.done, .refused(denied)]
        let outcome = try await service.add(wanted)
        #expect(outcome.added.count == 2 && outcome.refused == [RefusedTrack(id: wanted[1].id, failure: denied)])
        editor.fates = [.refused(denied)]
        let alone = await #expect(throws: Failure.self) { _ = try await service.add([wanted[1]]) }
        #expect(alone == denied)
        // A full list refuses everything: three in a row are enough.
        for number in 11...19 { wanted.append(try await foreign(Int64(number)).reference) }
        editor.fates = (0..<9).map { _ in .refused(denied) }
        let before = editor.calls.count
        #expect(try await service.add(Array(wanted.suffix(9))).stopped == denied)
        #expect(editor.calls.count == before + 3)
    }

    @Test("Files and addresses are no tracks of VK")
    func foreignAddress() async throws {
        let file = TrackReference(id: TrackID(owner: 0, audio: 5))
        let failure = await #expect(throws: Failure.self) { _ = try await service.add([file]) }
        #expect(failure?.code == .unsupported && editor.calls.isEmpty)
    }

    @Test("A removed track is off the list at once, by either id; restored it is back in its place")
    func removeAndRestore() async throws {
        rig.source.profile = [track(1), track(2), track(3)]
        rig.library.put(profile: rig.source.profile)
        #expect(try await service.remove([track(2).id]).removed == [track(2).id])
        #expect(rig.library.profileNow == [track(1).id, track(3).id])
        #expect(rig.source.profile.map(\.id) == rig.library.profileNow)
        let restored = try await service.restore(track(2).id)
        #expect(restored.id == track(2).id && !restored.wasThere)
        #expect(rig.library.profileNow == [track(1).id, track(2).id, track(3).id])
        #expect(try await service.restore(track(2).id).wasThere)
        let found = try await foreign(5)
        let copy = try #require(try await service.add([found.reference]).added.first)
        #expect(try await service.remove([found.id]).removed == [copy])
        #expect(try await service.restore(found.id).id == copy)
    }

    @Test("A removal or restoration whose answer was lost is not repeated blindly", arguments: [true, false])
    func lostRemoval(acted: Bool) async throws {
        rig.source.profile = [track(1), track(2), track(3)]
        rig.library.put(profile: rig.source.profile)
        editor.fates = [acted ? .lostAfter : .lostBefore]
        _ = try await patiently { try await service.remove([track(2).id]) }
        #expect(editor.calls.count == (acted ? 1 : 2) && rig.source.profile.count == 2)
        editor.fates = [acted ? .lostAfter : .lostBefore]
        _ = try await patiently { try await service.restore(track(2).id) }
        #expect(editor.calls.count == (acted ? 2 : 4))
        #expect(rig.library.profileNow == [track(1).id, track(2).id, track(3).id])
    }

    @Test("What was removed on the website meanwhile is removed here; what VK refuses otherwise stays")
    func goneAlready() async throws {
        rig.source.profile = [track(1), track(3)]
        rig.library.put(profile: [track(1), track(2), track(3)])
        #expect(try await service.remove([track(2).id]).removed == [track(2).id])
        #expect(rig.library.profileNow == [track(1).id, track(3).id])
        editor.fates = [.refused(Failure(.denied, "no"))]
        await #expect(throws: Failure.self) { _ = try await service.remove([track(3).id]) }
        #expect(rig.library.profileNow == [track(1).id, track(3).id])
        let stranger = await #expect(throws: Failure.self) {
            _ = try await service.remove([TrackID(owner: -9, audio: 1)])
        }
        #expect(stranger?.code == .notFound)
    }

    @Test("Too late to restore is said, and nothing comes back")
    func tooLate() async throws {
        rig.source.profile = [track(1)]
        rig.library.put(profile: [track(1)])
        _ = try await service.remove([track(1).id])
        editor.fates = [.refused(Failure(.notFound, "It is too late to restore this; add it again"))]
        let failure = await #expect(throws: Failure.self) { _ = try await service.restore(track(1).id) }
        #expect(failure?.message.contains("too late") == true && rig.library.profileNow.isEmpty)
    }

    @Test("A sync that began before a change does not undo it")
    func syncMeanwhile() async throws {
        rig.source.profile = [track(1), track(2)]
        rig.library.put(profile: rig.source.profile)
        await rig.account.ready()
        rig.source.pageLatch.shut()
        let sync = Task { try await rig.librarian.sync() }
        #expect(await until { rig.source.pageLatch.held == 1 })
        rig.library.put(profile: [])
        // What the sync holds in its hands is the list of before.
        let found = try await foreign(5)
        rig.librarian.changes.note(.added(found))
        rig.librarian.changes.note(.removed(track(2).id))
        rig.source.pageLatch.open()
        _ = try await sync.value
        #expect(rig.library.profileNow == [found.id, track(1).id])
    }

    @Test("What is fetched or kept under one id is neither fetched again nor unknown under the other")
    func downloads() async throws {
        let library = rig.library
        rig.downloads.twins = { id throws(Failure) in try await library.twins(of: id) }
        let found = try await foreign(5)
        let copy = try #require(try await service.add([found.reference]).added.first)
        let own = try #require(try await library.tracks([copy]).first?.track)
        #expect(try await rig.downloads.add([own]) == 1)
        #expect(try await rig.downloads.add([found]) == 0)
        #expect(try await rig.downloads.standing(for: [found.id, copy]) == [copy, copy])
        #expect(try await rig.downloads.cancel(try await rig.downloads.standing(for: [found.id])) == 1)
        #expect(try await rig.downloads.add([own, found]) == 1, "two ids in one wish are one download")
    }
}
