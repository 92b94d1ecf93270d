/// The four bytes that start every frame of an MPEG audio layer III stream (ISO 11172-3, 13818-3).
public struct MP3Frame: Sendable, Equatable {
    public enum Version: UInt8, Sendable {
        case mpeg25 = 0
        case mpeg2 = 2
        case mpeg1 = 3
    }

    public let version: Version
    /// Bits per second.
    public let bitrate: Int
    /// Hertz.
    public let sampleRate: Int
    public let isMono: Bool
    public let hasChecksum: Bool
    /// Length of the whole frame, header included.
    public let byteCount: Int

    /// Samples per channel in one frame.
    public var sampleCount: Int { version == .mpeg1 ? 1152 : 576 }
    /// Bytes of side information after the header; the Xing header stands behind them.
    public var sideByteCount: Int {
        version == .mpeg1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
    }

    /// Reads a big-endian header word; nil unless it is layer III with a rate of its own. Free-format frames (no
    /// bitrate in the header) are refused: nobody serves them and they cannot be walked.
    public init?(word: UInt32) {
        guard word >> 21 == 0x7FF, (word >> 17) & 3 == 1, let version = Version(rawValue: UInt8((word >> 19) & 3))
        else { return nil }
        let bitrateIndex = Int((word >> 12) & 15)
        let rateIndex = Int((word >> 10) & 3)
        guard bitrateIndex != 0, bitrateIndex != 15, rateIndex != 3, word & 3 != 2 else { return nil }
        self.version = version
        bitrate = Self.kilobits(version, bitrateIndex) * 1000
        sampleRate = Self.hertz(rateIndex) >> (version == .mpeg1 ? 0 : version == .mpeg2 ? 1 : 2)
        isMono = (word >> 6) & 3 == 3
        hasChecksum = (word >> 16) & 1 == 0
        byteCount = (version == .mpeg1 ? 144 : 72) * bitrate / sampleRate + Int((word >> 9) & 1)
    }

    /// Whether both can belong to one stream: same version and rate.
    public func continues(_ other: MP3Frame) -> Bool {
        version == other.version && sampleRate == other.sampleRate
    }

    private static func hertz(_ index: Int) -> Int {
        switch index {
        case 0: 44_100
        case 1: 48_000
        default: 32_000
        }
    }

    private static func kilobits(_ version: Version, _ index: Int) -> Int {
        if version == .mpeg1 {
            switch index {
            case 1...5: 24 + 8 * index
            case 6...9: 64 + 16 * (index - 5)
            case 10...13: 160 + 32 * (index - 10)
            default: 320
            }
        } else {
            index <= 8 ? 8 * index : 64 + 16 * (index - 8)
        }
    }
}
