import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Several changes of playlists at once, changes VK makes late, and accounts that change meanwhile.
@Suite("Changes of playlists one after the other", .timeLimit(.minutes(1)))
struct PlaylistTurnTests {
    let desk = PlaylistRig()
    private let one = PlaylistRig.playlist(1)
    private let lost = Failure(.timeout, "late", retry: .later)

    private func creations() -> Int { desk.source.calls.count { $0 == "create" } }

    @Test("Two who add the same at once add it once")
    func together() async throws {
        try await desk.signIn()
        desk.source.put(one, [])
        let wanted = [track(1), track(2)].map(\.reference)
        desk.source.latch.shut()
        let first = Task { try await desk.service.add(wanted, to: one.reference) }
        let second = Task { try await desk.service.add(wanted, to: one.reference) }
        #expect(await until { desk.source.latch.held > 0 })
        await settle()
        desk.source.latch.open()
        #expect(try await [first.value, second.value].sorted() == [0, 2])
        #expect(desk.source.tracks[one.id]?.count == 2)
    }

    @Test("Two who make playlists of one title at once get two, though an answer is lost")
    func sameTitle() async throws {
        try await desk.signIn()
        desk.source.failures = ["create": [lost]]
        desk.source.acting = ["create"]
        let ids = try await desk.patiently {
            async let first = desk.service.create("New")
            async let second = desk.service.create("New")
            return try await [first.playlist.id, second.playlist.id]
        }
        #expect(Set(ids).count == 2 && creations() == 2 && desk.source.playlists.count == 2)
    }

    @Test("What VK does two seconds after its answer was lost is found before anything is asked again")
    func late() async throws {
        try await desk.signIn()
        desk.source.failures = ["create": [lost], "add": [lost]]
        let creation = Task { try await desk.service.create("New") }
        #expect(await until { desk.rig.time.waits == [.seconds(2)] })
        let made = Playlist(id: PlaylistID(owner: 1, number: 5), title: "New")
        desk.source.put(made, [])
        desk.rig.time.advance(by: .seconds(2))
        #expect(try await creation.value.playlist.id == made.id && creations() == 1)
        let addition = Task { try await desk.service.add([track(1).reference], to: made.reference) }
        #expect(await until { desk.rig.time.waits == [.seconds(2)] })
        desk.source.tracks[made.id] = [track(1)]
        desk.rig.time.advance(by: .seconds(2))
        #expect(try await addition.value == 1)
        #expect(desk.source.added.count == 1 && desk.source.tracks[made.id]?.count == 1)
    }

    @Test("What one account asked for is not done in another's name, nor shown in its list")
    func otherAccount() async throws {
        try await desk.signIn()
        desk.source.put(one, [])
        _ = try await desk.service.playlists()
        desk.source.latch.shut()
        let creation = Task {
            await desk.failure { () async throws(Failure) in _ = try await desk.service.create("A's") }
        }
        #expect(await until { desk.source.latch.held == 1 })
        desk.source.latch.openLatest()
        #expect(await until { creations() == 1 && desk.source.latch.held == 1 })
        let rename = Task {
            await desk.failure { () async throws(Failure) in try await desk.service.rename(one.reference, to: "Other") }
        }
        await settle()
        desk.rig.source.account.id = 2
        try await desk.signIn()
        desk.source.latch.open()
        #expect(await creation.value?.code == .cancelled)
        #expect(await rename.value?.code == .cancelled)
        #expect(!desk.source.calls.contains("rename"))
        #expect(try await !desk.store.playlists().contains { $0.playlist.title == "A's" })
    }
}
