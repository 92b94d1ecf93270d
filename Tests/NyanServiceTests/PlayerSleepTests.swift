import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Sleep as the services live through it, wired as the daemon wires them.
@Suite("The player's sleep", .timeLimit(.minutes(1)))
struct PlayerSleepTests {
    let rig = Rig()

    private func fallAsleep() async {
        rig.transfers.cutOff()
        await rig.player.prepareForSleep()
    }

    private func wake() {
        rig.transfers.cutOff()
        rig.transfers.goOn()
        rig.player.wake()
    }

    @Test("What plays is silent and saved before the sleep, and goes on after it over a new attempt from the same byte")
    func playing() async throws {
        rig.engine.reported = .seconds(30)
        rig.player.perform(.playTracks([track(1), track(2)], startAt: 0))
        let first = try #require(await rig.transfer(of: track(1).id))
        try first.bring(500, of: 1000)
        await settle()
        rig.time.advance(by: .seconds(30))
        await fallAsleep()
        #expect(first.isCancelled)
        #expect(rig.engine.calls.last == .setPlaying(false))
        #expect(rig.playback.saved?.position == 30)
        #expect(rig.snapshot().playback.isBuffering)
        // Nothing is tried while the machine sleeps, whoever wants it.
        #expect(rig.fetcher.running.isEmpty && rig.source.resolved.count == 1)
        wake()
        let second = try #require(await rig.transfer(of: track(1).id))
        #expect(second !== first && second.copy.received == 500)
        #expect(rig.engine.calls.last == .setPlaying(true))
        #expect(rig.player.state.status == .playing && !rig.player.state.isBuffering)
        #expect(rig.player.position == .seconds(30))
        #expect(rig.player.takeJump() == .seconds(30))
    }

    @Test("What is paused stays paused, and its bytes go on to come")
    func paused() async throws {
        rig.player.perform(.playTracks([track(1)], startAt: 0))
        try await rig.transfer(of: track(1).id)?.bring(500, of: 1000)
        rig.player.perform(.pause)
        await fallAsleep()
        wake()
        #expect(rig.player.state.status == .paused)
        #expect(!rig.engine.calls.contains(.setPlaying(true)))
        try await rig.bring(track(1).id)
        #expect(rig.player.buffered == 1)
    }

    @Test("A download is cut off without a word and goes on after the sleep", arguments: [true, false])
    func download(announced: Bool) async throws {
        let wish = try TransferTests.Wish(rig, track(1), .download)
        let first = try #require(await rig.transfer(of: track(1).id))
        try first.bring(500, of: 1000)
        if announced { await fallAsleep() }
        wake()
        try await rig.bring(track(1).id)
        #expect(first.isCancelled && wish.failure == nil && wish.events.last == .complete)
    }

    @Test("A location that is asked for while the machine falls asleep is asked for again after it")
    func resolving() async throws {
        rig.source.latch.shut()
        let wish = try TransferTests.Wish(rig, track(1), .playing)
        #expect(await until { rig.source.latch.held == 1 })
        await fallAsleep()
        rig.source.latch.open()
        await settle()
        #expect(rig.fetcher.starts.isEmpty && wish.failure == nil)
        wake()
        try await rig.bring(track(1).id)
        #expect(wish.events.last == .complete)
    }

    @Test("A network that needs half a minute after the wake-up: buffering, no failure, no track skipped")
    func slowNetwork() async throws {
        rig.engine.answersAtOnce = false
        rig.player.perform(.playTracks([track(1), track(2)], startAt: 0))
        _ = try #require(await rig.transfer(of: track(1).id))
        await fallAsleep()
        rig.source.failures = Array(repeating: .noNetwork, count: 6)
        wake()
        for _ in 0..<30 {
            await settle()
            #expect(rig.player.state.currentEntry?.track == track(1) && rig.player.state.isBuffering)
            #expect(rig.player.state.problem == nil)
            rig.time.advance(by: .seconds(1))
        }
        #expect(rig.source.failures.isEmpty)
        rig.time.advance(by: .seconds(8))
        try await rig.bring(track(1).id)
        #expect(rig.player.state.currentEntry?.track == track(1))
    }

    @Test("Trouble of before the sleep does not count after it")
    func freshPatience() async throws {
        rig.player.perform(.playTracks([track(1), track(2)], startAt: 0))
        let transfer = try #require(await rig.transfer(of: track(1).id))
        try transfer.bring(500, of: 1000)
        rig.engine.say(.hungry(LoadNumber(1), at: .seconds(50)))
        rig.source.failures = Array(repeating: .noNetwork, count: 100)
        transfer.fail(.noNetwork)
        for _ in 0..<50 {
            await settle()
            rig.time.advance(by: .seconds(1))
        }
        await fallAsleep()
        wake()
        for _ in 0..<50 {
            await settle()
            rig.time.advance(by: .seconds(1))
        }
        #expect(rig.player.state.currentEntry?.track == track(1))
        var hasGivenUp = false
        for _ in 0..<20 where !hasGivenUp {
            await settle()
            rig.time.advance(by: .seconds(1))
            hasGivenUp = rig.player.state.currentEntry?.track == track(2)
        }
        #expect(hasGivenUp)
    }

