import Glibc
import NyanAudio
import NyanCore
import Testing

extension AudioTests {
    @Suite(.serialized) struct PulseTests {
        @Test(
            "Through a sound server no sample is louder than set, over loads, joins of other formats, seeks and stops")
        func neverLouder() async throws {
            let server = SoundServer()
            try #require(await server.start())
            let path = Sounds.directory + "/monitor.pcm"
            let recorder = try #require(server.record(to: path))
            let listener = Listener(sink: "auto", volume: 0.2)
            await listener.listen(for: .milliseconds(300))
            listener.load(1, Sounds.flac)
            listener.stage(2, Sounds.flac48)
            await listener.started(2)
            await listener.listen(for: .milliseconds(300))
            listener.engine.seek(to: .seconds(1))
            await listener.wait("seeked") { if case .seeked = $0 { true } else { false } }
            listener.load(3, Sounds.flac)
            await listener.started(3)
            await listener.listen(for: .milliseconds(300))
            listener.engine.stop()
            listener.load(4, Sounds.flac48)
            await listener.started(4)
            await listener.ended(4)
            await listener.listen(for: .milliseconds(300))
            recorder.kill(SIGTERM)
            recorder.wait()
            #expect(!listener.events.contains { if case .volumeChanged = $0 { true } else { false } })
            let peak = recorded(path).map { abs(Int($0)) }.max() ?? 0
            print("FIGURE pulse monitor peak at volume 0.2: \(Double(peak) / 32_000)")
            // The server's resampler overshoots by up to 9 % where a tone is cut.
            #expect(Double(peak) / 32_000 <= 0.22)
            #expect(Double(peak) / 32_000 > 0.19)
        }

        @Test("What the mixer sets is told once and kept for the next load; our own setting is no news")
        func outsideVolume() async throws {
            let server = SoundServer()
            try #require(await server.start())
            let listener = Listener(sink: "auto", volume: 0.5)
            listener.load(1, Sounds.long)
            await listener.started(1)
            listener.engine.setVolume(0.3)
            await listener.listen(for: .milliseconds(300))
            #expect(!listener.events.contains { if case .volumeChanged = $0 { true } else { false } })
            server.control(["set-sink-input-volume", try #require(server.stream()), "50%"])
            let event = await listener.wait("volume") { if case .volumeChanged = $0 { true } else { false } }
            guard case .volumeChanged(let volume)? = event else { return }
            // The mixer's 50 % is an eighth in amplitude.
            #expect(abs(volume - 0.125) < 0.003)
            listener.load(2, Sounds.flac48)
            await listener.started(2)
            await listener.listen(for: .milliseconds(200))
            #expect(server.streams().contains(" 50% "))
            #expect(listener.events.filter { if case .volumeChanged = $0 { true } else { false } }.count == 1)
        }

        @Test(
            "A server that dies is an output failure at the place it was; the next load on a new server sounds",
            .measured)
        func serverDies() async throws {
            let server = SoundServer()
            try #require(await server.start())
            let listener = Listener(sink: "auto", volume: 0.3)
            listener.load(1, Sounds.long)
            await listener.started(1)
            await listener.listen(for: .milliseconds(500))
            server.stop()
            let failure = await listener.failed(1)
            #expect(failure?.code == .audioOutput)
            #expect(listener.events.contains(.outputChanged(.lost)))
            let position = try #require(listener.engine.position()).position.inSeconds
            measure(abs(position - 0.5) < 0.3, "at \(position)")
            listener.load(2, Sounds.long)
            await listener.wait("missing output") { $0 == .outputChanged(.missing) }
            await listener.started(2)
            try #require(await server.start())
            await listener.listen(for: .seconds(2))
            listener.load(3, Sounds.long)
            await listener.started(3)
            #expect(listener.events.contains(.outputChanged(.ok)))
            var looks = 0
            while !server.streams().contains(" 67% "), looks < 200 {
                looks += 1
                await listener.listen(for: .milliseconds(100))
            }
            #expect(looks < 200)
        }

        @Test("A server that was restarted while nothing sounded is no failure")
        func serverRestarts() async throws {
            let server = SoundServer()
            try #require(await server.start())
            let listener = Listener(sink: "auto")
            listener.load(1, Sounds.mp3)
            await listener.started(1)
            await listener.ended(1)
            server.stop()
            try #require(await server.start())
            listener.load(2, Sounds.mp3)
            await listener.started(2)
            #expect(server.stream() != nil)
        }
    }
}
