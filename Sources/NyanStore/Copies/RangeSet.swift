/// The parts of a file that are there: half-open ranges, sorted, apart from each other and never empty.
///
/// A copy has few ranges (one per seek), so lookups are a binary search over a small array.
public struct RangeSet: Sendable, Equatable {
    public private(set) var ranges: [Range<Int64>] = []

    public init() {}

    /// Takes ranges in any order, also overlapping ones; empty and negative parts are left out.
    public init(_ ranges: some Sequence<Range<Int64>>) {
        for range in ranges { insert(range) }
    }

    public var isEmpty: Bool { ranges.isEmpty }

    /// Bytes in all ranges.
    public var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

    /// The first offset behind every range.
    public var end: Int64 { ranges.last?.upperBound ?? 0 }

    /// Adds a range and joins it with those it touches.
    public mutating func insert(_ range: Range<Int64>) {
        let range = max(0, range.lowerBound)..<max(0, range.upperBound)
        guard !range.isEmpty else { return }
        // The common case of a growing file: the last range grows.
        if let last = ranges.last, range.lowerBound >= last.lowerBound, range.lowerBound <= last.upperBound {
            ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            return
        }
        let first = index { $0.upperBound >= range.lowerBound }
        let behind = index { $0.lowerBound > range.upperBound }
        var joined = range
        if first < behind {
            let lower = min(range.lowerBound, ranges[first].lowerBound)
            joined = lower..<max(range.upperBound, ranges[behind - 1].upperBound)
        }
        ranges.replaceSubrange(first..<behind, with: [joined])
    }

    /// Keeps only what lies below `end`.
    public mutating func cut(to end: Int64) {
        ranges = ranges.compactMap { range in
            range.lowerBound < end ? range.lowerBound..<min(range.upperBound, end) : nil
        }
    }

    /// Takes these bytes out.
    public mutating func remove(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        ranges = ranges.flatMap { old in
            [
                old.lowerBound..<max(old.lowerBound, min(old.upperBound, range.lowerBound)),
                min(old.upperBound, max(old.lowerBound, range.upperBound))..<old.upperBound,
            ].filter { !$0.isEmpty }
        }
    }

    /// What both have.
    public func intersection(_ other: RangeSet) -> RangeSet {
        RangeSet(ranges.flatMap { mine in other.ranges.map { mine.clamped(to: $0) } })
    }

    /// Bytes there without a gap from `offset` on.
    public func available(from offset: Int64) -> Int64 {
        let place = index { $0.upperBound > offset }
        guard place < ranges.count, ranges[place].lowerBound <= offset else { return 0 }
        return ranges[place].upperBound - offset
    }

    /// The first gap at or after `offset`, else the first gap at all; nil when nothing is missing.
    /// `size`: bytes of the whole; nil when unknown: the last gap then has no end.
    public func missing(from offset: Int64, size: Int64?) -> (lower: Int64, upper: Int64?)? {
        let offset = max(0, offset)
        if let gap = gap(from: offset, size: size) { return gap }
        return offset > 0 ? gap(from: 0, size: size) : nil
    }

    private func gap(from offset: Int64, size: Int64?) -> (lower: Int64, upper: Int64?)? {
        var place = index { $0.upperBound > offset }
        var lower = offset
        if place < ranges.count, ranges[place].lowerBound <= offset {
            lower = ranges[place].upperBound
            place += 1
        }
        if let size, lower >= size { return nil }
        return (lower, place < ranges.count ? ranges[place].lowerBound : size)
    }

    /// The first place whose range fulfils `condition`, which holds for all behind it too.
    private func index(where condition: (Range<Int64>) -> Bool) -> Int {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if condition(ranges[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension RangeSet: Codable {
    /// Written as a flat list of bounds: `[0, 4096, 8192, 9000]`.
    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for range in ranges {
            try list.encode(range.lowerBound)
            try list.encode(range.upperBound)
        }
    }

    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd {
            let lower = try list.decode(Int64.self)
            let upper = try list.decode(Int64.self)
            guard lower >= 0, lower <= upper else {
                throw DecodingError.dataCorruptedError(in: list, debugDescription: "a range ends before it begins")
            }
            insert(lower..<upper)
        }
    }
}
