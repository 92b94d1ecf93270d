import NyanAudio
import NyanCore
import NyanTestKit
import Testing

extension AudioTests {
    @Suite(.serialized) struct PausedStartTests {
        @Test(
            "a sound that was loaded paused runs at once when it is let go, however long it waited", .measured,
            arguments: Mixer.Kind.forgetful, [0, 20])
        func letGo(kind: Mixer.Kind, second: Int) async throws {
            let mixer = try await mixer(kind)
            let recording = await mixer.record("a")
            defer { _ = recording.end() }
            let listener = Listener(sink: "auto", volume: 0.3)
            listener.load(1, Sounds.loud, at: .seconds(second), playing: second == 0)
            await listener.started(1)
            // At 0 it is paused as soon as it has begun, at 20 before.
            listener.engine.setPlaying(false)
            await listener.listen(for: .seconds(3))
            let before = recording.count
            listener.engine.setPlaying(true)
            await listener.listen(for: .milliseconds(1500))
            let place = listener.place
            let first = recording.samples.dropFirst(before).firstIndex { abs($0) > 300 } ?? -1
            print(
                "FIGURE \(kind) let go at \(second): place \(place - Double(second)) after 1.5 s, heard after \((first - before) / 44) ms"
            )
            measure(abs(place - Double(second) - 1.5) < 0.4, "at \(place) after 1.5 s")
            await listener.plays(beyond: Double(second) + 1)
            var isHeard = false
            for _ in 0..<100 where !isHeard {
                await listener.listen(for: .milliseconds(100))
                isHeard = recording.samples.dropFirst(before).contains { abs($0) > 300 }
            }
            #expect(isHeard)
            #expect(listener.plot.filter { if case .started = $0 { true } else { false } }.count == 1)
        }
    }
}
