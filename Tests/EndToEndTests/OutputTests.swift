import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// The sound server under the whole program: what a person sees, and what the server has.
@Suite("Output", .serialized, .timeLimit(.minutes(4)))
struct OutputTests {
    private static let track = "123456_456239965"
    private static let next = "123456_456239998"
    nonisolated private static let kinds = [Mixer.Kind.pulse, .pipewire]

    /// A house whose daemon plays through a private server.
    private func open(_ kind: Mixer.Kind, _ setting: String = "", started: Bool = true) async throws -> (House, Mixer) {
        let mixer = try Mixer(kind)
        if started { try #require(await mixer.start()) }
        let house = try await House(settings: "[audio]\nsink=auto\n" + setting)
        house.environment["PULSE_SERVER"] = mixer.address
        try await house.startDaemon()
        try await house.signIn()
        return (house, mixer)
    }

    /// Plays the track at 30 % from 0:20 on.
    private func play(in house: House) async throws {
        try await house.ctl("volume", "30")
        #expect(try await house.ctl("play", Self.track, Self.next).status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
        #expect(try await house.ctl("seek", "20").status == 0)
        try await house.until("it is there") {
            let status = try await house.status()
            return status.state == "playing" && status.position > 20.5
        }
    }

    @Test("a server that dies pauses with a reason; `play` goes on at the same second and volume", arguments: kinds)
    func dies(kind: Mixer.Kind) async throws {
        let (house, mixer) = try await open(kind)
        try await play(in: house)
        mixer.kill()
        try await house.until("it pauses") { try await house.status().state == "paused" }
        let lost = try await house.status()
        #expect(lost.audioOutput == "lost")
        #expect(lost.problem?.code == "audio-output")
        try #require(await mixer.start())
        #expect(try await house.ctl("play").status == 0)
        let status = try await house.sounds(beyond: lost.position + 0.5)
        #expect(status.position - lost.position < 4 + house.blink)
        #expect(status.audioOutput == "ok")
        #expect(status.problem == nil)
        #expect(await mixer.streams(\.percent, until: [67]) == [67])
        #expect(await mixer.streams(\.isCorked, until: [false]) == [false])
    }

    @Test("with on-output-lost=continue the sound comes back by itself when the server does", arguments: kinds)
    func continues(kind: Mixer.Kind) async throws {
        let (house, mixer) = try await open(kind, "on-output-lost=continue\n")
        try await play(in: house)
        mixer.kill()
        try await house.until("it waits") { try await house.status().state == "buffering" }
        let lost = try await house.status()
        #expect(lost.audioOutput == "lost")
        #expect(lost.problem?.code == "audio-output")
        let begun = ContinuousClock.now
        try #require(await mixer.start())
        let status = try await house.reached("playing")
        #expect(status.position >= lost.position - 0.3)
        #expect(status.position - lost.position < 1 + (ContinuousClock.now - begun) / .seconds(1))
        try await house.until("the server has it") { mixer.streams().map(\.percent) == [67] }
    }

    @Test(
        "a device taken away pauses with a reason, or goes on if the setting says so", arguments: kinds, [true, false])
    func vanishes(kind: Mixer.Kind, pauses: Bool) async throws {
        let (house, mixer) = try await open(kind, "on-output-lost=\(pauses ? "pause" : "continue")\n")
        try await play(in: house)
        mixer.remove("a")
        if pauses {
            try await house.until("it pauses") { try await house.status().state == "paused" }
            let status = try await house.status()
            #expect(status.problem?.code == "audio-output")
            #expect(status.audioOutput == "lost")
            try await house.until("the stream rests") { mixer.streams().map(\.isCorked) == [true] }
            #expect(try await house.ctl("play").status == 0)
        }
        try await house.until("it plays elsewhere") {
            let status = try await house.status()
            return status.state == "playing" && status.audioOutput == "ok" && status.problem == nil
        }
        #expect(await mixer.streams(\.sink, until: ["b"]) == ["b"])
        #expect(await mixer.streams(\.isCorked, until: [false]) == [false])
    }

    @Test(
        "a frozen server: every command is answered, then paused with a reason; awake, `play` goes on at the same second",
        arguments: kinds)
    func freezes(kind: Mixer.Kind) async throws {
        let (house, mixer) = try await open(kind)
        try await play(in: house)
        mixer.freeze()
        try await house.until("it stands") { try await house.status().state == "buffering" }
        let held = try await house.status()
        try await house.until("it pauses") { try await house.status().state == "paused" }
        let lost = try await house.status()
        #expect(lost.audioOutput == "lost")
        #expect(lost.problem?.code == "audio-output")
        #expect(abs(lost.position - held.position) < 0.2)
        for words in [["status"], ["volume", "30"], ["play"], ["pause"], ["status"]] {
            let start = ContinuousClock.now
            let program = try Program(
                [House.programs + "/nyanctl", "--timeout", "5"] + words, environment: house.environment)
            #expect(await program.outcome().status == 0, "\(words)")
            #expect((ContinuousClock.now - start) / .milliseconds(1) < House.atOnce, "\(words)")
        }
        mixer.thaw()
        try await house.until("the output is back") { try await house.status().audioOutput == "ok" }
        #expect(try await house.status().state == "paused")
        #expect(try await house.ctl("play").status == 0)
        let again = try await house.sounds(beyond: held.position + 0.5)
        #expect(again.position - held.position < 4 + house.blink)
        #expect(await mixer.streams(\.percent, until: [67]) == [67])
    }

    @Test(
        "next and stop are answered with the server frozen, and the next track sounds when it wakes", arguments: kinds)
    func skipsFrozen(kind: Mixer.Kind) async throws {
        let (house, mixer) = try await open(kind)
        try await play(in: house)
        mixer.freeze()
        for word in ["next", "stop", "play"] {
            let start = ContinuousClock.now
            #expect(try await house.ctl("--timeout", "5", word).status == 0, "\(word)")
            #expect((ContinuousClock.now - start) / .milliseconds(1) < House.atOnce, "\(word)")
        }
        mixer.thaw()
        try await house.until("the next one plays") {
            let status = try await house.status()
            return status.state == "playing" && status.track?.id == Self.next && status.position > 0.5
        }
        #expect(await mixer.streams(\.percent, until: [67]) == [67])
    }

    @Test("no server at the start: told as missing; the track after the server came sounds on it", arguments: kinds)
    func absent(kind: Mixer.Kind) async throws {
        let (house, mixer) = try await open(kind, started: false)
        try await house.ctl("volume", "30")
        #expect(try await house.ctl("play", Self.track, Self.next).status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
        #expect(try await house.status().audioOutput == "missing")
        try #require(await mixer.start())
        try await house.until("a moment goes by") { try await house.status().position > 2 }
        #expect(try await house.ctl("next").status == 0)
        try await house.until("it sounds") {
            try await house.status().audioOutput == "ok" && mixer.streams().map(\.percent) == [67]
        }
    }

    @Test("after kill -9 of the daemon the first sample is at the volume that was set", arguments: kinds)
    func restarts(kind: Mixer.Kind) async throws {
        let (house, mixer) = try await open(kind)
        func loudest(_ volume: String?) async throws -> Int {
            if let volume { try await house.ctl("volume", volume) }
            let recording = await mixer.record("a")
            #expect(try await house.ctl("play", Self.track).status == 0)
            try await house.until("it plays") {
                let status = try await house.status()
                return status.state == "playing" && status.position > 2
            }
            // The strongest 5 ms: single samples overshoot where a busy server cuts the sound.
            let samples = recording.end()
            let strongest = stride(from: 0, to: max(samples.count - 220, 0), by: 110).map { start in
                samples[start..<start + 220].reduce(0.0) { $0 + Double($1) * Double($1) }
            }
            return Int(((strongest.max() ?? 0) / 220).squareRoot())
        }
        let full = try await loudest("100")
        try await house.ctl("stop")
        try await house.ctl("volume", "20")
        house.daemon?.send(SIGKILL)
        _ = await house.daemon?.status()
        try await house.startDaemon()
        let quiet = try await loudest(nil)
        print("FIGURE \(kind) strengths at 100 % and, after kill -9, at 20 %: \(full), \(quiet)")
        #expect(full > 1000)
        #expect(Double(quiet) <= Double(full) * 0.22)
        #expect(Double(quiet) > Double(full) * 0.15)
    }

    @Test(
        "six rounds of a dying server cost no descriptor, and paused nothing wakes", .timeLimit(.minutes(2)),
        arguments: kinds)
    func rounds(kind: Mixer.Kind) async throws {
        let (house, mixer) = try await open(kind)
        try await play(in: house)
        let folder = "/proc/\(try #require(house.daemon).processID)/fd"
        var counts: [Int] = []
        for _ in 1...6 {
            mixer.kill()
            try await house.until("it pauses") { try await house.status().state == "paused" }
            try #require(await mixer.start())
            #expect(try await house.ctl("play").status == 0)
            try await house.until("it plays on") {
                let status = try await house.status()
                return status.state == "playing" && status.audioOutput == "ok"
            }
            try await house.until("the server has it") { mixer.streams().map(\.percent) == [67] }
            counts.append(try FileManager.default.contentsOfDirectory(atPath: folder).count)
        }
        print("FIGURE \(kind) descriptors by round: \(counts)")
        #expect(counts[5] <= counts[1] + 1)
        #expect(try await house.status().position > 20)
        #expect(try await house.ctl("pause").status == 0)
        let daemon = try #require(house.daemon)
        try await house.until("five seconds pass with hardly a wakeup") {
            let before = house.wakeups(of: daemon)
            await IdleTests.fiveSeconds()
            return house.wakeups(of: daemon).reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) } <= 2
        }
        let place = try await house.status().position
        #expect(try await house.ctl("play").status == 0)
        let again = try await house.sounds(beyond: place + 0.5)
        #expect(again.position < place + 3 + house.blink)
        #expect(await mixer.streams(\.percent, until: [67]) == [67])
    }
}