    @Test("A transfer's trouble is a reason to look: a sleep noticed then restarts the attempt, and nobody hears of it")
    func noticedByTrouble() async throws {
        rig.player.perform(.playTracks([track(1)], startAt: 0))
        let transfer = try #require(await rig.transfer(of: track(1).id))
        try transfer.bring(500, of: 1000)
        var looks = 0
        rig.transfers.onTrouble = { [rig] in
            looks += 1
            guard looks == 1 else { return }
            rig.transfers.cutOff()
            rig.transfers.goOn()
            rig.player.wake()
        }
        transfer.fail(.noNetwork)
        // No pause before the next attempt.
        let next = try #require(await rig.transfer(of: track(1).id))
        #expect(looks == 1 && next !== transfer)
        try await rig.bring(track(1).id)
        #expect(rig.player.buffered == 1 && rig.player.state.problem == nil)
    }

    @Test("A tick and a wish are reasons to look")
    func noticedByPlaying() async throws {
        var looks = 0
        rig.player.onActivity = { looks += 1 }
        try await rig.play([track(1)])
        var before = looks
        rig.time.advance(by: .seconds(1))
        #expect(await until { looks > before })
        before = looks
        rig.player.perform(.pause)
        #expect(looks > before)
    }

    @Test("Played by hand though nobody told of the wake-up: bytes come again")
    func byHand() async throws {
        rig.player.perform(.playTracks([track(1)], startAt: 0))
        try await rig.transfer(of: track(1).id)?.bring(500, of: 1000)
        await fallAsleep()
        rig.player.perform(.play)
        try await rig.bring(track(1).id)
        #expect(rig.engine.calls.last == .setPlaying(true) && rig.player.buffered == 1)
    }

    @Test("Stopped while it played: goes back to the second that was heard, whatever the old sound says")
    func stoppedPlaying() async throws {
        try await rig.play([track(1), track(2)])
        rig.time.advance(by: .seconds(30))
        await settle()
        rig.player.onActivity = { [rig] in
            rig.player.onActivity = {}
            rig.player.stoodStill(for: .seconds(120))
        }
        rig.time.advance(by: .seconds(120))
        // The sink ran through the rest before anybody could hold it.
        rig.engine.say(.ended(LoadNumber(1)))
        #expect(await until { rig.player.state.status == .playing && !rig.player.state.isBuffering })
        #expect(rig.player.state.currentEntry?.track == track(1) && rig.player.position == .seconds(30))
    }

    @Test("A file that changed at the server is read anew from the same second; nothing of it reaches the old reader")
    func changedFile() async throws {
        rig.player.perform(.playTracks([track(1), track(2)], startAt: 0))
        let first = try #require(await rig.transfer(of: track(1).id))
        try first.bring(500, of: 1000)
        await settle()
        rig.time.advance(by: .seconds(30))
        let old = try #require(rig.engine.sounds[LoadNumber(1)]?.bytes)
        #expect(old.available(from: 0) == 500)
        try first.copy.reset()
        try first.bring(800, of: 1200)
        var buffer = [UInt8](repeating: 0, count: 16)
        #expect(buffer.withUnsafeMutableBytes { old.read(at: 500, into: $0) } == .notYet)
        #expect(old.available(from: 0) == 0 && old.size == nil && !old.isComplete)
        #expect(await until { rig.engine.sounds[LoadNumber(2)] != nil })
        #expect(rig.engine.calls.last == .load(LoadNumber(2), at: .seconds(30), playing: true))
        #expect(rig.engine.sounds[LoadNumber(2)]?.bytes.available(from: 0) == 800)
        #expect(rig.player.state.currentEntry?.track == track(1) && rig.player.position == .seconds(30))
    }

    @Test("A process that was stopped for minutes loses no patience with its track")
    func stopped() async throws {
        rig.source.latch.shut()
        rig.player.perform(.playTracks([track(1), track(2)], startAt: 0))
        #expect(await until { rig.source.latch.held == 1 })
        // All waits end at once, long after their time.
        rig.time.advance(by: .seconds(300))
        await settle()
        #expect(rig.player.state.currentEntry?.track == track(1) && rig.player.state.problem == nil)
        // And what then hangs by itself is left as ever.
        rig.time.advance(by: .seconds(10))
        #expect(await until { rig.player.state.currentEntry?.track == track(2) })
        rig.source.latch.open()
    }

    @Test("A process that was stopped between two attempts begins to count anew")
    func stoppedBetweenAttempts() async throws {
        rig.source.failures = Array(repeating: .noNetwork, count: 3)
        rig.player.perform(.playTracks([track(1), track(2)], startAt: 0))
        await settle()
        rig.time.advance(by: .seconds(300))
        await settle()
        #expect(rig.player.state.currentEntry?.track == track(1))
        for _ in 0..<3 {
            rig.time.advance(by: .seconds(2))
            await settle()
        }
        try await rig.bring(track(1).id)
        #expect(rig.player.state.currentEntry?.track == track(1))
    }
}
