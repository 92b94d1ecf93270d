/// The header of one frame of AAC as it stands alone: ADTS (ISO 13818-7 §6.2, 14496-3 annex 1.A).
public struct ADTSFrame: Sendable, Equatable {
    /// MPEG-4's number of the kind of AAC: 1 Main, 2 LC, 3 SSR, 4 LTP.
    public let objectType: UInt8
    /// 0…12, as the header codes the rate.
    public let rateIndex: UInt8
    /// 1…7, as the header codes the channels; 0 = told inside the stream.
    public let channelCode: UInt8
    /// 7, or 9 with a checksum.
    public let headerByteCount: Int
    /// Length of the whole frame, header included.
    public let byteCount: Int
    /// Raw blocks in it, 1…4, of 1024 samples each.
    public let blockCount: Int

    /// The shortest header.
    public static let shortest = 7
    /// What thirteen bits can say.
    static let longest = 8191

    private static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    /// Hertz of the core; with SBR twice as much may sound.
    public var sampleRate: Int { Self.rates[Int(rateIndex)] }
    /// Samples per channel.
    public var sampleCount: Int { 1024 * blockCount }

    /// Reads the header that starts here; nil when none does.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.shortest, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return nil }
        objectType = bytes[2] >> 6 + 1
        rateIndex = bytes[2] >> 2 & 15
        channelCode = (bytes[2] & 1) << 2 | bytes[3] >> 6
        headerByteCount = bytes[1] & 1 != 0 ? 7 : 9
        byteCount = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5]) >> 5
        blockCount = Int(bytes[6] & 3) + 1
        guard rateIndex < Self.rates.count, byteCount > headerByteCount else { return nil }
    }

    public init?(_ bytes: [UInt8]) {
        guard let frame = bytes.withUnsafeBytes({ ADTSFrame($0) }) else { return nil }
        self = frame
    }

    /// Whether both can belong to one stream.
    public func continues(_ other: ADTSFrame) -> Bool {
        objectType == other.objectType && rateIndex == other.rateIndex && channelCode == other.channelCode
            && headerByteCount == other.headerByteCount && blockCount == other.blockCount
    }
}
