/// A checksum for every whole block of a growing file, so that bytes which a disk, a crash or somebody's hand changed
/// are found out before anybody hears them.
///
/// Against accidents, not against an enemy, who could as well change the sums beside the file.
struct BlockSums: Equatable {
    /// What is fetched anew where one byte is wrong; small enough to be summed within a turn of the main actor.
    static let blockSize: Int64 = 256 << 10

    private var sums: [UInt64?] = []

    subscript(block: Int) -> UInt64? {
        get { sums.indices.contains(block) ? sums[block] : nil }
        set {
            guard newValue != nil || sums.indices.contains(block) else { return }
            if block >= sums.count { sums += [UInt64?](repeating: nil, count: block + 1 - sums.count) }
            sums[block] = newValue
        }
    }

    /// Forgets the blocks that a change of these bytes makes untrue.
    mutating func forget(_ range: Range<Int64>) {
        for block in Self.blocks(range) { self[block] = nil }
    }

    /// Forgets what lies at or behind `end`, and the block that it cuts.
    mutating func cut(to end: Int64) { sums = Array(sums.prefix(Int(max(0, end) / Self.blockSize))) }

    /// The blocks these bytes touch.
    static func blocks(_ range: Range<Int64>) -> Range<Int> {
        guard !range.isEmpty else { return 0..<0 }
        return Int(range.lowerBound / blockSize)..<Int((range.upperBound - 1) / blockSize) + 1
    }

    /// The bytes of a block in a sound of `size` bytes; nil where they are not known, as it may be the last one.
    static func bytes(of block: Int, size: Int64?) -> Range<Int64> {
        let start = Int64(block) * blockSize
        return start..<max(start, min(start + blockSize, size ?? .max))
    }

    /// Four lanes of multiply and rotate over words of eight bytes, some 10 GB/s. Each step is a bijection of its lane,
    /// so a change within one word is always seen; any other goes unseen once in 2^64.
    static func sum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var lanes: (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
        var at = 0
        func word(_ place: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at + place, as: UInt64.self))
        }
        while at + 32 <= bytes.count {
            lanes.0 = mixed(lanes.0, word(0))
            lanes.1 = mixed(lanes.1, word(8))
            lanes.2 = mixed(lanes.2, word(16))
            lanes.3 = mixed(lanes.3, word(24))
            at += 32
        }
        let whole = [lanes.1, lanes.2, lanes.3, UInt64(bytes.count)].reduce(lanes.0) { mixed($0, $1) }
        return bytes[at...].reduce(whole) { mixed($0, UInt64($1)) }
    }

    private static func mixed(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let product = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
        return product << 29 | product >> 35
    }
}

extension BlockSums: Codable {
    /// Written as a plain list, null for a block without a sum.
    func encode(to encoder: any Encoder) throws { try sums.encode(to: encoder) }

    init(from decoder: any Decoder) throws { sums = try [UInt64?](from: decoder) }
}
