import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

@testable import NyanService

/// The sleep timer and the history in the living player.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct SleepTimerTests {
    let rig = Rig()

    @Test("The timer fades and pauses by itself, the volume stays, and afterwards nothing is waited for")
    func pauses() async throws {
        try await rig.play([track(1), track(2)])
        rig.player.perform(.setVolume(0.7))
        rig.player.perform(.setSleepTimer(.after(.seconds(100))))
        #expect(await until { rig.time.waits.contains(.seconds(92)) })
        #expect(rig.player.sleepLeft == .seconds(100))
        rig.time.advance(by: .seconds(92))
        #expect(await until { rig.engine.calls.last == .fadeOut(over: .seconds(8)) })
        rig.time.advance(by: .seconds(8))
        #expect(await until { rig.player.state.status == .paused })
        #expect(rig.engine.calls.suffix(2) == [.setPlaying(false), .endFade])
        #expect(rig.player.position == .seconds(100))
        #expect(rig.player.state.volume == 0.7 && rig.player.sleepLeft == nil)
        await settle()
        #expect(rig.time.waits.isEmpty)
    }

    @Test("A timer that is called off or replaced is not waited for any more")
    func replaced() async throws {
        try await rig.play([track(1)])
        rig.player.perform(.setSleepTimer(.after(.seconds(100))))
        await settle()
        rig.player.perform(.setSleepTimer(.after(.seconds(50))))
        await settle()
        #expect(rig.time.waits == [.seconds(1), .seconds(42)])
        rig.player.perform(.setSleepTimer(nil))
        await settle()
        #expect(rig.time.waits == [.seconds(1)])
    }

    @Test("While paused the timer goes on, and pauses nothing")
    func paused() async throws {
        try await rig.play([track(1)])
        rig.player.perform(.setSleepTimer(.after(.seconds(100))))
        rig.player.perform(.pause)
        await settle()
        rig.time.advance(by: .seconds(95))
        await settle()
        #expect(rig.player.sleepLeft == .seconds(5))
        rig.time.advance(by: .seconds(5))
        #expect(await until { rig.player.state.sleepTimer == nil })
        await settle()
        #expect(rig.time.waits.isEmpty && !rig.engine.calls.contains(.endFade))
    }

    @Test("A change of the timer is told once, the seconds that pass are not")
    func told() async throws {
        let desk = try Desk(rig)
        var told: [StatusReport?] = []
        let rule = MatchRule(
            sender: desk.server.uniqueName, path: Names.nyandPath, interface: NyandInterfaces.player.name,
            member: "StatusChanged")
        let subscription = try desk.client.subscribe(rule) { message in
            told.append((try? message.values())?.first.flatMap { StatusReport($0) })
        }
        try await rig.play([track(1)])
        _ = try await desk.listen {}
        told = []
        _ = try await desk.listen { rig.player.perform(.setSleepTimer(.after(.seconds(90)))) }
        #expect(told.map { $0?.sleepTimer } == [.remaining(90)])
        _ = try await desk.listen {
            rig.time.advance(by: .seconds(1))
            rig.hub.changed(.playback)
        }
        #expect(told.count == 1)
        _ = try await desk.listen { rig.player.perform(.setSleepTimer(.after(.seconds(90)))) }
        #expect(told.count == 2)
        _ = try await desk.listen { rig.player.perform(.setSleepTimer(.endOfTrack)) }
        #expect(told.last??.sleepTimer == .endOfTrack)
        _ = try await desk.listen { rig.player.perform(.setSleepTimer(nil)) }
        #expect(told.count == 4 && told.last??.sleepTimer == nil)
        subscription.cancel()
    }

    @Test("What was heard is listed as soon as it counts, and how long once it ends")
    func history() async throws {
        try await rig.play([track(1), track(2), track(3)])
        rig.time.advance(by: .seconds(29))
        await settle()
        #expect(try await rig.player.plays(10) == [])
        rig.time.advance(by: .seconds(1))
        #expect(await until { !rig.playback.saved.debugDescription.isEmpty && rig.time.waits == [.seconds(1)] })
        let first = PlayedTrack(track: track(1), playedAt: 1_001_000, heard: 30)
        #expect(try await rig.player.plays(10) == [first])
        rig.time.advance(by: .seconds(12))
        rig.player.perform(.next)
        try await rig.bring(track(2).id)
        rig.time.advance(by: .seconds(5))
        rig.player.perform(.next)
        try await rig.bring(track(3).id)
        rig.time.advance(by: .seconds(60))
        await rig.player.shutDown()
        let plays = try await rig.playback.plays(10)
        #expect(plays.map(\.track) == [track(3), track(1)])
        #expect(plays.map(\.heard) == [60, 42])
        #expect(plays.map(\.playedAt) == [1_001_047, 1_001_000])
    }
}
