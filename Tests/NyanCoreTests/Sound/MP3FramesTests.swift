import Testing

@testable import NyanCore

/// Builds streams of real frame headers around empty bodies.
enum MadeMP3 {
    /// MPEG1, 128 kbit/s, 44.1 kHz, stereo; 417 bytes, 418 with padding.
    static func frame(_ word: UInt32 = 0xFFFB_9000, body: UInt8 = 0) -> [UInt8] {
        guard let frame = MP3Frame(word: word) else { return [] }
        return (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
            + [UInt8](repeating: body, count: frame.byteCount - 4)
    }

    static func frames(_ count: Int, _ word: UInt32 = 0xFFFB_9000) -> [UInt8] {
        (0..<count).flatMap { frame($0 % 3 == 0 ? word | 0x200 : word) }
    }

    /// An Info frame with a frame count and a LAME part.
    static func info(frames: UInt32, delay: Int = 576, padding: Int = 1000, name: String = "Info") -> [UInt8] {
        var bytes = frame()
        let big = { (value: UInt32) in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        let cut = UInt32(delay << 12 | padding)
        let head = Array(name.utf8) + big(1) + big(frames) + Array("LAME3.100".utf8) + [UInt8](repeating: 0, count: 12)
        bytes.replaceSubrange(36..<36 + head.count + 3, with: head + big(cut).dropFirst())
        return bytes
    }

    static func id3(_ size: Int) -> [UInt8] {
        Array("ID3".utf8) + [4, 0, 0] + [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) }
            + [UInt8](repeating: 0xFF, count: size)
    }

    static func ape(_ size: Int) -> [UInt8] {
        let little = { (value: Int) in (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
        let head = Array("APETAGEX".utf8) + little(2000) + little(size) + little(1)
        return head + [0, 0, 0, 0xA0] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: size)
    }

    static func joined(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

    static let id3v1: [UInt8] = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
}

@Suite("MP3 frames") struct MP3FramesTests {
    private func walk(_ bytes: [UInt8], chunk: Int = .max) -> MP3Walk {
        var frames = MP3Frames()
        var start = 0
        while start < bytes.count {
            let end = chunk < bytes.count - start ? start + chunk : bytes.count
            frames.feed(Array(bytes[start..<end]))
            start = end
        }
        return frames.finish()
    }

    @Test(
        "A header gives version, rates and length",
        arguments: [
            (0xFFFB_9000 as UInt32, 128_000, 44_100, 417, 1152, false),
            (0xFFFB_9200, 128_000, 44_100, 418, 1152, false),
            (0xFFFA_90C0, 128_000, 44_100, 417, 1152, true), (0xFFFB_E000, 320_000, 44_100, 1044, 1152, false),
            (0xFFFB_1400, 32_000, 48_000, 96, 1152, false), (0xFFFB_EA00, 320_000, 32_000, 1441, 1152, false),
            (0xFFFB_6000, 80_000, 44_100, 261, 1152, false), (0xFFFB_B000, 192_000, 44_100, 626, 1152, false),
            (0xFFF3_8000, 64_000, 22_050, 208, 576, false), (0xFFF3_E400, 160_000, 24_000, 480, 576, false),
            (0xFFE3_10C8, 8_000, 11_025, 52, 576, true), (0xFFE3_E800, 160_000, 8_000, 1440, 576, false),
        ])
    func readsHeader(word: UInt32, bitrate: Int, rate: Int, bytes: Int, samples: Int, mono: Bool) {
        let frame = MP3Frame(word: word)
        #expect(frame?.bitrate == bitrate && frame?.sampleRate == rate)
        #expect(frame?.byteCount == bytes && frame?.sampleCount == samples && frame?.isMono == mono)
    }

    @Test(
        "What is no layer III header is refused",
        arguments: [
            0xFFFB_0000 as UInt32, 0xFFFB_F000, 0xFFFB_9C00, 0xFFEB_9000, 0xFFFD_9000, 0xFFF9_9000, 0xFF1B_9000,
            0xFFFB_9002, 0x4944_3304, 0,
        ])
    func refusesHeader(word: UInt32) { #expect(MP3Frame(word: word) == nil) }

    @Test(
        "Tags at both ends are passed over, whatever the chunks", arguments: [1, 3, 100, 417, 1445, 1446, 5000, .max])
    func passesTags(chunk: Int) {
        let bytes = MadeMP3.joined(
            MadeMP3.id3(3000), MadeMP3.id3(5), MadeMP3.frames(40), MadeMP3.ape(50), MadeMP3.id3v1)
        let result = walk(bytes, chunk: chunk)
        #expect(result.frames == 40 && result.samples == 40 * 1152 && result.sampleRate == 44_100)
        #expect(result.tagBytes == 3010 + 15 + 82 + 128)
        #expect(result.breaks == 0 && result.leadingBytes == 0 && result.trailingBytes == 0)
        #expect(result.duration == .seconds(40.0 * 1152 / 44_100))
    }

    @Test("A header frame is read and not counted as sound") func readsInfo() {
        let result = walk(MadeMP3.id3(10) + MadeMP3.info(frames: 100) + MadeMP3.frames(100))
        #expect(result.frames == 100 && result.info?.frames == 100 && result.info?.kind == .info)
        #expect(result.info?.trim == .init(delay: 576, padding: 1000))
        #expect(result.trimmedDuration == .seconds(Double(100 * 1152) / 44_100 - Double(1576) / 44_100))
        #expect(walk(MadeMP3.info(frames: 9, name: "Xing") + MadeMP3.frames(9)).info?.kind == .xing)
    }

    @Test("Damage inside is counted and the walk goes on", arguments: [7, 500, .max])
    func countsBreaks(chunk: Int) {
        var bytes = MadeMP3.frames(60)
        bytes.replaceSubrange(8_000..<8_900, with: [UInt8](repeating: 0x55, count: 900))
        bytes.removeSubrange(15_000..<15_100)
        let result = walk(bytes, chunk: chunk)
        #expect(result.breaks == 2 && result.brokenBytes > 900)
        #expect((54...57).contains(result.frames))
    }

    @Test("Bytes before the first and after the last frame are no damage inside") func countsEnds() {
        let result = walk([UInt8](repeating: 0, count: 700) + MadeMP3.frames(10) + [UInt8](repeating: 0, count: 90))
        #expect(result.leadingBytes == 700 && result.trailingBytes == 90 && result.breaks == 0 && result.frames == 10)
        let cut = walk(MadeMP3.frames(10) + MadeMP3.frame().prefix(200))
        #expect(cut.frames == 10 && cut.truncatedFrame == 200 && cut.breaks == 0)
        #expect(walk(MadeMP3.id3(10_000).dropLast(4_000)).truncatedTag == 4_000)
    }

    @Test("Chunks of any size give the same walk, also of rubbish") func isIncremental() {
        var random = SeededNumbers(seed: 3)
        for round in 0..<60 {
            var bytes = MadeMP3.id3(Int.random(in: 0...3000, using: &random)) + MadeMP3.frames(30)
            for _ in 0..<(round % 4) * 5 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if round % 5 == 0 { bytes = (0..<6000).map { _ in UInt8.random(in: 0...255, using: &random) } }
            let whole = walk(bytes)
            let size = [1, 2, 11, 333, 1445, 4000][round % 6]
            #expect(walk(bytes, chunk: size) == whole, "chunks of \(size), round \(round)")
        }
    }

    @Test("Empty and tiny input is no sound", arguments: [0, 1, 3, 4, 10])
    func survivesTiny(count: Int) {
        #expect(walk([UInt8](repeating: 0xFF, count: count)).frames == 0)
    }

    /// Bytes, VK's seconds, and a word of the complaint.
    private static let judged: [([UInt8], Int?, String?)] = [
        (MadeMP3.frames(400), 10, nil), (MadeMP3.frames(400), nil, nil), (MadeMP3.frames(400), 0, nil),
        (MadeMP3.frames(400), 12, nil), (MadeMP3.frames(400), 13, "cut off"), (MadeMP3.frames(400), 8, "long"),
        (MadeMP3.frames(1150), 214, "sample"), ([], 10, "no MP3"), (text("<html>"), 10, "no MP3"),
        (MadeMP3.joined(MadeMP3.info(frames: 500), MadeMP3.frames(400)), 10, "400 of 500"),
        (MadeMP3.joined(MadeMP3.info(frames: 400), MadeMP3.frames(400)), 10, nil),
        (MadeMP3.joined(MadeMP3.frames(200), [1, 2, 3], MadeMP3.frames(200)), 10, "damaged"),
    ]

    @Test("A sound is fine only when whole", arguments: judged)
    func judges(bytes: [UInt8], expected: Int?, words: String?) {
        let problem = SoundCheck.problem(walk(bytes), expected: expected.map { .seconds($0) })
        #expect((problem == nil) == (words == nil))
        if let words { #expect(problem?.message.contains(words) == true, "\(problem?.message ?? "")") }
        #expect(problem.map { $0.code == .damagedSound } ?? true)
    }

    private static let adts: [UInt8] = [0xFF, 0xF1, 0x50, 0x80]
    private static let packet: [UInt8] = [0x47] + [UInt8](repeating: 0, count: 187) + [0x47]

    private static let known: [([UInt8], SoundSniff)] = [
        (text("#EXTM3U\n"), .hls), (text("\u{FEFF}\n#EXTM3U"), .hls), (text("\n <!DOCTYPE html>"), .html),
        (text("{\"error\":1}"), .json), (text("fLaC\0"), .flac), (text("OggS\0"), .ogg), (adts, .aac),
        (MadeMP3.frames(2), .mp3), (MadeMP3.joined(MadeMP3.frame(), [1, 2, 3, 4]), .unknown),
        ([0xFF, 0xFB, 0x90, 0x00], .mp3), (MadeMP3.id3(20), .mp3),
        (MadeMP3.joined(MadeMP3.id3(4), text("fLaC")), .flac), (Array(MadeMP3.id3(4).prefix(8)), .mp3),
        (text("\0\0\0 ftypM4A "), .mp4), (text("RIFF....WAVEfmt "), .wav), (packet, .mpegTS), ([], .unknown),
        ([0, 1, 2, 3], .unknown), (text("GIF89a"), .unknown),
    ]

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("Content decides what bytes are", arguments: known)
    func sniffs(bytes: [UInt8], kind: SoundSniff) { #expect(SoundSniff.kind(of: bytes) == kind) }
}
