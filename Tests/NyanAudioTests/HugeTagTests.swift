import NyanCore
import Testing

@testable import NyanAudio

@Suite("Tags before a sound")
struct HugeTagTests {
    /// An ID3v2 tag of so many bytes, all in all.
    private static func tag(_ bytes: Int) -> [UInt8] {
        let size = bytes - 10
        let length = [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) }
        return Array("ID3".utf8) + [4, 0, 0] + length + [UInt8](repeating: 0, count: size)
    }

    /// Frames of 128 kbit/s, 44.1 kHz.
    private static let frames = [[UInt8]](
        repeating: [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413), count: 50
    ).flatMap { $0 }

    @Test("a tag of a booklet's size comes before the sound; a larger one is left out, and alone it is no sound")
    func hugeTags() {
        let longest = Int(FedSound.longestTag)
        let booklet = FedSound(MemorySource(Self.tag(longest) + Self.frames))
        #expect(booklet.form == .mp3(hasTags: true))
        #expect(booklet.bytes(at: 0, count: 3) == Array("ID3".utf8))

        let huge = FedSound(MemorySource(Self.tag(longest + 1) + Self.frames))
        let bare = FedSound(MemorySource(Self.frames))
        #expect(huge.form == .mp3(hasTags: false))
        #expect(huge.size == bare.size)
        #expect(huge.available(from: 0) == huge.size)
        // But for the size that the front frame states: the copy's.
        let front = 417
        let count = Int(bare.size ?? 0) - front
        #expect(count > 0 && huge.bytes(at: Int64(front), count: count) == bare.bytes(at: Int64(front), count: count))
        #expect(huge.sourceOffset(5000) == bare.sourceOffset(5000) + Int64(longest + 1))

        #expect(FedSound(MemorySource(Self.tag(longest + 1))).form == .noSound)
        #expect(FedSound(MemorySource(Self.tag(1000))).form == .other)
    }

    @Test("a tag that is too long is left out before other kinds of sound, too, and so is padding behind it")
    func otherSound() {
        let tag = Self.tag(Int(FedSound.longestTag) + 1)
        let flac = Array("fLaC".utf8) + [UInt8](repeating: 1, count: 20_000)
        let adts = [0xFF, 0xF1, 0x50, 0x80] + [UInt8](repeating: 1, count: 20_000)
        let padding = [UInt8](repeating: 0, count: 3000)
        for (bytes, form) in [(flac, FedSound.Form.flac), (adts, .other), (Self.frames, .other)] {
            let sound = FedSound(MemorySource(tag + padding + bytes))
            #expect(sound.form == form)
            #expect(sound.size == Int64(bytes.count))
            #expect(sound.bytes(at: 0, count: bytes.count) == bytes)
        }
        #expect(FedSound(MemorySource(tag + flac)).form == .flac)
        for text in ["<html>fLaC", "no sound at all", "{}"] {
            #expect(FedSound(MemorySource(tag + Array(text.utf8))).form == .noSound)
        }
    }
}
