import Testing

@testable import NyanCore

@Suite("AAC in ADTS") struct ADTSTests {
    /// LC, 44.1 kHz, stereo; `size` with the header.
    static func frame(_ size: Int, rateIndex: UInt8 = 4, fill: UInt8 = 0x21) -> [UInt8] {
        let head: [UInt8] = [
            0xFF, 0xF1, 0x40 | rateIndex << 2, 0x80 | UInt8(size >> 11), UInt8(size >> 3 & 0xFF),
            UInt8(size & 7) << 5 | 0x1F, 0xFC,
        ]
        return head + [UInt8](repeating: fill, count: size - 7)
    }

    private func walk(_ bytes: [UInt8], chunk: Int = 1000) -> ADTSWalk {
        var frames = ADTSFrames()
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            frames.feed(Array(bytes[start..<min(start + chunk, bytes.count)]))
        }
        return frames.finish()
    }

    @Test("A header says what the frame is")
    func header() throws {
        let frame = try #require(ADTSFrame(Self.frame(371)))
        #expect(frame.objectType == 2 && frame.sampleRate == 44_100 && frame.channelCode == 2)
        #expect(frame.byteCount == 371 && frame.headerByteCount == 7 && frame.sampleCount == 1024)
        #expect(try #require(ADTSFrame(Self.frame(8191, rateIndex: 12))).sampleRate == 7_350)
        var checked = Self.frame(50)
        checked[1] = 0xF0
        #expect(ADTSFrame(checked)?.headerByteCount == 9)
    }

    @Test(
        "What is no header is refused: MP3, an impossible rate, a frame shorter than its header, too few bytes",
        arguments: [
            [0xFF, 0xFB, 0x90, 0x64, 0, 0, 0], [0xFF, 0xF1, 0x40 | 13 << 2, 0x80, 5, 0x1F, 0xFC],
            [0xFF, 0xF1, 0x50, 0x80, 0, 0xE0, 0xFC], [0xFF, 0xF1, 0x50, 0x80, 5, 0x1F],
            [0xFE, 0xF1, 0x50, 0x80, 5, 0x1F, 0xFC],
        ] as [[UInt8]])
    func noHeader(bytes: [UInt8]) { #expect(ADTSFrame(bytes) == nil) }

    @Test("Frames are counted whatever the chunks are", arguments: [1, 7, 1000, 9000, 1 << 20])
    func chunks(size: Int) {
        let sizes = (0..<60).map { 100 + $0 * 37 % 400 }
        let walk = walk(sizes.flatMap { Self.frame($0) }, chunk: size)
        #expect(walk.sizes.map(Int.init) == sizes)
        #expect(walk.start == 0 && walk.breaks == 0 && walk.trailingBytes == 0 && walk.truncatedFrame == 0)
        #expect(walk.duration == .seconds(60 * 1024.0 / 44_100))
    }

    @Test("A tag in front is passed over; a frame that is cut at the end is told")
    func tagAndCut() {
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 20] + [UInt8](repeating: 0, count: 20)
        let walk = walk(tag + Self.frame(200) + Self.frame(201) + Self.frame(300).prefix(90))
        #expect(walk.start == 30)
        #expect(walk.sizes == [200, 201] && walk.truncatedFrame == 90 && walk.breaks == 0)
    }

    @Test("Bytes between frames, frames of another kind and lost bytes are breaks")
    func breaks() {
        let (one, many) = (Self.frame(200), Array(repeatElement(Self.frame(200), count: 5).joined()))
        #expect(walk(many + [1, 2, 3] + many).breaks == 1)
        #expect(walk(many + [1, 2, 3] + many).brokenBytes == 3)
        #expect(walk(many + Self.frame(200, rateIndex: 3) + many).breaks == 1)
        #expect(walk(many + one[50...] + many).breaks == 1)
        #expect(walk([9, 9] + many).breaks == 0)
        #expect(walk([9, 9] + many).start == 2)
        #expect(walk(many + [UInt8](repeating: 9, count: 40)).trailingBytes == 40)
        #expect(walk([UInt8](repeating: 0x55, count: 500)).first == nil)
    }

    @Test("The check is MP3's: nothing, breaks, a cut, a sample, too much")
    func checked() {
        let sound = Array(repeatElement(Self.frame(100), count: 431).joined())
        func words(_ bytes: [UInt8], _ seconds: Int?) -> String? {
            SoundCheck.problem(walk(bytes), expected: seconds.map { .seconds($0) })?.message
        }
        #expect(words(sound, 10) == nil && words(sound, nil) == nil && words(sound, 0) == nil)
        #expect(words([1, 2, 3], 10) == "What came is no AAC.")
        #expect(words(sound + [7] + sound, 20) == "The sound is damaged in one place (1 bytes).")
        #expect(words(sound, 13) == "The sound is cut off: 0:10 of 0:13.")
        #expect(words(sound, 7) == "The sound is 0:10 long, not 0:07 as VK says.")
        #expect(words(sound + sound, 200) == "Only a sample of 0:20 instead of 3:20.")
    }

    @Test("A playlist that says more than came is a cut; one that says less is fine")
    func playlist() {
        #expect(SoundCheck.problem(.seconds(58), playlist: .seconds(60)) == nil)
        #expect(SoundCheck.problem(.seconds(90), playlist: .seconds(60)) == nil)
        #expect(
            SoundCheck.problem(.seconds(57.9), playlist: .seconds(60))?.message
                == "The sound is cut off: 0:58 of the 1:00 in its playlist.")
    }

    @Test("Rubbish never does more than be counted") func rubbish() {
        var random = SeededNumbers(seed: 5)
        for _ in 0..<300 {
            var bytes = (0..<20).flatMap { _ in Self.frame(Int.random(in: 8...900, using: &random)) }
            for _ in 0..<9 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let walk = walk(bytes, chunk: Int.random(in: 1...5000, using: &random))
            #expect(walk.sizes.reduce(0) { $0 + Int($1) } + walk.brokenBytes + walk.trailingBytes <= bytes.count)
        }
    }
}
