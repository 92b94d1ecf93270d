import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// One fetch per track, whoever wants it.
@Suite(.timeLimit(.minutes(1)))
struct TransferTests {
    let rig = Rig()

    /// A claim and what it was told.
    final class Wish {
        private(set) var events: [ClaimEvent] = []
        private(set) var claim: Claim?

        init(_ rig: Rig, _ track: Track, _ purpose: Claim.Purpose) throws(Failure) {
            claim = try rig.transfers.claim(track, for: purpose) { [weak self] in self?.events.append($0) }
        }

        func release(_ rig: Rig) {
            if let claim { rig.transfers.release(claim) }
        }

        var failure: Failure? {
            for case .failed(let failure) in events { return failure }
            return nil
        }
    }

    @Test("Playing and downloading the same track is one fetch, told to both")
    func once() async throws {
        let playing = try Wish(rig, track(1), .playing)
        let kept = try Wish(rig, track(1), .download)
        let transfer = try #require(await rig.transfer(of: track(1).id))
        await settle()
        try transfer.finish()
        #expect(rig.fetcher.starts.count == 1 && rig.source.resolved.count == 1)
        #expect(playing.events.last == .complete && kept.events.last == .complete)
        // What is downloaded lies beside the library, whoever came first.
        #expect(rig.copies.durable == [track(1).id])
    }

    @Test("The transfer lives until the last claim is given back")
    func lastOne() async throws {
        let playing = try Wish(rig, track(1), .playing)
        let kept = try Wish(rig, track(1), .download)
        let transfer = try #require(await rig.transfer(of: track(1).id))
        playing.release(rig)
        #expect(!transfer.isCancelled)
        kept.release(rig)
        kept.release(rig)
        #expect(transfer.isCancelled)
    }

    @Test("A claim that was given back hears nothing, also when another's handler gave it back just now")
    func silent() async throws {
        var claim: Claim?
        var heard = 0
        _ = try rig.transfers.claim(track(1), for: .download) { [rig] _ in
            heard += 1
            if let claim { rig.transfers.release(claim) }
        }
        let second = try Wish(rig, track(1), .playing)
        claim = second.claim
        let transfer = try #require(await rig.transfer(of: track(1).id))
        try transfer.bring(10, of: 1000)
        try transfer.bring(10, of: 1000)
        #expect(heard == 2 && second.events.isEmpty)
    }

    @Test("A claim that is given back in the turn it was made starts nothing")
    func atOnce() async throws {
        let wish = try Wish(rig, track(1), .playing)
        wish.release(rig)
        await settle()
        #expect(rig.source.resolved.isEmpty && wish.events.isEmpty)
    }

    @Test("An expired location is replaced by a fresh one, and the fetch goes on")
    func expired() async throws {
        let wish = try Wish(rig, track(1), .playing)
        let first = try #require(await rig.transfer(of: track(1).id))
        try first.bring(400, of: 1000)
        first.fail(.expired)
        try await rig.bring(track(1).id)
        #expect(rig.source.resolved.count == 2)
        #expect(Set(rig.fetcher.starts.map(\.location.url)).count == 2)
        #expect(wish.events.last == .complete && wish.failure == nil)
    }

    @Test("A fresh location that is refused without a byte is not asked for again")
    func refusedFresh() async throws {
        let wish = try Wish(rig, track(1), .playing)
        for _ in 0..<2 { await rig.transfer(of: track(1).id)?.fail(.expired) }
        await settle()
        #expect(rig.source.resolved.count == 2)
        #expect(wish.failure?.code == .unavailableTrack)
    }

    @Test("Each location that earned bytes may be followed by another")
    func earned() async throws {
        let wish = try Wish(rig, track(1), .playing)
        for _ in 0..<4 {
            let transfer = try #require(await rig.transfer(of: track(1).id))
            try transfer.bring(10, of: 1000)
            transfer.fail(.expired)
        }
        #expect(await rig.transfer(of: track(1).id) != nil && wish.failure == nil)
    }

    @Test("No message that a claim hears holds an address, a signature or a token")
    func secrets() async throws {
        await rig.account.ready()
        rig.source.failures = [.noNetwork, .refused]
        let wishes = [
            try Wish(rig, track(1), .playing), try Wish(rig, track(2), .playing), try Wish(rig, track(3), .playing),
            try Wish(rig, track(4), .playing),
        ]
        rig.source.unknown = [track(4).id]
        for _ in 0..<2 { await rig.transfer(of: track(3).id)?.fail(.expired) }
        await settle()
        let failures = wishes.compactMap(\.failure)
        #expect(failures.count == 4)
        for failure in failures {
            #expect(!failure.message.contains("://") && !failure.message.contains("topsecret"), "\(failure.message)")
            #expect(failure.subject != nil)
        }
    }

