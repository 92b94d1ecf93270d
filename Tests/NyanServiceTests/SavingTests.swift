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
