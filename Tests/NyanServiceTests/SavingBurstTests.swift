import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Two hundred commands a second: there is always something that is not on disk yet.
@Suite("Saving in a burst", .timeLimit(.minutes(1)))
struct SavingBurstTests {
    let rig = Rig()

    @Test("who waits for the disk waits for what was wished before, not for the end of the burst")
    func fair() async throws {
        rig.playback.latch.shut()
        rig.player.perform(.add([track(1)], next: false))
        _ = await until { rig.playback.latch.held == 1 }
        rig.player.perform(.add([track(2)], next: false))
        var isAnswered = false
        let waiter = Task {
            try await rig.player.saved()
            isAnswered = true
        }
        await settle()
        #expect(!isAnswered)
        // Each write that ends finds another state to be written.
        var writes = 0
        while !isAnswered, writes < 20 {
            rig.player.perform(.setVolume(Double(writes + 1) / 100))
            rig.playback.latch.openLatest()
            writes += 1
            _ = await until { rig.playback.latch.held == 1 }
            await settle()
        }
        #expect(isAnswered && writes == 2, "\(writes) writes")
        #expect(rig.playback.saved?.entries.count == 2)
        rig.playback.latch.open()
        try await waiter.value
    }

    @Test("a write that ends while somebody begins to wait for it is not missed")
    func quick() async throws {
        for number in 1...500 {
            rig.player.perform(.setVolume(Double(number % 100) / 100))
            try await rig.player.saved()
        }
        #expect(rig.playback.saved?.volume == 0)
    }

    @Test("a disk that is full is told to those who wait, however much comes after")
    func full() async throws {
        let full = Failure(.diskFull, "no room", retry: .later)
        rig.playback.fail(full)
        rig.playback.latch.shut()
        rig.player.perform(.add([track(1)], next: false))
        let waiter = Task { try await rig.player.saved() }
        _ = await until { rig.playback.latch.held == 1 }
        rig.player.perform(.add([track(2)], next: false))
        rig.playback.latch.openLatest()
        await #expect(throws: full) { try await waiter.value }
        rig.playback.latch.open()
    }
}