    @Test("Bytes of an earlier run are told at once, and what is complete needs no network")
    func resumed() async throws {
        rig.copies.leave(track(1).id, MemorySink(bytes: 400), durable: false)
        rig.copies.leave(track(2).id, MemorySink(bytes: 1000, isComplete: true), durable: false)
        rig.source.latch.shut()
        let part = try Wish(rig, track(1), .playing)
        let whole = try Wish(rig, track(2), .playing)
        await settle()
        #expect(part.events == [.progress(received: 400, total: nil)])
        #expect(whole.events == [.complete])
        #expect(rig.source.resolved == [track(1).id])
        rig.source.latch.open()
    }

    @Test("Another try of what is complete says so again")
    func retryComplete() async throws {
        let wish = try Wish(rig, track(1), .download)
        try await rig.bring(track(1).id)
        let claim = try #require(wish.claim)
        rig.transfers.retry(claim)
        await settle()
        #expect(wish.events.suffix(2) == [.complete, .complete])
    }

    @Test("Removing what was fetched leaves a player its bytes, and a new wish begins anew")
    func discarded() async throws {
        let playing = try Wish(rig, track(1), .playing)
        let transfer = try #require(await rig.transfer(of: track(1).id))
        try transfer.bring(500, of: 1000)
        try rig.transfers.discard(track(1).id)
        #expect(rig.copies.growing.isEmpty && !transfer.isCancelled)
        #expect(playing.claim?.bytes.received == 500)
        let again = try Wish(rig, track(1), .download)
        await settle()
        #expect(again.claim?.bytes.received == 0)
        playing.release(rig)
        #expect(transfer.isCancelled && rig.copies.growing == [track(1).id])
        // The new one is still the one that everybody shares.
        let third = try Wish(rig, track(1), .playing)
        await settle()
        #expect(third.claim?.bytes === again.claim?.bytes && rig.fetcher.starts.count == 2)
    }

    @Test("The rate limit holds only where nobody but downloads wants the bytes")
    func limit() async throws {
        rig.transfers.setDownloadLimit(5000)
        let kept = try Wish(rig, track(1), .download)
        let transfer = try #require(await rig.transfer(of: track(1).id))
        #expect(transfer.limit == 5000)
        let other = try Wish(rig, track(2), .download)
        #expect(await rig.transfer(of: track(2).id)?.limit == 2500)
        #expect(transfer.limit == 2500)
        other.release(rig)
        let ahead = try Wish(rig, track(1), .next)
        #expect(transfer.limit == nil)
        ahead.release(rig)
        #expect(transfer.limit == 5000)
        rig.transfers.setDownloadLimit(nil)
        #expect(transfer.limit == nil)
        kept.release(rig)
    }

    @Test("Offline mode fetches nothing, and ends what runs")
    func offline() async throws {
        let running = try Wish(rig, track(1), .playing)
        let transfer = try #require(await rig.transfer(of: track(1).id))
        rig.connectivity.setOfflineMode(true)
        rig.transfers.endAttempts(Failure(.offline, "offline mode is on"))
        let late = try Wish(rig, track(2), .playing)
        await settle()
        #expect(transfer.isCancelled)
        #expect(running.failure?.code == .offline && late.failure?.code == .offline)
        #expect(rig.source.resolved == [track(1).id])
    }

    @Test("A login while a location is asked for makes the call again with the new credential")
    func newAccount() async throws {
        await rig.account.ready()
        rig.source.latch.shut()
        // What VK says of the old credential.
        rig.source.failures = [.refused]
        let wish = try Wish(rig, track(1), .playing)
        #expect(await until { rig.source.latch.held == 1 })
        let login = Task { try await rig.account.login(token: Secret("other"), profileName: nil) }
        #expect(await until { rig.source.latch.held == 2 })
        rig.source.latch.openLatest()
        _ = try await login.value
        rig.source.latch.open()
        try await rig.bring(track(1).id)
        #expect(wish.failure == nil && wish.events.last == .complete && rig.account.problem == nil)
    }

    @Test("VK's word against the account shows as its problem until a call succeeds")
    func accountProblem() async throws {
        rig.source.failures = [.refused]
        let wish = try Wish(rig, track(1), .playing)
        #expect(await until { rig.account.problem?.code == .notSignedIn })
        let claim = try #require(wish.claim)
        rig.transfers.retry(claim)
        #expect(await until { rig.account.problem == nil })
    }

    @Test("The stream cache is kept below its ceiling whenever a stream ends, not only at start")
    func pruning() async throws {
        rig.transfers.pruneCache(to: 1000)
        let first = try Wish(rig, track(1), .playing)
        let second = try Wish(rig, track(2), .playing)
        first.release(rig)
        #expect(rig.copies.pruned == [[], [track(2).id]])
        second.release(rig)
    }
}
