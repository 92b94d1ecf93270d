import NyanCore
import NyanDBus
import NyanTestKit
import Testing

@testable import NyanService

/// An outside scrobbler, which sees the player through MPRIS on a real bus, and nyand's own journal count the same.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct OutsideScrobblerTests {
    /// One world with both of them.
    private final class Pair {
        let world = ScrobbleRig()
        let desk: Desk
        let outside: OutsideScrobbler
        var rig: Rig { world.rig }

        init() async throws {
            desk = try Desk(world.rig)
            outside = try OutsideScrobbler(
                desk.client, player: desk.server.uniqueName, now: { [time = world.rig.time] in time.now })
            await world.scrobbles.start()
            try await world.signIn()
            try await outside.begin()
        }

        /// Seconds pass; the scrobbler asks for the position every ten.
        func wait(_ seconds: Int) async throws {
            for second in 1...max(1, seconds) where seconds > 0 {
                await world.wait(1)
                // What was told within this second has arrived: this clock does not wait for the bus.
                _ = try await desk.listen {}
                if second.isMultiple(of: 10) { try await outside.look() }
            }
            try await outside.look()
        }

        func perform(_ command: PlaybackCommand) async throws {
            rig.player.perform(command)
            _ = try await desk.listen {}
        }

        func expectSame(_ expected: [String], at location: SourceLocation = #_sourceLocation) async throws {
            await settle()
            try await outside.look()
            #expect(world.brainz.taken == expected, "nyand", sourceLocation: location)
            #expect(outside.counted == expected, "the outside scrobbler", sourceLocation: location)
        }
    }

    private func song(_ number: Int64, _ seconds: Int) -> Track {
        Track(id: TrackID(owner: 7, audio: number), artist: "A", title: "T\(number)", duration: seconds)
    }

    @Test("Played through, paused, sought back over half, and next at 40 %")
    func journey() async throws {
        let pair = try await Pair()
        try await pair.rig.play([song(1, 60), song(2, 100), song(3, 80)])
        try await pair.wait(20)
        try await pair.perform(.pause)
        try await pair.wait(50)
        try await pair.perform(.play)
        try await pair.wait(9)
        try await pair.expectSame([])
        try await pair.perform(.seekTo(.zero, nil))
        try await pair.wait(2)
        try await pair.expectSame(["T1"])
        try await pair.wait(40)
        try await pair.perform(.next)
        try await pair.rig.bring(song(2, 0).id)
        try await pair.wait(40)
        try await pair.perform(.next)
        try await pair.rig.bring(song(3, 0).id)
        try await pair.wait(38)
        try await pair.expectSame(["T1"])
        try await pair.wait(3)
        try await pair.expectSame(["T1", "T3"])
    }

    @Test("A seek forward over half is not heard, nor is a stall")
    func skips() async throws {
        let pair = try await Pair()
        try await pair.rig.play([song(1, 100)])
        try await pair.wait(10)
        try await pair.perform(.seekTo(.seconds(70), nil))
        try await pair.wait(20)
        pair.rig.engine.say(.hungry(LoadNumber(1), at: .seconds(90)))
        try await pair.wait(30)
        pair.rig.engine.say(.fed(LoadNumber(1), at: .seconds(90)))
        try await pair.wait(5)
        try await pair.expectSame([])
        try await pair.perform(.seekTo(.seconds(20), nil))
        try await pair.wait(16)
        try await pair.expectSame(["T1"])
    }

    @Test("Tracks joined without a gap, and a short one between them")
    func joined() async throws {
        let pair = try await Pair()
        try await pair.rig.play([song(1, 40), song(2, 30), song(3, 50)])
        for number: Int64 in 2...3 {
            try await pair.rig.bring(song(number, 0).id)
            try await pair.wait(number == 2 ? 40 : 30)
            pair.rig.engine.switchOver()
            await settle()
        }
        try await pair.wait(26)
        try await pair.expectSame(["T1", "T3"])
    }

    @Test("A repeated track is a play each time it comes round")
    func repeated() async throws {
        let pair = try await Pair()
        try await pair.rig.play([song(1, 40)])
        try await pair.perform(.setRepeat(.track))
        for _ in 0..<2 {
            await settle()
            try await pair.wait(40)
            #expect(pair.rig.engine.staged != nil)
            pair.rig.engine.switchOver()
            await settle()
        }
        try await pair.wait(19)
        try await pair.expectSame(["T1", "T1"])
        try await pair.wait(2)
        try await pair.expectSame(["T1", "T1", "T1"])
    }

    @Test("Four minutes of a long track, once; stopped and started again it is another play")
    func long() async throws {
        let pair = try await Pair()
        try await pair.rig.play([song(1, 900)])
        try await pair.wait(238)
        try await pair.expectSame([])
        try await pair.wait(3)
        try await pair.expectSame(["T1"])
        try await pair.perform(.stop)
        try await pair.perform(.play)
        try await pair.wait(200)
        try await pair.expectSame(["T1"])
        try await pair.wait(41)
        try await pair.expectSame(["T1", "T1"])
    }
}
