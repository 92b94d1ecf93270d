import FoundationEssentials
import Glibc
import NyanCore

/// What the sidecar `ID.map` remembers of a growing file: which bytes are there and of what.
///
/// It is written after the bytes it speaks of, so it never promises too much; `tail` lets a file that was growing when
/// the process died keep the bytes written since (kill -9 loses no page cache). After a power cut neither order nor
/// length says anything: what was recorded in another `boot` is believed only where its sum agrees.
struct CopyMap: Codable, Equatable {
    /// Raised when an older nyand could misread the file; unknown versions are started over.
    static let currentVersion = 1

    var version = CopyMap.currentVersion
    var kind: CopyKind?
    /// Bytes of the whole sound; nil until known.
    var size: Int64?
    var validator: Validator?
    var segments: SegmentProgress?
    var ranges = RangeSet()
    /// From here to the end of the file everything was written in order, whatever `ranges` say. Direct copies only.
    var tail: Int64 = 0
    /// The kernel's run in which all of this was written or compared with its sums; see `BootID`.
    var boot: String?
    /// HLS: where each whole segment ends, to know what is left after damage. Nil in a sidecar of before.
    private var segmentEnds: [Int64]?
    /// Nil in a sidecar of before there were sums of this kind (they were MD5's, called `blockSums`).
    private var sums64: BlockSums?

    /// What the blocks that are whole held when they were written.
    var sums: BlockSums {
        get { sums64 ?? BlockSums() }
        set { sums64 = newValue }
    }

    /// Remembers where the segments stand.
    mutating func note(_ progress: SegmentProgress) {
        segments = progress
        segmentEnds = Array((segmentEnds ?? []).prefix { $0 < progress.bytes }) + [progress.bytes]
    }

    /// HLS: keeps the whole segments among the bytes that are left; false where there are none.
    mutating func cutToSegments() -> Bool {
        let left = ranges.available(from: 0)
        let ends = (segmentEnds ?? []).prefix { $0 <= left }
        guard let end = ends.last, let progress = segments, segmentEnds?.count == progress.done else { return false }
        ranges.cut(to: end)
        sums.cut(to: end)
        size = nil
        segmentEnds = Array(ends)
        segments = SegmentProgress(done: ends.count, bytes: end, durations: progress.durations)
        return true
    }

    var isComplete: Bool {
        guard let size, size > 0 else { return false }
        return ranges.available(from: 0) >= size
    }

    /// Reads a sidecar; nil when there is none or it cannot be understood, which both mean: start over.
    static func read(_ path: String) -> CopyMap? {
        // Not blocking: what lies there may be a pipe.
        guard let bytes = try? WholeFile.read(path, flags: O_NOFOLLOW | O_NONBLOCK, limit: 4 << 20),
            var map = try? JSONDecoder().decode(CopyMap.self, from: Data(bytes)),
            map.version == currentVersion, map.isSensible
        else { return nil }
        // Of before there were such sums and kernels' names: taken on trust, once, as it was then.
        if map.sums64 == nil, map.boot == nil { map.boot = BootID.current }
        return map
    }

    /// Whether its numbers can be: whoever goes on from them counts on that.
    private var isSensible: Bool {
        guard size ?? 0 >= 0, tail >= 0, tail < 1 << 50, ranges.end < 1 << 50 else { return false }
        guard let segments else { return true }
        return segments.done >= 0 && segments.done <= segments.durations.count && segments.bytes >= 0
    }

    /// Writes the sidecar in one step; the page cache is durable enough against kill -9.
    func write(_ path: String) throws(Failure) {
        guard let bytes = try? JSONEncoder().encode(self) else {
            throw Failure(.internal, "cannot write down which bytes of a copy are there")
        }
        try WholeFile.replace(path, with: bytes, mode: 0o600, durable: false)
    }

    /// Corrects a map read from disk by what the file really holds.
    ///
    /// - Parameters:
    ///   - fileSize: the file's length.
    ///   - extents: where the file has data; after a power loss promised bytes may never have reached the disk.
    mutating func reconcile(fileSize: Int64, extents: RangeSet) {
        if kind == .direct, fileSize > tail { ranges.insert(tail..<fileSize) }
        ranges = ranges.intersection(extents)
        ranges.cut(to: min(fileSize, size ?? .max))
        guard kind == .hls, !isComplete else { return }
        // A half-written segment is fetched again; without the segments' record nothing can be continued.
        if let segments, ranges.available(from: 0) >= segments.bytes {
            ranges.cut(to: segments.bytes)
            sums.cut(to: segments.bytes)
        } else if !cutToSegments() {
            // Whole segments before what a power cut took stay.
            self = CopyMap()
        }
    }

    /// Whether bytes of this map may be continued with what a server offers now; on doubt no (nothing is ever spliced).
    func continues(as kind: CopyKind, total: Int64?, validator: Validator?) -> Bool {
        guard self.kind == kind, !ranges.isEmpty else { return false }
        if kind == .hls { return true }
        if let size, let total, size != total { return false }
        switch (self.validator?.etag, validator?.etag) {
        case (let old?, let new?): return old == new
        default: break
        }
        switch (self.validator?.lastModified, validator?.lastModified) {
        case (let old?, let new?): return old == new
        // No word from the server: an equal length proves nothing (decision 0018).
        default: return false
        }
    }
}

extension OpenFile {
    /// Where the file has data on disk or in memory; the whole file when the file system knows no holes.
    var extents: RangeSet {
        var set = RangeSet()
        var offset = 0
        while true {
            guard let start = retrying({ lseek(descriptor, offset, 3 /* SEEK_DATA */) }) else {
                // ENXIO: no data behind `offset`.
                if errno != ENXIO, offset == 0, let size { set.insert(0..<size) }
                return set
            }
            guard let end = retrying({ lseek(descriptor, start, 4 /* SEEK_HOLE */) }), end > start else { return set }
            set.insert(Int64(start)..<Int64(end))
            offset = end
        }
    }
}
