/// Where the sound of an Ogg Vorbis or Opus file ends, to the sample: the position its last page states.
///
/// A decoder puts out whole blocks, so it gives some samples too many at the end (RFC 7845 §4.4, Vorbis I §A.2).
public enum OggEnd {
    /// Enough of a file's end to hold the beginning of its last page, which is at most 65,307 bytes long.
    public static let reach = 66_000

    /// Seconds: a position beyond a week is damage.
    private static let longest: Int64 = 7 * 86_400

    /// - Parameters:
    ///   - head: the first 64 bytes or more.
    ///   - tail: the last `reach` bytes, or all.
    /// - Returns: samples of one channel and their rate in hertz; nil where it is another kind of sound.
    public static func samples(head: [UInt8], tail: [UInt8]) -> (count: Int64, rate: Int)? {
        guard head.starts(with: "OggS".utf8), head.count >= 64 else { return nil }
        // The page's header is 27 bytes and one for each segment.
        let start = 27 + Int(head[26])
        guard start <= head.count else { return nil }
        let packet = Array(head[start...])
        let serial = head[14..<18]
        guard let granule = lastGranule(tail, serial: serial), granule > 0 else { return nil }
        if packet.starts(with: [1] + Array("vorbis".utf8)), packet.count >= 16 {
            let rate = Int(little(packet[12..<16]))
            return (8_000...192_000).contains(rate) && granule / Int64(rate) < longest ? (granule, rate) : nil
        }
        if packet.starts(with: "OpusHead".utf8), packet.count >= 12 {
            let skipped = Int64(little(packet[10..<12]))
            return granule > skipped && granule / 48_000 < longest ? (granule - skipped, 48_000) : nil
        }
        return nil
    }

    /// The position of the last page that has one: −1 marks pages on which no packet ends.
    private static func lastGranule(_ bytes: [UInt8], serial: ArraySlice<UInt8>) -> Int64? {
        guard bytes.count >= 27 else { return nil }
        for start in stride(from: bytes.count - 27, through: 0, by: -1)
        where bytes[start] == UInt8(ascii: "O") && bytes[start...].starts(with: "OggS".utf8) {
            guard bytes[(start + 14)..<(start + 18)].elementsEqual(serial) else { continue }
            let granule = Int64(bitPattern: little(bytes[(start + 6)..<(start + 14)]))
            if granule != -1 { return granule }
        }
        return nil
    }

    private static func little(_ bytes: some BidirectionalCollection<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
