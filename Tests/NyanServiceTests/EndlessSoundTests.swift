import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// A media server that means to fill the disk.
@Suite(.timeLimit(.minutes(1)))
struct EndlessSoundTests {
    let rig = Rig()

    @Test("a sound of VK's without an end is stopped at 1 GiB, at once where it says so; nothing stays on disk")
    func announced() async throws {
        let wish = try TransferTests.Wish(rig, track(1), .download)
        let transfer = try #require(await rig.transfer(of: track(1).id))
        try transfer.bring(10, of: 2 << 30)
        await settle()
        #expect(transfer.isCancelled)
        #expect(wish.failure?.code == .unsupported && wish.failure?.message.contains("1 GiB") == true)
        wish.release(rig)
        #expect(rig.copies.growing.isEmpty)

        let other = try TransferTests.Wish(rig, track(2), .playing)
        let endless = try #require(await rig.transfer(of: track(2).id))
        endless.say(.progress(received: ActiveCopy.mostOfAddress, total: nil))
        #expect(!endless.isCancelled && other.failure == nil)
        endless.say(.progress(received: ActiveCopy.mostOfAddress + 1, total: nil))
        #expect(endless.isCancelled && other.failure?.code == .unsupported)
    }
}
