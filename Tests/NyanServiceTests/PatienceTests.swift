import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Tracks whose bytes do not come: how long the listener waits.
@Suite(.timeLimit(.minutes(1)))
struct PatienceTests {
    let rig = Rig()

    nonisolated static let table:
        [(isSounding: Bool, attempt: Int, trouble: Int, retry: Failure.Retry, pause: Double?)] = [
            (false, 0, 0, .later, 1), (false, 1, 1, .later, 2), (false, 2, 3, .later, 4), (false, 3, 7, .later, nil),
            (true, 0, 0, .later, 1), (true, 3, 7, .later, 8), (true, 9, 52, .later, 8), (true, 9, 53, .later, nil),
            (false, 0, 0, .never, nil), (true, 0, 0, .never, nil),
            (false, 0, 0, .after(seconds: 5), 5), (false, 0, 0, .after(seconds: 9), nil),
            (true, 0, 0, .after(seconds: 9), 9),
            (true, 0, 0, .after(seconds: .infinity), nil), (true, 0, 0, .after(seconds: -1), 1),
            (true, 0, 0, .after(seconds: .nan), nil),
        ]

    @Test("The pause before the next attempt follows the table", arguments: table)
    func pause(_ row: (isSounding: Bool, attempt: Int, trouble: Int, retry: Failure.Retry, pause: Double?)) {
        let pause = LoadPatience(isSounding: row.isSounding).pause(
            afterAttempt: row.attempt, troubleFor: .seconds(row.trouble),
            failure: Failure(.network, "", retry: row.retry))
        #expect(pause == row.pause.map { .seconds($0) })
    }

    @Test("A track that never began is left after ten seconds of silence, though VK has not answered yet")
    func hangingResolve() async throws {
        rig.source.latch.shut()
        rig.player.perform(.playTracks([track(1), track(2)], startAt: 0))
        #expect(await until { rig.source.latch.held == 1 })
        rig.time.advance(by: .milliseconds(9_900))
        await settle()
        #expect(rig.player.state.currentEntry?.track == track(1))
        rig.time.advance(by: .milliseconds(100))
        #expect(await until { rig.player.state.currentEntry?.track == track(2) })
        #expect(rig.player.state.problem?.code == .timeout)
        #expect(rig.player.state.problem?.subject == track(1).id)
        // The call for the first one was cancelled: only the second one's is still out.
        #expect(await until { rig.source.resolved.count == 2 && rig.source.latch.held == 1 })
        rig.source.latch.open()
    }

    @Test("Bytes that trickle in keep a track that has not begun from being left")
    func trickle() async throws {
        rig.engine.answersAtOnce = false
        rig.player.perform(.playTracks([track(1), track(2)], startAt: 0))
        let transfer = try #require(await rig.transfer(of: track(1).id))
        // In steps: a clock that leaps is a process that was stopped, which loses no patience.
        for second in 1...45 {
            rig.time.advance(by: .seconds(1))
            if second.isMultiple(of: 9) { try transfer.bring(10, of: 1000) }
            await settle()
        }
        #expect(rig.player.state.currentEntry?.track == track(1))
        for _ in 0..<10 {
            await settle()
            rig.time.advance(by: .seconds(1))
        }
        #expect(await until { rig.player.state.currentEntry?.track == track(2) })
    }

    @Test("Drops of bytes do not keep a track from being left", arguments: [1, 9])
    func drops(bytes: Int) async throws {
        rig.engine.answersAtOnce = false
        rig.player.perform(.playTracks([track(1), track(2)], startAt: 0))
        let transfer = try #require(await rig.transfer(of: track(1).id))
        for second in 1...11 {
            rig.time.advance(by: .seconds(1))
            if second == 5 { try transfer.bring(bytes, of: 1000) }
            await settle()
        }
        #expect(await until { rig.player.state.currentEntry?.track == track(2) })
    }

