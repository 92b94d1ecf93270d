import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Who is told that something is not on disk.
@Suite("Wishes and a disk that was full", .timeLimit(.minutes(1)))
struct SavedWishTests {
    let rig = Rig(parallel: 1)
    private let noRoom = Failure(.diskFull, "no room", retry: .later)

    private func begin() async throws {
        await rig.account.ready()
        rig.hub.flush()
        _ = try await rig.downloads.add([track(1), track(2)])
    }

    @Test("a wish is not answered with what was refused before it, once all of it is on disk")
    func goodAgain() async throws {
        try await begin()
        rig.library.fail(noRoom)
        // Nobody waits for this one.
        rig.downloads.handle(.pause(.these([track(2).id])))
        await settle()
        rig.library.fail(nil)
        try await rig.downloads.pause([track(1).id])
        #expect(rig.library.rows[track(1).id]?.state == .paused && rig.library.rows[track(2).id]?.state == .paused)
    }

    @Test("a wish that was refused is answered so, whoever else was told of it before")
    func each() async throws {
        try await begin()
        let latch = Latch()
        latch.shut()
        rig.downloads.onWish = { _ in await latch.pass() }
        rig.library.fail(noRoom)
        let cancelled = Task { try await rig.downloads.cancel([track(1).id]) }
        #expect(await until { latch.held == 1 })
        await #expect(throws: Failure.self) { try await rig.downloads.pause([track(2).id]) }
        latch.open()
        await #expect(throws: Failure.self) { try await cancelled.value }
        #expect(rig.library.rows[track(1).id] != nil)
    }

    @Test("a removal that is refused again is told to whoever waits, though everything else is on disk")
    func removal() async throws {
        try await begin()
        rig.library.fail(noRoom, only: "removeDownloads")
        await #expect(throws: Failure.self) { try await rig.downloads.cancel([track(1).id]) }
        await #expect(throws: Failure.self) { try await rig.downloads.pause([track(2).id]) }
        #expect(rig.library.rows[track(2).id]?.state == .paused)
        rig.library.fail(nil)
        try await rig.downloads.pause([track(2).id])
        #expect(rig.library.rows[track(1).id] == nil)
    }

    @Test("a wish that changes nothing writes what was refused before, and tells what it meets")
    func nothingNew() async throws {
        try await begin()
        rig.library.fail(noRoom)
        await #expect(throws: Failure.self) { try await rig.downloads.pause([track(2).id]) }
        await #expect(throws: Failure.self) { try await rig.downloads.pause([track(2).id]) }
        rig.library.fail(nil)
        try await rig.downloads.pause([track(2).id])
        #expect(rig.library.rows[track(2).id]?.state == .paused)
    }
}
