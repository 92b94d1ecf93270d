import NyanAudio
import NyanCore
import NyanTestKit
import Testing

extension AudioTests {
    @Suite(.serialized) struct FeedTests {
        @Test("A load with no bytes yet starts as soon as the first 32 KiB have come", arguments: [true, false])
        func startsWhenBytesCome(isSizeKnown: Bool) async {
            let source = GrowingSource(Sounds.long, isSizeKnown: isSizeKnown)
            let listener = Listener()
            listener.load(1, source, expected: .seconds(60))
            #expect(await until { listener.wants == [0] })
            await listener.listen(for: .milliseconds(100))
            #expect(listener.events.isEmpty)
            source.come(0..<40_000)
            await listener.started(1)
        }

        @Test("A dry feed holds the clock, tells where, and plays on when 3 s are there", .measured)
        func hungryAndFed() async throws {
            let source = GrowingSource(Sounds.long)
            let listener = Listener()
            listener.load(1, source, expected: .seconds(60))
            source.come(0..<48_000)
            await listener.started(1)
            let hungry = await listener.wait("hungry") { if case .hungry = $0 { true } else { false } }
            guard case .hungry(_, let heldAt)? = hungry else { return }
            // 48,000 bytes are 3 s: not held before they were heard, and hardly later. A sink that falls behind, with half a
            // second waiting for it, looks as if it ran dry.
            measure(abs(heldAt.inSeconds - 3) < 0.25, "held at \(heldAt)")
            #expect(listener.wants.last == 48_000)
            await listener.listen(for: .milliseconds(150))
            #expect(try #require(listener.engine.position()).position == heldAt)
            source.come(48_000..<60_000)
            await listener.listen(for: .milliseconds(100))
            #expect(!listener.events.contains { if case .fed = $0 { true } else { false } })
            source.come(60_000..<200_000)
            let fed = await listener.wait("fed") { if case .fed = $0 { true } else { false } }
            #expect(fed == .fed(LoadNumber(1), at: heldAt))
            await listener.plays(beyond: heldAt.inSeconds + 0.1)
        }

        @Test("A paused sound with a dry feed is not told hungry; playing it on is")
        func pausedIsNotHungry() async {
            let source = GrowingSource(Sounds.long)
            let listener = Listener()
            listener.load(1, source, expected: .seconds(60), playing: false)
            source.come(0..<40_000)
            await listener.started(1)
            await listener.listen(for: .milliseconds(200))
            #expect(listener.plot == [.started(LoadNumber(1))])
            listener.engine.setPlaying(true)
            await listener.wait("hungry") { if case .hungry = $0 { true } else { false } }
        }

        @Test("A slowly growing sound of unknown size plays to its true end")
        func growsToTheEnd() async {
            let source = GrowingSource(Sounds.mp3, isSizeKnown: false)
            let listener = Listener()
            listener.load(1, source, expected: .seconds(2))
            for start in stride(from: 0, to: Sounds.mp3.count, by: 8_000) {
                source.come(start..<start + 8_000)
                await listener.listen(for: .milliseconds(40))
            }
            source.complete()
            await listener.started(1)
            await listener.ended(1)
            #expect(listener.plot.last == .ended(LoadNumber(1)))
        }

        @Test(
            "A seek past what is there asks for the target's bytes, and is told when they have come",
            arguments: [true, false])
        func seeksPastTheEdge(playing: Bool) async {
            let source = GrowingSource(Sounds.long)
            let listener = Listener()
            listener.load(1, source, expected: .seconds(60), playing: playing)
            source.come(0..<60_000)
            await listener.started(1)
            listener.engine.seek(to: .seconds(50))
            let hungry = await listener.wait("hungry") { if case .hungry = $0 { true } else { false } }
            #expect(hungry == .hungry(LoadNumber(1), at: .seconds(50)))
            let wanted = Int(listener.wants.last ?? 0)

            #expect(abs(wanted - 50 * 16_000) < 1000, "\(wanted)")
            let cameAt = ContinuousClock.now
            source.come(wanted..<wanted + 64_000)
            let seeked = await listener.wait("seeked") { if case .seeked = $0 { true } else { false } }
            guard case .seeked(_, let actual)? = seeked else { return }
            // What plays has moved on until it is told: on a busy machine by seconds.
            let heard = playing ? (ContinuousClock.now - cameAt).inSeconds : 0
            #expect((49.5..<50.5 + heard).contains(actual.inSeconds))
            await listener.wait("fed") { if case .fed = $0 { true } else { false } }
        }

        @Test("Stopping a starving sound returns at once", .measured, arguments: [0, 40_000])
        func stopsWhileStarving(bytes: Int) async {
            let source = GrowingSource(Sounds.long)
            let listener = Listener()
            source.come(0..<bytes)
            listener.load(1, source, expected: .seconds(60))
            if bytes > 0 {
                await listener.wait("hungry") { if case .hungry = $0 { true } else { false } }
            } else {
                await listener.listen(for: .milliseconds(100))
            }
            measure("stop", within: .milliseconds(50)) { listener.engine.stop() }
            #expect(listener.engine.position() == nil)
        }

        nonisolated static let bad: [(name: String, bytes: [UInt8])] = [
            ("HTML", Array("<!DOCTYPE html><html><body>Blocked</body></html>".utf8)),
            ("long HTML", Array("\n <html>".utf8) + [UInt8](repeating: 0x61, count: 200_000)),
            ("plain text", Array(String(repeating: "no sound here\n", count: 3000).utf8)),
            ("zeros", [UInt8](repeating: 0, count: 100_000)),
            ("noise", (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }),
            ("nothing", []),
            ("a PNG", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 5000)),
        ]

        @Test("What is no sound fails as damaged within 4 s and tells nothing else", .measured, arguments: bad.indices)
        func refusesGarbage(index: Int) async {
            let listener = Listener()
            let begun = ContinuousClock.now
            listener.load(1, Self.bad[index].bytes)
            let failure = await listener.failed(1)
            let passed = ContinuousClock.now - begun
            measure(passed < .seconds(4), "\(Self.bad[index].name) took \(passed)")
            #expect(failure?.code == .damagedSound, "\(Self.bad[index].name): \(String(describing: failure))")
            await listener.listen(for: .milliseconds(50))
            #expect(listener.events.count == 1)
            // The engine is well: the next load plays.
            listener.load(2, Sounds.mp3)
            await listener.started(2)
        }

        @Test("A web page that comes late fails too")
        func refusesLatePage() async {
            let source = GrowingSource(Array("<html>Sorry</html>".utf8), isSizeKnown: false)
            let listener = Listener()
            listener.load(1, source)
            await listener.listen(for: .milliseconds(50))
            source.complete()
            #expect(await listener.failed(1)?.code == .damagedSound)
        }
    }
}
