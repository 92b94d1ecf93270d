import NyanCore
import NyanDBus
import NyanTestKit
import Testing

@testable import NyanService

/// Keeps what it should show.
private final class KeptTracks: Notifications {
    var notices: [Notice] = []
    func show(_ notice: Notice) { notices.append(notice) }
}

/// What the player does, as the desktop is told of it.
@Suite("Notices of tracks, from the player", .timeLimit(.minutes(1)))
final class TrackNotifierTests {
    private let rig = Rig()
    private let kept = KeptTracks()
    private lazy var notifier = TrackNotifier(kept, hub: rig.hub, time: rig.time) { [rig] in rig.snapshot() }

    private func begin(on: Bool = true) async {
        await rig.account.ready()
        rig.hub.flush()
        notifier.isOn = on
    }

    private func sounds() {
        if let load = rig.engine.current { rig.engine.say(.started(load)) }
        rig.hub.flush()
    }

    private func calm() async {
        await settle()
        rig.time.advance(by: .milliseconds(500))
        await settle()
    }

    @Test("A track is told when it sounds, not while it is waited for; with its cover, were it late")
    func tells() async throws {
        await begin()
        rig.engine.answersAtOnce = false
        try await rig.play([track(1), track(2)])
        rig.hub.flush()
        await calm()
        #expect(kept.notices.isEmpty)
        sounds()
        await calm()
        #expect(kept.notices.map(\.title) == ["Title 1"] && kept.notices.first?.body == "Artist 1")
        rig.http.answer = HTTPResponse(status: 200, headers: [:], body: [1])
        var pictured = track(1)
        pictured.coverURL = "https://media.test/cover.jpg"
        await rig.covers.cover(of: pictured)
        rig.hub.flush()
        #expect(kept.notices.count == 2 && kept.notices.last?.picture == "/dev/null")
    }

    @Test("Pause, resume, seek and volume tell nothing, and neither does anything while it is off")
    func silence() async throws {
        await begin()
        try await rig.play([track(1), track(2)])
        sounds()
        await calm()
        for command in [.pause, .play, .seekTo(.seconds(9), nil), .setVolume(0.3), .setRepeat(.track)]
            as [PlaybackCommand]
        {
            rig.player.perform(command)
            sounds()
            await calm()
        }
        #expect(kept.notices.count == 1)
        notifier.isOn = false
        rig.player.perform(.next)
        try await rig.bring(track(2).id)
        sounds()
        await calm()
        #expect(kept.notices.count == 1)
        notifier.isOn = true
        await calm()
        #expect(kept.notices.count == 1)
    }
}

/// The block inhibitor against logind, on a bus of its own.
@Suite("Keeping the machine awake, asked of logind", .serialized, .timeLimit(.minutes(1)))
final class SleepBlockBusTests {
    private let mock: MockLogind
    private let block: SleepBlock

    init() throws {
        mock = try MockLogind()
        block = SleepBlock(.address(mock.bus.address), log: Log(level: .error))
    }

    private func blocks(are wanted: [String]) async throws -> Bool {
        let end = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < end {
            if try await mock.inhibitors("block") == wanted { return true }
        }
        return false
    }

    @Test("The machine is kept awake from the first wish to its end, by one inhibitor that says who and why")
    func holds() async throws {
        try await mock.start()
        block.setWanted(true)
        block.setWanted(true)
        #expect(try await blocks(are: ["Nyan Tunes"]))
        block.setWanted(false)
        #expect(try await blocks(are: []))
        block.setWanted(true)
        block.setWanted(false)
        block.setWanted(true)
        #expect(try await blocks(are: ["Nyan Tunes"]))
    }

    @Test("A logind that comes later, or anew, is asked by itself; without one nothing waits")
    func restarts() async throws {
        block.setWanted(true)
        await settle()
        try await mock.start()
        #expect(try await blocks(are: ["Nyan Tunes"]))
        await mock.kill()
        try await mock.start()
        #expect(try await blocks(are: ["Nyan Tunes"]))
    }

    @Test("Without a system bus it is said once why; so it is when the bus goes away, and a later wish is tried again")
    func noBus() async throws {
        var complaints: [String] = []
        let alone = SleepBlock(.address("unix:path=/nonexistent")) { complaints.append($0) }
        alone.setWanted(true)
        #expect(await until { complaints.count == 1 })
        alone.setWanted(false)
        alone.setWanted(true)
        await settle()
        #expect(complaints.count == 1 && complaints.first?.isEmpty == false)
        let lost = SleepBlock(.address(mock.bus.address)) { complaints.append($0) }
        try await mock.start()
        lost.setWanted(true)
        #expect(try await blocks(are: ["Nyan Tunes"]))
        mock.bus.kill()
        #expect(await until { complaints.count == 2 })
        #expect(complaints.last == "the system bus is gone")
        lost.setWanted(false)
        lost.setWanted(true)
        #expect(await until { lost.trouble != complaints.last })
        #expect(complaints.count == 2)
    }
}
