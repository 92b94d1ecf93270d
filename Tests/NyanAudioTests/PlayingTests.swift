import NyanAudio
import NyanCore
import Testing

/// Everything that makes sound, one after the other: they measure times, and the machine is small.
@Suite(.serialized) struct AudioTests {}

extension AudioTests {
    @Suite(.serialized) struct PlayingTests {
        @Test("A load starts, tells its length and ends, in this order and once each")
        func playsToTheEnd() async {
            let listener = Listener()
            listener.load(1, Sounds.mp3)
            await listener.started(1)
            await listener.ended(1)
            #expect(listener.plot == [.started(LoadNumber(1)), .ended(LoadNumber(1))])
            let lengths = listener.events.compactMap { event -> Double? in
                if case .lengthKnown(_, let length) = event { length.inSeconds } else { nil }
            }
            #expect(lengths.count == 1)
            #expect(abs((lengths.first ?? 0) - Double(Sounds.samples) / 44_100) < 0.0005)
        }

        @Test("A paused load starts paused and its position stands still")
        func startsPaused() async throws {
            let listener = Listener()
            listener.load(1, Sounds.long, at: .seconds(5), playing: false)
            await listener.started(1)
            let first = try #require(listener.engine.position())
            #expect(abs(first.position.inSeconds - 5) < 0.03)
            await listener.listen(for: .milliseconds(150))
            #expect(listener.engine.position()?.position == first.position)
            listener.engine.setPlaying(true)
            await listener.plays(beyond: first.position.inSeconds + 0.1)
            listener.engine.setPlaying(false)
            await listener.listen(for: .milliseconds(50))
            let second = listener.engine.position()?.position
            await listener.listen(for: .milliseconds(100))
            #expect(listener.engine.position()?.position == second)
        }

        @Test("A seek lands where it was sent and tells it once", .measured, arguments: [true, false])
        func seeks(playing: Bool) async {
            let listener = Listener()
            listener.load(1, Sounds.long, playing: playing)
            await listener.started(1)
            for target in [12.0, 3.0, 0.0, 17.5] {
                let told = listener.events.count
                listener.engine.seek(to: .seconds(target))
                let event = await listener.wait("seeked", from: told) { if case .seeked = $0 { true } else { false } }
                guard case .seeked(_, let actual)? = event else { continue }
                // What plays has moved on until it is asked where it is.
                #expect(actual.inSeconds > target - 0.06)
                if playing {
                    measure(actual.inSeconds < target + 0.06, "\(actual), sought \(target)")
                } else {
                    #expect(actual.inSeconds < target + 0.06)
                }
            }
            await listener.listen(for: .milliseconds(100))
            #expect(listener.events.filter { if case .seeked = $0 { true } else { false } }.count == 4)
        }

        @Test("Of a flood of seeks the last one is told, and the position is its target at once", .measured)
        func seekFlood() async {
            let listener = Listener()
            listener.load(1, Sounds.long)
            await listener.started(1)
            for second in 1...15 { listener.engine.seek(to: .seconds(second)) }
            #expect(listener.engine.position()?.position == .seconds(15))
            let event = await listener.wait("seeked") { if case .seeked = $0 { true } else { false } }
            guard case .seeked(_, let actual)? = event else { return }
            #expect(actual.inSeconds > 14.94)
            measure(actual.inSeconds < 15.06, "\(actual)")
            await listener.listen(for: .milliseconds(100))
            #expect(listener.events.filter { if case .seeked = $0 { true } else { false } }.count == 1)
        }

        @Test("A new load replaces the one that sounds; nothing more is told of the old one")
        func replaces() async {
            let listener = Listener()
            listener.load(1, Sounds.long)
            await listener.started(1)
            listener.load(2, Sounds.mp3)
            await listener.started(2)
            await listener.ended(2)
            #expect(
                listener.plot == [.started(LoadNumber(1)), .started(LoadNumber(2)), .ended(LoadNumber(2))])
        }

        @Test("Stopping tells nothing, has no position, and the next load starts")
        func stops() async {
            let listener = Listener()
            listener.load(1, Sounds.long)
            await listener.started(1)
            listener.engine.stop()
            #expect(listener.engine.position() == nil)
            listener.load(2, Sounds.long)
            await listener.started(2)
            #expect(listener.plot == [.started(LoadNumber(1)), .started(LoadNumber(2))])
        }

        @Test("The length of an MP3 without a header is its frames', told once all of it is there")
        func countsFrames() async {
            let listener = Listener()
            listener.load(1, MemorySource(Sounds.headless), expected: .seconds(24), playing: false)
            let event = await listener.wait("length") { if case .lengthKnown = $0 { true } else { false } }
            guard case .lengthKnown(_, let length)? = event else { return }
            #expect(abs(length.inSeconds - 24) < 0.1)
        }

        @Test("A header that lies is not believed once all bytes are there")
        func distrustsHeaders() async {
            var bytes = Sounds.long
            if let at = bytes.firstRange(of: Array("Info".utf8)) {
                // Frame count, ten times what it is.
                let count = 22970
                bytes.replaceSubrange(
                    at.upperBound + 4..<at.upperBound + 8, with: (0..<4).map { UInt8(count >> (24 - 8 * $0) & 0xFF) })
            }
            let listener = Listener()
            listener.load(1, MemorySource(bytes), expected: .seconds(60), playing: false)
            let event = await listener.wait("length") { if case .lengthKnown = $0 { true } else { false } }
            guard case .lengthKnown(_, let length)? = event else { return }
            #expect(abs(length.inSeconds - 60) < 0.1)
        }

        @Test("Hundreds of starts of what only decodebin knows all sound, from the front and from the middle")
        func plugged() async {
            let listener = Listener()
            for number in UInt64(1)...150 {
                listener.load(number, Sounds.ogg, at: number.isMultiple(of: 3) ? .seconds(1) : .zero)
                if number.isMultiple(of: 2) { listener.stage(number + 1000, Sounds.ogg) }
                await listener.started(number)
                guard listener.events.contains(.started(LoadNumber(number))) else { return }
            }
        }
    }
}
