import Glibc
import NyanAudio
import NyanCore
import NyanTestKit
import Testing

private func isHungry(_ event: EngineEvent) -> Bool { if case .hungry = event { true } else { false } }
private func isFed(_ event: EngineEvent) -> Bool { if case .fed = event { true } else { false } }

extension AudioTests {
    /// A server that keeps its connections and does nothing: kill -STOP.
    @Suite(.serialized) struct FrozenTests {
        nonisolated private static let kinds = [Mixer.Kind.pulse, .pipewire]
        /// Nothing may keep the bus longer.
        private static let moment = Duration.milliseconds(400)

        @Test(
            "a server that is frozen for three seconds: the clock stands, then the sound goes on at the same place",
            .measured, arguments: kinds)
        func shortly(kind: Mixer.Kind) async throws {
            let mixer = try await mixer(kind)
            // While somebody listens, the null sink has no latency to speak of.
            let recording = await mixer.record("a")
            defer { _ = recording.end() }
            let listener = Listener(sink: "auto", volume: 0.3)
            listener.load(1, Sounds.loud, at: .seconds(10))
            await listener.started(1)
            await listener.play(for: 2)
            let place = listener.place
            mixer.freeze()
            await listener.waitPlaying("hungry", within: 20, from: 0, isHungry)
            let toldAt = ContinuousClock.now
            let held = listener.place
            await listener.play(for: 1)
            #expect(listener.place == held)
            measure(abs(held - place) < 0.4, "frozen at \(place), held at \(held)")
            mixer.thaw()
            let frozen = ContinuousClock.now - toldAt
            await listener.waitPlaying("fed", within: 20, from: 0, isFed)
            measure(abs(listener.place - held) < 0.6, "held at \(held), going on at \(listener.place)")
            await listener.play(for: 2)
            measure(abs(listener.place - held - 2) < 0.7, "2 s after \(held) at \(listener.place)")
            // Four seconds after the word it would be lost, and a busy server is not awake at once.
            if frozen < .seconds(2) { #expect(!listener.events.contains(.outputChanged(.lost))) }
            #expect(await mixer.streams(\.percent, until: [67]) == [67])
            print("FIGURE \(kind) frozen at \(place), held at \(held)")
        }

        @Test(
            "a server that stays frozen is told as lost; paused by that, nothing plays when it wakes", .measured,
            arguments: kinds)
        func long(kind: Mixer.Kind) async throws {
            let mixer = try await mixer(kind)
            // While somebody listens, the null sink has no latency to speak of.
            let recording = await mixer.record("a")
            defer { _ = recording.end() }
            let listener = Listener(sink: "auto", volume: 0.3)
            listener.load(1, Sounds.loud, at: .seconds(10))
            await listener.started(1)
            await listener.play(for: 2)
            mixer.freeze()
            await listener.waitPlaying("lost", within: 20, from: 0) { $0 == .outputChanged(.lost) }
            let held = listener.place
            measure(abs(held - 12) < 0.6, "lost at \(held)")
            measure("pause", within: Self.moment) { listener.engine.setPlaying(false) }
            mixer.thaw()
            await listener.wait("ok") { $0 == .outputChanged(.ok) }
            #expect(await mixer.streams(\.isCorked, until: [true]) == [true])
            let woken = listener.place
            measure(abs(woken - held) < 0.1, "lost at \(held), awake at \(woken)")
            await listener.listen(for: .milliseconds(500))
            #expect(await mixer.streams(\.isCorked, until: [true]) == [true])
            #expect(abs(listener.place - woken) < 0.1)
            listener.engine.setPlaying(true)
            await listener.play(for: 2)
            measure(abs(listener.place - held - 2) < 0.7, "2 s after \(held) at \(listener.place)")
            await listener.plays(beyond: held + 1)
            #expect(await mixer.streams(\.isCorked, until: [false]) == [false])
            #expect(await mixer.streams(\.percent, until: [67]) == [67])
        }

        @Test(
            "with the server frozen every wish returns at once, and the last one holds when it wakes", .measured,
            arguments: kinds)
        func answers(kind: Mixer.Kind) async throws {
            let mixer = try await mixer(kind)
            // While somebody listens, the null sink has no latency to speak of.
            let recording = await mixer.record("a")
            defer { _ = recording.end() }
            let listener = Listener(sink: "auto", volume: 0.3)
            listener.load(1, Sounds.loud)
            await listener.started(1)
            await listener.play(for: 1)
            mixer.freeze()
            await listener.listen(for: .milliseconds(300))
            let engine = listener.engine
            var worst = Duration.zero
            func wish(_ what: String, _ call: () -> Void) {
                worst = max(worst, measure(what, within: Self.moment, call))
            }
            for playing in [false, true, false, true, false] {
                wish("playing \(playing)") { engine.setPlaying(playing) }
                wish("position") { _ = engine.position() }
            }
            wish("volume") { engine.setVolume(0.2) }
            wish("seek") { engine.seek(to: .seconds(20)) }
            for number in UInt64(2)...4 {
                wish("load \(number)") { listener.load(number, Sounds.loud, at: .seconds(5)) }
                await listener.listen(for: .milliseconds(200))
            }
            wish("stop") { engine.stop() }
            wish("load 5") { listener.load(5, Sounds.loud, at: .seconds(30)) }
            print("FIGURE \(kind) frozen: longest call \(worst)")
            mixer.thaw()
            await listener.started(5)
            await listener.play(for: 1)
            measure(abs(listener.place - 31) < 0.6, "a second after 30 at \(listener.place)")
            await listener.plays(beyond: 30.5)
            #expect(await mixer.streams(\.percent, until: [58]) == [58])
        }

        @Test("started against a frozen server: an answer at once, and word when it wakes", .measured, arguments: kinds)
        func start(kind: Mixer.Kind) async throws {
            let mixer = try await mixer(kind)
            // While somebody listens, the null sink has no latency to speak of.
            let recording = await mixer.record("a")
            defer { _ = recording.end() }
            let listener = Listener(sink: "auto", volume: 0.3)
            mixer.freeze()
            measure("load 1", within: Self.moment) { listener.load(1, Sounds.loud) }
            #expect(await listener.failed(1)?.code == .audioOutput)
            #expect(listener.events.contains(.outputChanged(.lost)))
            measure("load 2", within: Self.moment) { listener.load(2, Sounds.loud) }
            mixer.thaw()
            await listener.wait("ok") { $0 == .outputChanged(.ok) }
            listener.load(3, Sounds.loud)
            await listener.started(3)
            await listener.listen(for: .milliseconds(300))
            #expect(await mixer.streams(\.percent, until: [67]) == [67])
        }

        /// libpulse gives a call up after 30 s, and with it the connection. Only with NYAN_SOAK set: it takes minutes.
        @Test(
            "frozen for half a minute and longer: paused where it was, and a play after that sounds there",
            .enabled(if: getenv("NYAN_SOAK") != nil), .timeLimit(.minutes(5)), arguments: kinds, [30, 45])
        func veryLong(kind: Mixer.Kind, seconds: Int) async throws {
            let mixer = try await mixer(kind)
            let recording = await mixer.record("a")
            defer { _ = recording.end() }
            let listener = Listener(sink: "auto", volume: 0.3)
            listener.load(1, Sounds.loud, at: .seconds(10))
            await listener.started(1)
            await listener.play(for: 2)
            let place = listener.place
            mixer.freeze()
            await listener.waitPlaying("lost", within: 20, from: 0) { $0 == .outputChanged(.lost) }
            #expect(listener.timed { listener.engine.setPlaying(false) } < Self.moment)
            await listener.listen(for: .seconds(seconds - 6))
            mixer.thaw()
            await listener.listen(for: .seconds(2))
            #expect(abs(listener.place - place) < 1.5)
            let hasFailed = listener.events.contains { if case .failed = $0 { true } else { false } }
            if hasFailed {
                // The player makes a new load of it.
                listener.load(2, Sounds.loud, at: .seconds(12))
                await listener.started(2)
            } else {
                listener.engine.setPlaying(true)
            }
            await listener.play(for: 2)
            print("FIGURE \(kind) frozen for \(seconds) s: place \(place), then \(listener.place), failed \(hasFailed)")
            #expect(abs(listener.place - place - 2) < 1.5)
            #expect(await mixer.streams(\.percent, until: [67]) == [67])
            #expect(await mixer.streams(\.isCorked, until: [false]) == [false])
        }

        @Test("frozen, then killed: lost at the same place, and a new server plays on", .measured, arguments: kinds)
        func frozenThenKilled(kind: Mixer.Kind) async throws {
            let mixer = try await mixer(kind)
            // While somebody listens, the null sink has no latency to speak of.
            let recording = await mixer.record("a")
            defer { _ = recording.end() }
            let listener = Listener(sink: "auto", volume: 0.3)
            listener.load(1, Sounds.loud, at: .seconds(10))
            await listener.started(1)
            await listener.play(for: 1)
            mixer.freeze()
            await listener.waitPlaying("hungry", within: 20, from: 0, isHungry)
            mixer.kill()
            #expect(await listener.failed(1)?.code == .audioOutput)
            measure(abs(listener.place - 11) < 0.6, "lost at \(listener.place)")
            try #require(await mixer.start())
            listener.load(2, Sounds.loud, at: .seconds(11))
            await listener.started(2)
            await listener.listen(for: .milliseconds(300))
            #expect(await mixer.streams(\.percent, until: [67]) == [67])
        }
    }
}
