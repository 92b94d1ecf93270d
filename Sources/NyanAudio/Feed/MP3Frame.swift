/// The header of one MPEG audio Layer III frame (ISO 11172-3 §2.4.1.3, 13818-3).
nonisolated struct MP3Frame: Equatable {
    /// Bytes from this header to the next.
    var size: Int
    var samples: Int
    var rate: Int
    /// Bytes of side information after the header: a Xing header follows them.
    var sideInfo: Int

    private static let rates = [44_100, 48_000, 32_000]
    private static let kilobits1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    private static let kilobits2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

    /// Reads four bytes; nil if they are no Layer III header of a known bit rate.
    init?(_ bytes: some RandomAccessCollection<UInt8>) {
        guard bytes.count >= 4 else { return nil }
        let word = bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let version = Int(word >> 19 & 3)
        let rateIndex = Int(word >> 10 & 3)
        let bitIndex = Int(word >> 12 & 15)
        guard word >> 21 == 0x7FF, version != 1, word >> 17 & 3 == 1, rateIndex != 3, bitIndex != 0, bitIndex != 15
        else {
            return nil
        }
        let isFirst = version == 3
        let isMono = word >> 6 & 3 == 3
        rate = Self.rates[rateIndex] >> (isFirst ? 0 : version == 2 ? 1 : 2)
        samples = isFirst ? 1152 : 576
        let bits = (isFirst ? Self.kilobits1 : Self.kilobits2)[bitIndex] * 1000
        size = samples / 8 * bits / rate + Int(word >> 9 & 1)
        sideInfo = isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
    }
}
