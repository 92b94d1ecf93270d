import CGst
import Testing

@testable import NyanAudio

extension AudioTests {
    @Suite(.serialized) struct BlocksTests {
        /// A buffer of 4 bytes that sounds at `time` for 26, both in milliseconds.
        private func piece(at time: UInt, flags: GstBufferFlags? = nil) -> BufferRef? {
            guard let buffer = gst_buffer_new_allocate(nil, 4, nil) else { return nil }
            buffer.pointee.pts = time * 1_000_000
            buffer.pointee.duration = 26 * 1_000_000
            if let flags { buffer.pointee.mini_object.flags |= flags.rawValue }
            return BufferRef(owning: buffer)
        }

        /// How long each piece is that comes out, in milliseconds, and how many bytes it has.
        private func put(_ pieces: [BufferRef?], mayGather: Bool = true) throws -> (lengths: [UInt64], counts: [Int]) {
            var blocks = Blocks()
            var out: [BufferRef] = []
            for piece in pieces {
                if let next = blocks.add(try #require(piece), mayGather: mayGather) { out.append(next) }
            }
            if let rest = blocks.rest() { out.append(rest) }
            #expect(blocks.rest() == nil)
            return (out.map { $0.length / 1_000_000 }, out.map { $0.read { $0.count } })
        }

        @Test("The first pieces go as they come, those behind them by 100 ms and more, and none is lost")
        func gathers() throws {
            try GstRuntime.start()
            let (lengths, counts) = try put((0..<13).map { piece(at: $0 * 26) })
            #expect(lengths == [26, 26, 26, 26, 104, 104, 26])
            #expect(counts == [4, 4, 4, 4, 16, 16, 4])
        }

        @Test("While more sound is still to come over the network, every piece goes at once")
        func doesNotWait() throws {
            try GstRuntime.start()
            #expect(
                try put((0..<6).map { piece(at: $0 * 26) }, mayGather: false).lengths == Array(repeating: 26, count: 6))
        }

        @Test("Nothing is put together across a hole or a break")
        func holes() throws {
            try GstRuntime.start()
            let first = (0..<4).map { piece(at: $0 * 26) }
            let hole = [piece(at: 104), piece(at: 130), piece(at: 500), piece(at: 526)]
            #expect(try put(first + hole).lengths == [26, 26, 26, 26, 52, 52])
            let discont = GST_BUFFER_FLAG_DISCONT
            let broken = [piece(at: 104), piece(at: 130), piece(at: 156, flags: discont), piece(at: 182)]
            #expect(try put(first + broken).lengths == [26, 26, 26, 26, 52, 52])
            for flag in [GST_BUFFER_FLAG_GAP, GST_BUFFER_FLAG_CORRUPTED] {
                let marked = [piece(at: 104), piece(at: 130), piece(at: 156, flags: flag), piece(at: 182)]
                #expect(try put(first + marked).lengths == [26, 26, 26, 26, 52, 26, 26])
            }
        }

        @Test("A finished MP3 wakes its output ten times a second, one still fetched once a frame")
        func wakesSeldom() async throws {
            let whole = Listener()
            whole.load(1, Sounds.long)
            let finished = try await rate(of: whole)
            #expect(finished < 15, "\(finished) pieces a second")
            let source = GrowingSource(Sounds.long)
            let growing = Listener()
            growing.load(1, source, expected: .seconds(60))
            source.come(0..<200_000)
            let fetched = try await rate(of: growing)
            #expect(fetched > 30, "\(fetched) pieces a second")
        }

        /// How many pieces reach the sink in a second of sound.
        private func rate(of listener: Listener) async throws -> Double {
            await listener.started(1)
            await listener.plays(beyond: 1)
            let tap = try #require(listener.engine.pipeline?.output?.tap)
            let (begun, place) = (tap.count, listener.place)
            await listener.plays(beyond: place + 2)
            defer { listener.engine.stop() }
            return Double(tap.count - begun) / (listener.place - place)
        }
    }
}
