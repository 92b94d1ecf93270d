import Glibc
import NyanCore
import Synchronization

// Whether the bytes on disk are the ones that were written, and when they were last listened to.
extension CopyFile {
    public var needsCheck: Bool { shared.withLock { $0.isUnchecked } }

    /// Blocks whose sum is known are compared. Those written just before a crash have none yet: they get it now, unless
    /// the machine went down since, when nobody knows what of them reached the disk. Of an HLS copy the whole segments
    /// before the damage are kept, as they can only be fetched in order.
    public func check() async -> Int64 {
        // Nothing in there fails.
        (try? await offPool { [self] in checkNow() }) ?? 0
    }

    /// The same, at once: reads the whole file, a fraction of a millisecond a megabyte.
    func checkNow() -> Int64 {
        guard needsCheck else { return 0 }
        var damaged: Int64 = 0
        let blocks = BlockSums.blocks(0..<shared.withLock { $0.map.ranges.end })
        let isSameBoot = boot != nil && shared.withLock { $0.map.boot } == boot
        for block in blocks where !holds(block, isSameBoot) { damaged += drop(block) }
        try? writing.withLock { writing throws(Failure) in
            shared.withLock { $0.isUnchecked = false }
            guard damaged > 0 else { return }
            let (isUseful, end) = shared.withLock { shared in
                let isUseful = shared.map.kind == .hls ? shared.map.cutToSegments() : !shared.map.ranges.isEmpty
                return (isUseful, shared.map.ranges.end)
            }
            guard isUseful else { return try empty(&writing) }
            // What lies behind the last good byte must not be taken for whole at the next opening (`CopyMap.tail`).
            try file.truncate(to: end, subject: id)
            shared.withLock { $0.map.tail = $0.map.ranges.ranges.last?.lowerBound ?? 0 }
            try save(&writing)
        }
        return damaged
    }

    /// False where the bytes of a block are not what they were. One that was whole once and is no more counts as wrong.
    private func holds(_ block: Int, _ isSameBoot: Bool) -> Bool {
        let map = shared.withLock { $0.map }
        let range = BlockSums.bytes(of: block, size: map.size)
        let isWhole = map.ranges.available(from: range.lowerBound) >= Int64(range.count)
        guard let known = map.sums[block] else {
            guard isSameBoot else { return false }
            if isWhole { sumBlocks(range) }
            return true
        }
        return isWhole && sum(of: range) == known
    }

    /// - Returns: how many bytes there were.
    private func drop(_ block: Int) -> Int64 {
        shared.withLock { shared in
            let range = BlockSums.bytes(of: block, size: nil)
            let before = shared.map.ranges.count
            shared.map.ranges.remove(range)
            shared.map.sums[block] = nil
            shared.generation += 1
            return before - shared.map.ranges.count
        }
    }

    /// Sums up the blocks these bytes have made whole.
    func sumBlocks(_ range: Range<Int64>) {
        for block in BlockSums.blocks(range) {
            let map = shared.withLock { $0.map }
            let bytes = BlockSums.bytes(of: block, size: map.size)
            guard map.sums[block] == nil, map.ranges.available(from: bytes.lowerBound) >= Int64(bytes.count),
                let sum = sum(of: bytes)
            else { continue }
            shared.withLock { $0.map.sums[block] = sum }
        }
    }

    private func sum(of range: Range<Int64>) -> UInt64? {
        withUnsafeTemporaryAllocation(byteCount: range.count, alignment: 16) { buffer in
            var done = 0
            while done < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                guard let count = file.read(at: range.lowerBound + Int64(done), into: rest), count > 0 else {
                    return nil
                }
                done += count
            }
            return BlockSums.sum(UnsafeRawBufferPointer(buffer))
        }
    }

    // When it was played is the file's time of change: no other record is needed, and it outlives restarts.

    public func notePlayed() {
        shared.withLock { $0.wasPlayed = true }
        futimens(file.descriptor, nil)
    }

    /// Fetching ahead and looking are not playing: the time is put back to what it was before.
    func keepTimePlayed() {
        guard !shared.withLock({ $0.wasPlayed }) else { return }
        let times = [timespec(tv_sec: 0, tv_nsec: 1 << 30 - 2 /* UTIME_OMIT */), playedBefore]
        futimens(file.descriptor, times)
    }
}
