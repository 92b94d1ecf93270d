import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Commands in, effects at the engine, updates out.
@Suite(.timeLimit(.minutes(1)))
struct PlayerTests {
    let rig = Rig()

    @Test("Play loads the track once its bytes are there, though the engine answers within the call")
    func play() async throws {
        rig.player.perform(.playTracks([track(1)], startAt: 0))
        #expect(rig.player.state.status == .playing && rig.player.state.isBuffering)
        #expect(!rig.engine.calls.contains { if case .load = $0 { true } else { false } })
        try await rig.bring(track(1).id)
        #expect(rig.engine.calls.suffix(1) == [.load(LoadNumber(1), at: .zero, playing: true)])
        #expect(!rig.player.state.isBuffering)
        rig.time.advance(by: .seconds(7))
        #expect(rig.player.position == .seconds(7))
    }

    @Test("An engine that reports from within its calls is answered in order")
    func reentrant() async throws {
        let engine = rig.engine
        // What was heard with goes away while the engine is told the volume, right before the load it was told for.
        engine.onCall = { [weak engine] call in
            guard case .setVolume = call else { return }
            engine?.onCall = nil
            engine?.say(.outputChanged(.lost))
        }
        try await rig.play([track(1), track(2)])
        #expect(engine.calls.suffix(2) == [.load(LoadNumber(1), at: .zero, playing: true), .setPlaying(false)])
        #expect(rig.player.state.status == .paused)
        rig.player.perform(.seekTo(.seconds(50), nil))
        #expect(engine.calls.suffix(1) == [.seek(.seconds(50))])
        #expect(rig.player.position == .seconds(50))
        #expect(rig.player.takeJump() == .seconds(50))
        #expect(rig.player.takeJump() == nil)
    }

    @Test("A late report about a load that was replaced changes nothing")
    func stale() async throws {
        try await rig.play([track(1), track(2)])
        let first = try #require(rig.engine.current)
        rig.player.perform(.next)
        try await rig.bring(track(2).id)
        let before = rig.player.state
        rig.engine.say(.started(first))
        rig.engine.say(.hungry(first, at: .seconds(3)))
        rig.engine.say(.failed(first, .noNetwork))
        #expect(rig.player.state == before)
        #expect(rig.player.buffered == 1)
    }

    @Test("What is in My Music plays from its file, without a call to VK")
    func local() async throws {
        let copy = FinishedCopy(id: track(1).id, path: "/no such folder/1.mp3", bytes: 1000)
        rig.library.put(profile: [track(1)], copies: [copy])
        rig.copies.addFile(copy.path)
        rig.player.perform(.playTracks([track(1)], startAt: 0))
        #expect(await until { rig.engine.current != nil })
        #expect(rig.source.resolved.isEmpty && rig.player.buffered == 1)
    }

    @Test("A copy whose disk is away plays from VK and stays known")
    func diskAway() async throws {
        let copy = FinishedCopy(id: track(1).id, path: "/no such folder/1.mp3", bytes: 1000)
        rig.library.put(profile: [track(1)], copies: [copy])
        try await rig.play([track(1)])
        #expect(rig.engine.current != nil)
        #expect(rig.library.copies == [copy])
    }

    @Test("The next track is prepared when the current one is complete, and plays on without a second fetch")
    func gapless() async throws {
        try await rig.play([track(1), track(2)])
        try await rig.bring(track(2).id)
        #expect(rig.engine.staged != nil)
        rig.engine.switchOver()
        #expect(rig.player.state.currentEntry?.track == track(2))
        #expect(rig.player.state.position.runningSince != nil)
        #expect(rig.fetcher.starts.count == 2)
    }

