import NyanAudio
import NyanCore
import Testing

extension AudioTests {
    @Suite(.serialized) struct GaplessTests {
        /// Sounds of `Sounds.samples` samples of the same tone at 44.1 kHz.
        nonisolated enum Form: String, CaseIterable {
            case mp3, flac, ogg, lavf, untagged

            /// By how many samples the end may be off: nobody has told where an untagged MP3 ends.
            var doubt: Int { self == .untagged ? 12 : 0 }
        }

        private func bytes(_ form: Form) -> [UInt8] {
            switch form {
            case .mp3: Sounds.mp3
            case .flac: Sounds.flac
            case .ogg: Sounds.ogg
            case .lavf: Sounds.lavf
            case .untagged: Sounds.untagged
            }
        }

        /// A sink that writes what would be heard to a file, in real time.
        private func writer(_ name: String) -> (sink: String, path: String) {
            let path = Sounds.directory + "/" + name
            let format = "audioconvert ! audio/x-raw,format=S16LE,rate=44100,channels=2"
            return ("\(format) ! filesink sync=true location=\(path)", path)
        }

        /// Every form on either side, and each beside one of another kind.
        nonisolated static let pairs: [(Form, Form)] = [
            (.mp3, .mp3), (.mp3, .flac), (.flac, .ogg), (.ogg, .ogg), (.ogg, .mp3), (.flac, .flac), (.lavf, .untagged),
            (.untagged, .untagged), (.untagged, .ogg), (.untagged, .lavf),
        ]

