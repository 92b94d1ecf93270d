internal import CGLib

/// A checksum for every whole block of a growing file, so that bytes which a disk, a crash or somebody's hand changed
/// are found out before anybody hears them.
///
/// MD5, cut to 64 bits: against accidents, not against an enemy, who could as well change the sums beside the file.
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

    static func sum(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
        guard let checksum = g_checksum_new(G_CHECKSUM_MD5) else { return nil }
        defer { g_checksum_free(checksum) }
        g_checksum_update(checksum, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        var digest = [UInt8](repeating: 0, count: 16)
        var count = digest.count
        g_checksum_get_digest(checksum, &digest, &count)
        return digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension BlockSums: Codable {
    /// Written as a plain list, null for a block without a sum.
    func encode(to encoder: any Encoder) throws { try sums.encode(to: encoder) }

    init(from decoder: any Decoder) throws { sums = try [UInt64?](from: decoder) }
}
