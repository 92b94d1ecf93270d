import Testing

@testable import NyanCore

@Suite("How an MP3 begins") struct MP3HeadTests {
    private func read(_ bytes: [UInt8], isAll: Bool = true) -> MP3Head.Reading {
        MP3Head.read(isAll: isAll) { offset, count in
            let start = Int(offset)
            return start + count <= bytes.count ? Array(bytes[start..<start + count]) : nil
        }
    }

    private func head(_ bytes: [UInt8]) -> MP3Head? {
        if case .head(let head) = read(bytes) { head } else { nil }
    }

    @Test("Tags are passed over, also two in a row, and a header frame is told from sound")
    func tags() throws {
        let bare = try #require(head(MadeMP3.frames(3)))
        #expect(bare.tagBytes == 0 && bare.info == nil)
        let tagged = try #require(
            head(MadeMP3.id3(300) + MadeMP3.id3(20) + MadeMP3.info(frames: 3) + MadeMP3.frames(3)))
        #expect(tagged.tagBytes == 340)
        #expect(tagged.info?.frames == 3)
    }

    @Test(
        "What is no MP3 is not taken for one",
        arguments: [
            [], [0x49], Array("<html>".utf8), Array("fLaC".utf8) + [UInt8](repeating: 0, count: 2000),
            MadeMP3.id3(20), MadeMP3.frame(), MadeMP3.frame() + [UInt8](repeating: 0, count: 2000),
        ])
    func noMP3(bytes: [UInt8]) {
        #expect(read(bytes) == .notMP3)
    }

    @Test("While too little is there nothing is said, byte by byte")
    func notYet() {
        let bytes = MadeMP3.id3(20) + MadeMP3.frames(2)
        let needed = 30 + 418 + 4
        for count in [0, 9, 10, 29, 33, needed - 1] {
            #expect(read(Array(bytes[..<count]), isAll: false) == .notYet, "\(count)")
        }
        #expect(read(Array(bytes[..<needed]), isAll: false) != .notYet)
    }

    @Test("The cut is the header's; without one the front is LAME's and the end unknown")
    func trims() throws {
        let told = try #require(head(MadeMP3.info(frames: 3, delay: 1105, padding: 700) + MadeMP3.frames(3)))
        #expect(told.trim == (1105, 700))
        for bytes in [MadeMP3.frames(3), MadeMP3.info(frames: 3, delay: 0, padding: 0) + MadeMP3.frames(3)] {
            let untold = try #require(head(bytes))
            #expect(untold.trim == (576, nil))
        }
    }

    @Test("A length is stated only by a header with a frame count")
    func lengths() throws {
        let told = try #require(head(MadeMP3.info(frames: 1000, delay: 576, padding: 1000) + MadeMP3.frames(3)))
        #expect(told.statedLength == .nanoseconds((1000 * 1152 - 1576) * 1_000_000_000 / 44_100))
        #expect(try #require(head(MadeMP3.frames(3))).statedLength == nil)
    }

    /// MPEG 1 at 44.1, 48 and 32 kHz, MPEG 2 at 22.05 kHz, MPEG 2.5 at 8 kHz; stereo and mono.
    @Test(
        "The frame of our making is of the same kind, says the delay, and counts more frames than there are",
        arguments: [0xFFFB_9000, 0xFFFB_9400, 0xFFFB_98C0, 0xFFF3_9000, 0xFFE3_98C0] as [UInt32],
        [nil, 9_000_000, 400_000_000] as [Int64?])
    func front(word: UInt32, size: Int64?) throws {
        let found = try #require(head(MadeMP3.frame(word) + MadeMP3.frame(word) + MadeMP3.frame(word)))
        let made = found.frontFrame(size: size) + MadeMP3.frame(word)
        let again = try #require(head(made))
        #expect(again.frame.continues(found.frame) && again.frame.isMono == found.frame.isMono)
        #expect(again.trim.delay == 576)
        let info = try #require(again.info)
        #expect(info.kind == .info)
        let seconds =
            Double(try #require(info.frames)) * Double(found.frame.sampleCount) / Double(found.frame.sampleRate)
        #expect(seconds > Double(size ?? 0) * 8 / 8000)
        // Frames and bytes together state the bit rate.
        if let bytes = info.bytes { #expect(abs(Double(bytes) * 8 / seconds - Double(found.frame.bitrate)) < 1) }
        #expect((info.bytes == nil) == (size ?? 0 > 300_000_000))
    }
}

@Suite("The end of an Ogg file") struct OggEndTests {
    private func page(_ granule: Int64, serial: UInt8 = 7, _ packet: [UInt8]) -> [UInt8] {
        let position = (0..<8).map { UInt8(truncatingIfNeeded: granule >> ($0 * 8)) }
        return Array("OggS".utf8) + [0, 2] + position + [serial, 0, 0, 0] + [UInt8](repeating: 0, count: 8)
            + [1, UInt8(packet.count)] + packet
    }

    private let vorbis: [UInt8] =
        [1] + Array("vorbis".utf8) + [0, 0, 0, 0, 2, 0x44, 0xAC, 0, 0] + [UInt8](repeating: 0, count: 24)
    private let opus: [UInt8] =
        Array("OpusHead".utf8) + [1, 2, 0x38, 0x01, 0x80, 0xBB, 0, 0] + [UInt8](repeating: 0, count: 24)

    @Test("Vorbis counts its samples; of Opus the ones to skip are taken off")
    func counts() throws {
        let sound = [UInt8](repeating: 1, count: 40)
        let first = page(0, vorbis)
        let vorbisEnd = try #require(OggEnd.samples(head: first, tail: first + page(88_323, sound)))
        #expect(vorbisEnd == (88_323, 44_100))
        let opusEnd = try #require(OggEnd.samples(head: page(0, opus), tail: page(96_312, sound)))
        #expect(opusEnd == (96_000, 48_000))
    }

    @Test("The last page that has a position counts, of the same stream, in whatever rubbish")
    func lastPage() throws {
        let sound = [UInt8](repeating: 1, count: 40)
        let tail =
            page(500, sound) + page(900, sound) + page(-1, sound) + page(77, serial: 8, sound) + Array("OggS".utf8) + [
                0, 0,
            ]
        #expect(try #require(OggEnd.samples(head: page(0, vorbis), tail: tail)) == (900, 44_100))
    }

    @Test("Numbers that cannot be meant say nothing")
    func damage() {
        let sound = [UInt8](repeating: 1, count: 40)
        for granule in [Int64.max, 1 << 62, 48_000 * 8 * 86_400] as [Int64] {
            #expect(OggEnd.samples(head: page(0, vorbis), tail: page(granule, sound)) == nil)
            #expect(OggEnd.samples(head: page(0, opus), tail: page(granule, sound)) == nil)
        }
        // A first page that is all header.
        var head = page(0, vorbis)
        head[26] = 200
        #expect(OggEnd.samples(head: head, tail: page(5, sound)) == nil)
    }

    @Test("Other kinds and damage say nothing", arguments: [0, 3, 63, 64])
    func nothing(count: Int) {
        let other = page(0, [UInt8](repeating: 9, count: 40))
        #expect(OggEnd.samples(head: other, tail: page(5, other)) == nil)
        #expect(OggEnd.samples(head: Array(page(0, vorbis).prefix(count)), tail: []) == nil)
        #expect(
            OggEnd.samples(head: [UInt8](repeating: 0xFF, count: count), tail: [UInt8](repeating: 0, count: count))
                == nil)
    }
}
