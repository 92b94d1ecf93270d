/// Tags that stand between or around an MP3's frames and hold no sound.
public enum SoundTag {
    /// Length of the tag that starts here; nil when none does.
    public static func length(at bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= 3 else { return nil }
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0x49, 0x44, 0x33): return id3v2(bytes)
        case (0x54, 0x41, 0x47): return 128
        case (0x41, 0x50, 0x45): return ape(bytes)
        default: return nil
        }
    }

    /// ID3v2: ten bytes, a 28-bit size of 7 bits a byte, and a footer of ten if flag 0x10 is set.
    private static func id3v2(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= 10, bytes[3] < 0xFF, bytes[4] < 0xFF, bytes[6...9].allSatisfy({ $0 < 0x80 }) else {
            return nil
        }
        let size = bytes[6...9].reduce(0) { $0 << 7 | Int($1) }
        return size + 10 + (bytes[5] & 0x10 != 0 ? 10 : 0)
    }

    /// APEv2: `APETAGEX`, version, little-endian size without the header, item count, flags; bit 29 = a header.
    private static func ape(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= 32, bytes[0..<8].elementsEqual("APETAGEX".utf8) else { return nil }
        let size = Int(UInt32(bytes.word(at: 12)).byteSwapped)
        let isHeader = bytes.word(at: 20).byteSwapped & (1 << 29) != 0
        return isHeader ? size + 32 : 32
    }
}

extension UnsafeRawBufferPointer {
    /// Four bytes as a big-endian word; zero where there are less.
    func word(at offset: Int) -> UInt32 {
        guard offset >= 0, offset + 4 <= count else { return 0 }
        return UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