    @Test("Next while the next track is being fetched ahead goes on with the same fetch")
    func nextKeepsTransfer() async throws {
        try await rig.play([track(1), track(2)])
        let ahead = try #require(await rig.transfer(of: track(2).id))
        try ahead.bring(100, of: 1000)
        rig.player.perform(.next)
        await settle()
        #expect(!ahead.isCancelled && rig.fetcher.starts.count == 2)
        #expect(rig.source.resolved == [track(1).id, track(2).id])
        // Its first bytes are there, so the engine has it without waiting for more.
        #expect(rig.player.state.isBuffering == false)
    }

    @Test("A track fetched ahead has the priority of the playing one once it plays")
    func promoted() async throws {
        try await rig.play([track(1), track(2)])
        let ahead = try #require(await rig.transfer(of: track(2).id))
        try ahead.bring(100, of: 1000)
        rig.engine.switchOver()
        let load = try #require(rig.engine.current)
        #expect(rig.player.claim(of: load)?.purpose == .playing)
    }

    @Test("The engine's hunger moves the transfer to where bytes are wanted")
    func hunger() async throws {
        rig.player.perform(.playTracks([track(1)], startAt: 0))
        let transfer = try #require(await rig.transfer(of: track(1).id))
        try transfer.bring(100, of: 1000)
        rig.engine.want(LoadNumber(1), 700)
        #expect(transfer.preferred == [700])
    }

    @Test("Stop gives every claim back and ends every transfer")
    func stop() async throws {
        rig.player.perform(.playTracks([track(1)], startAt: 0))
        let transfer = try #require(await rig.transfer(of: track(1).id))
        rig.player.perform(.stop)
        #expect(transfer.isCancelled)
        await settle()
        #expect(rig.fetcher.starts.count == 1)
    }

    @Test("A claim given back in the turn it was made starts nothing")
    func stopAtOnce() async {
        rig.player.perform(.playTracks([track(1)], startAt: 0))
        rig.player.perform(.stop)
        await settle()
        #expect(rig.source.resolved.isEmpty && rig.fetcher.starts.isEmpty)
    }

    @Test("A pause stops the clock, and nothing wakes up while paused")
    func paused() async throws {
        try await rig.play([track(1)])
        await settle()
        #expect(rig.time.waits == [.seconds(1)])
        rig.player.perform(.pause)
        await settle()
        #expect(rig.time.waits.isEmpty)
    }

    @Test("After the end of the program nothing is started any more")
    func shutDown() async throws {
        try await rig.play([track(1), track(2)])
        await rig.player.shutDown()
        let calls = rig.engine.calls.count
        rig.engine.say(.ended(LoadNumber(1)))
        rig.player.perform(.next)
        await settle()
        #expect(rig.engine.calls.count == calls && rig.time.waits.isEmpty)
        #expect(rig.playback.saved?.entries.count == 2)
    }

    @Test("saved() returns only after the store has it")
    func durable() async throws {
        rig.playback.latch.shut()
        rig.player.perform(.add([track(1)], next: false))
        var isAnswered = false
        let answer = Task {
            try await rig.player.saved()
            isAnswered = true
        }
        await settle()
        #expect(!isAnswered && rig.playback.saved == nil)
        rig.playback.latch.open()
        try await answer.value
        #expect(rig.playback.saved?.entries.map(\.track) == [track(1)])
    }

    @Test("saved() throws while the disk is full, and writes what was missed once it is not")
    func fullDisk() async throws {
        rig.playback.fail(Failure(.diskFull, "no space left"))
        rig.player.perform(.add([track(1)], next: false))
        await #expect(throws: Failure.self) { try await rig.player.saved() }
        rig.playback.fail(nil)
        try await rig.player.saved()
        #expect(rig.playback.saved?.entries.count == 1)
    }

    @Test("A burst of edits is one write of the last state, not one each")
    func burst() async throws {
        rig.playback.latch.shut()
        for number in 1...50 as ClosedRange<Int64> { rig.player.perform(.add([track(number)], next: false)) }
        await settle()
        rig.playback.latch.open()
        try await rig.player.saved()
        #expect(rig.playback.saved?.entries.count == 50)
        #expect(rig.playback.saves <= 2)
    }
}
