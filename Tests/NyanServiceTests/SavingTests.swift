import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// The queue on a disk that is full for a while (field-issues.md C7).
@Suite("Saving on a full disk", .timeLimit(.minutes(1)))
struct SavingTests {
    let rig = Rig()
    let full = Failure(.diskFull, "no room in /state", retry: .later)

    @Test("is told as a problem while playing goes on, and done by itself once there is room")
    func byItself() async throws {
        try await rig.play([track(1), track(2)])
        _ = await until { rig.playback.saved?.entries.count == 2 }
        rig.playback.fail(full)
        rig.player.perform(.add([track(3)], next: false))
        await #expect(throws: full) { try await rig.player.saved() }
        #expect(rig.player.savingProblem?.code == .diskFull)
        #expect(rig.player.savingProblem?.message.contains("no room in /state") == true)
        #expect(rig.told.contains { $0.contains(.playback) })
        #expect(rig.player.state.status == .playing && rig.player.state.entries.count == 3)
        // It is tried again, and again: not at once, and not more than one at a time.
        let saves = rig.playback.saves
        rig.player.perform(.pause)
        await settle()
        rig.time.advance(by: .seconds(10))
        await settle()
        #expect(rig.player.savingProblem != nil && rig.playback.saves == saves)
        rig.playback.fail(nil)
        rig.time.advance(by: .seconds(10))
        _ = await until { rig.player.savingProblem == nil }
        #expect(rig.playback.saved?.entries.map(\.track.id) == [track(1), track(2), track(3)].map(\.id))
        await settle()
        // Nothing wakes up for it any more.
        #expect(!rig.time.waits.contains { $0 <= .seconds(10) })
    }
}

/// Thousands of downloads may have failed or wait: none of them keeps a file open, or an empty one on disk.
@Suite("Downloads that failed", .timeLimit(.minutes(1)))
struct ClosedCopyTests {
    let rig = Rig()

    @Test("leave no empty file, keep their bytes, and go on with them", arguments: [0, 500] as [Int64])
    func closed(received: Int64) async throws {
        #expect(try await rig.downloads.add([track(1)]) == 1)
        let first = try #require(await rig.transfer(of: track(1).id))
        if received > 0 { try first.bring(Int(received), of: 1000) }
        first.fail(Failure(.network, "gone", retry: .later))
        _ = await until { rig.downloads.list.first?.failure != nil }
        await settle()
        #expect(rig.copies.growing.isEmpty == (received == 0))
        rig.time.advance(by: .seconds(5))
        let second = try #require(await rig.transfer(of: track(1).id))
        #expect(second !== first && second.copy.received == received)
        try second.finish()
        _ = await until { rig.downloads.list.first?.state == .done }
        #expect(rig.copies.growing.isEmpty)
    }
}