    @Test("Being told again of bytes from an earlier run is no progress")
    func oldBytes() async throws {
        rig.engine.answersAtOnce = false
        rig.copies.leave(track(1).id, MemorySink(bytes: 50), durable: false)
        rig.source.failures = Array(repeating: .noNetwork, count: 20)
        rig.player.perform(.playTracks([track(1)], startAt: 0))
        for _ in 0..<12 {
            await settle()
            rig.time.advance(by: .seconds(1))
        }
        await settle()
        #expect(rig.player.state.status == .stopped)
    }

    @Test("A broken line is tried again with growing pauses before the track is left")
    func skip() async throws {
        rig.source.failures = Array(repeating: .noNetwork, count: 20)
        rig.player.perform(.playTracks([track(1), track(2)], startAt: 0))
        var attempts = 0
        while rig.player.state.currentEntry?.track == track(1), attempts < 20 {
            await settle()
            attempts = rig.source.resolved.count
            rig.time.advance(by: .seconds(1))
            await settle()
        }
        #expect(rig.source.resolved.filter { $0 == track(1).id }.count == 4)
        #expect(rig.player.state.problem?.code == .network)
    }

    @Test("What is buffered is heard to its end before a track is given up")
    func buffered() async throws {
        rig.player.perform(.playTracks([track(1), track(2)], startAt: 0))
        let transfer = try #require(await rig.transfer(of: track(1).id))
        try transfer.bring(500, of: 1000)
        transfer.fail(Failure(.unavailableTrack, "gone"))
        rig.time.advance(by: .seconds(50))
        await settle()
        #expect(rig.player.state.currentEntry?.track == track(1))
        rig.engine.say(.hungry(LoadNumber(1), at: .seconds(50)))
        #expect(rig.player.state.currentEntry?.track == track(2))
        #expect(rig.player.state.problem?.code == .unavailableTrack)
    }

    @Test("While the listener hears what is buffered, attempts go on beyond a minute")
    func longTrouble() async throws {
        rig.player.perform(.playTracks([track(1), track(2)], startAt: 0))
        let transfer = try #require(await rig.transfer(of: track(1).id))
        try transfer.bring(900, of: 1000)
        rig.source.failures = Array(repeating: .noNetwork, count: 100)
        transfer.fail(.noNetwork)
        for _ in 0..<90 {
            await settle()
            rig.time.advance(by: .seconds(1))
        }
        #expect(rig.player.state.currentEntry?.track == track(1) && rig.player.state.status == .playing)
        rig.source.failures = []
        await settle()
        rig.time.advance(by: .seconds(8))
        try await rig.bring(track(1).id)
        #expect(rig.player.buffered == 1)
    }

    @Test("A track that stalls in the middle without a word is left after a minute of silence")
    func stall() async throws {
        rig.player.perform(.playTracks([track(1), track(2)], startAt: 0))
        let transfer = try #require(await rig.transfer(of: track(1).id))
        try transfer.bring(500, of: 1000)
        rig.time.advance(by: .seconds(100))
        await settle()
        rig.engine.say(.hungry(LoadNumber(1), at: .seconds(50)))
        rig.time.advance(by: .seconds(59))
        await settle()
        #expect(rig.player.state.currentEntry?.track == track(1))
        rig.time.advance(by: .seconds(1))
        #expect(await until { rig.player.state.currentEntry?.track == track(2) })
    }

    @Test("A stall that ends in time is forgotten")
    func stallEnds() async throws {
        rig.player.perform(.playTracks([track(1), track(2)], startAt: 0))
        let transfer = try #require(await rig.transfer(of: track(1).id))
        try transfer.bring(500, of: 1000)
        rig.engine.say(.hungry(LoadNumber(1), at: .seconds(50)))
        rig.time.advance(by: .seconds(50))
        rig.engine.say(.fed(LoadNumber(1), at: .seconds(50)))
        rig.time.advance(by: .seconds(50))
        await settle()
        #expect(rig.player.state.currentEntry?.track == track(1) && rig.player.state.problem == nil)
    }

    @Test("Ten tracks in a row that cannot be had, and the player stops")
    func tenBad() async {
        rig.source.silent = Set((1...20).map { track($0).id })
        rig.player.perform(.playTracks((1...20).map { track($0) }, startAt: 0))
        #expect(await until { rig.player.state.status == .stopped })
        #expect(rig.source.resolved.count == 10)
    }
}