        @Test("A staged sound joins without a sample too many or too few", arguments: pairs)
        func joins(first: Form, second: Form) async {
            let (sink, path) = writer("\(first)-\(second).pcm")
            let listener = Listener(sink: sink)
            listener.load(1, bytes(first))
            listener.stage(2, bytes(second))
            await listener.started(2)
            await listener.ended(2)
            #expect(
                listener.plot == [.started(LoadNumber(1)), .started(LoadNumber(2)), .ended(LoadNumber(2))])
            listener.engine.stop()
            let heard = recorded(path)
            #expect(
                abs(heard.count - 2 * Sounds.samples) <= first.doubt + second.doubt,
                "\(heard.count - 2 * Sounds.samples)")
            // The second starts with the first's first samples: a shifted join would not.
            let seam = (0..<200).map { heard.indices.contains(Sounds.samples + $0) ? heard[Sounds.samples + $0] : 0 }
            let start = (0..<200).map { Int16((32_000 * sine($0)).rounded()) }
            let worst = zip(seam, start).map { abs(Int($0) - Int($1)) }.max() ?? .max
            #expect(worst < (second == .flac && first.doubt == 0 ? 2 : 6000), "\(worst)")
        }

        private func sine(_ index: Int) -> Double { Sounds.sine(index) }

        @Test("The switch is told when it is heard, and the position then is the new sound's", .measured)
        func tellsTheSwitch() async throws {
            let listener = Listener()
            listener.load(1, Sounds.mp3)
            listener.stage(2, Sounds.mp3)
            await listener.started(1)
            let start = ContinuousClock.now
            await listener.started(2)
            let took = ContinuousClock.now - start
            measure(abs(took.inSeconds - Double(Sounds.samples) / 44_100) < 0.1, "told after \(took)")
            let position = try #require(listener.engine.position())
            #expect(position.load == LoadNumber(2))
            measure(position.position < .milliseconds(100), "then at \(position.position)")
            await listener.listen(for: .milliseconds(200))
            measure(abs(listener.place - 0.2) < 0.1, "200 ms later at \(listener.place)")
            await listener.ended(2)
            #expect(listener.plot == [.started(LoadNumber(1)), .started(LoadNumber(2)), .ended(LoadNumber(2))])
        }

        @Test("A chain of short sounds, each staged when the one before is heard, loses none")
        func chain() async {
            let listener = Listener()
            listener.load(1, Sounds.mp3)
            for number in UInt64(1)...3 {
                await listener.started(number)
                listener.stage(number + 1, Sounds.mp3)
            }
            await listener.started(4)
            #expect(listener.plot == (1...4).map { .started(LoadNumber($0)) })
        }

        /// A listener whose first sound, of 2.003 s, is in its last moments in this very turn of the main queue: all of it has
        /// gone to the sink, and its end is still to come. A busy machine may miss them, and it is played once more.
        private func lastMoments(from second: Double, isStaged: Bool) async throws -> Listener {
            for _ in 0..<20 {
                let listener = Listener()
                listener.load(1, Sounds.mp3)
                if isStaged { listener.stage(2, Sounds.mp3) }
                await listener.started(1)
                while listener.place < second, listener.plot.count == 1 { await listener.listen(for: .milliseconds(2)) }
                let position = listener.engine.position()
                if position?.load == LoadNumber(1), (second..<1.98).contains(listener.place) { return listener }
                listener.engine.stop()
            }
            throw Missed()
        }

        private struct Missed: Error {}

        @Test("What is staged after the hand-over time still follows by itself")
        func stagedLate() async throws {
            let listener = try await lastMoments(from: 1.9, isStaged: false)
            listener.stage(2, Sounds.mp3)
            await listener.started(2)
            #expect(listener.plot == [.started(LoadNumber(1)), .started(LoadNumber(2))])
        }

        @Test("A seek after the hand-over stays in the sound that is heard, and the next one still follows", .measured)
        func seekAfterHandOver() async throws {
            let listener = try await lastMoments(from: 1.8, isStaged: true)
            listener.engine.seek(to: .seconds(1))
            let event = await listener.wait("seeked") { if case .seeked = $0 { true } else { false } }
            guard case .seeked(let load, let actual)? = event else { return }
            #expect(load == LoadNumber(1))
            #expect(actual.inSeconds > 0.94)
            measure(actual.inSeconds < 1.06, "\(actual)")
            measure(listener.engine.position()?.load == LoadNumber(1), "the next one already")
            await listener.started(2)
            #expect(
                listener.plot == [.started(LoadNumber(1)), .seeked(LoadNumber(1), actual), .started(LoadNumber(2))])
        }

        @Test("What is unstaged after the hand-over is not heard; the current sound goes to its end")
        func unstagedAfterHandOver() async throws {
            let listener = try await lastMoments(from: 1.8, isStaged: true)
            listener.engine.unstage()
            await listener.ended(1)
            #expect(listener.plot == [.started(LoadNumber(1)), .ended(LoadNumber(1))])
        }

        /// Plays a sound to its end while of the one staged behind it no byte has come.
        private func waitsForFollower(
            _ bytes: [UInt8] = [UInt8](repeating: 0x55, count: 200_000)
        ) async -> (Listener, GrowingSource) {
            let source = GrowingSource(bytes)
            let listener = Listener()
            listener.load(1, Sounds.mp3)
            listener.engine.stage(LoadNumber(2), Sound(bytes: source, expectedLength: nil))
            await listener.started(1)
            // The engine is at the follower's beginning, where the listener believes that the end is near.
            for _ in 0..<2000 where listener.engine.position()?.load != LoadNumber(2) {
                await listener.listen(for: .milliseconds(10))
            }
            #expect(listener.plot == [.started(LoadNumber(1))])
            return (listener, source)
        }

        @Test("A staged sound whose damage shows when the current one is over: both are told, and nothing hangs")
        func damagedLate() async {
            let (listener, source) = await waitsForFollower()
            source.complete()
            #expect(await listener.failed(2)?.code == .damagedSound)
            await listener.ended(1)
            #expect(listener.plot.last == .ended(LoadNumber(1)) && listener.plot.count == 3)
        }

        @Test("What is unstaged or replaced when the current one is over and it has not begun is never heard")
        func replacedLate() async {
            let (listener, _) = await waitsForFollower()
            listener.engine.unstage()
            await listener.ended(1)
            #expect(listener.plot == [.started(LoadNumber(1)), .ended(LoadNumber(1))])
            let (other, source) = await waitsForFollower()
            other.stage(3, Sounds.mp3)
            source.complete()
            await other.started(3)
            #expect(other.plot == [.started(LoadNumber(1)), .started(LoadNumber(3))])
        }

        @Test(
            "A seek when the current one is over and the staged one has not begun goes back into the current one",
            arguments: [true, false])
        func seeksLate(playing: Bool) async {
            let (listener, source) = await waitsForFollower(Sounds.mp3)
            if !playing { listener.engine.setPlaying(false) }
            listener.engine.seek(to: .seconds(1))
            #expect(listener.engine.position()?.load == LoadNumber(1))
            let event = await listener.wait("seeked") { if case .seeked = $0 { true } else { false } }
            guard case .seeked(_, let actual)? = event else { return }
            #expect(actual.inSeconds > 0.94)
            if !playing {
                await listener.listen(for: .milliseconds(100))
                #expect(listener.place < 1.06)
                listener.engine.setPlaying(true)
            }
            // It comes to its end once more, and then what follows has come.
            for _ in 0..<2000 where listener.engine.position()?.load != LoadNumber(2) {
                await listener.listen(for: .milliseconds(10))
            }
            source.complete()
            await listener.ended(2)
            let (first, second) = (LoadNumber(1), LoadNumber(2))
            #expect(listener.plot == [.started(first), .seeked(first, actual), .started(second), .ended(second)])
        }

        @Test("A staged sound that is damaged is refused by its own number, and the current one reaches its end")
        func damagedFollower() async {
            let listener = Listener()
            listener.load(1, Sounds.mp3)
            listener.stage(2, [UInt8](repeating: 0x55, count: 50_000))
            await listener.started(1)
            let failure = await listener.failed(2)
            #expect(failure?.code == .damagedSound)
            await listener.ended(1)
            #expect(listener.plot.filter { if case .failed = $0 { true } else { false } }.count == 1)
        }
    }
}
