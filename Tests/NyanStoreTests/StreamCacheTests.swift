import Glibc
import NyanCore
import Testing

@testable import NyanStore

/// What the stream cache keeps, and that what it kept is what was fetched.
@Suite("The stream cache")
struct StreamCacheTests {
    let folder = TemporaryFolder()
    let id = TrackID(owner: 1, audio: 2)
    let tag = Validator(etag: "\"abc\"")
    func store() -> CopyFolder { CopyFolder(cacheFolder: folder("cache"), durableFolder: folder("data")) }
    /// Three whole blocks and a part of one.
    static let size = 3 * Int(BlockSums.blockSize) + 1000

    /// Bytes that tell their offset.
    static func sound(_ range: Range<Int>) -> [UInt8] { range.map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }

    /// A complete copy, as a daemon before left it.
    private func leave(
        _ id: TrackID? = nil, size: Int = size, kind: CopyKind = .direct, played: Bool = true, store: CopyFolder? = nil
    ) throws {
        let copy = try (store ?? self.store()).open(id ?? self.id, durable: false)
        if played { copy.notePlayed() }
        _ = try copy.begin(kind: kind, total: kind == .hls ? nil : Int64(size), validator: kind == .hls ? nil : tag)
        for start in stride(from: 0, to: size, by: 100_000) {
            try copy.put(Self.sound(start..<min(size, start + 100_000)), at: Int64(start))
        }
        if kind == .hls { try copy.segmentDone(SegmentProgress(done: 1, bytes: Int64(size), durations: [4])) }
        try copy.finish(total: Int64(size))
    }

    private func change(_ change: (inout [UInt8]) -> Void) throws {
        var bytes = Disk.bytes(folder("cache/\(id).copy"))
        change(&bytes)
        try Disk.write(folder("cache/\(id).copy"), bytes)
    }

    @Test("a copy that is whole on disk is found whole", arguments: [CopyKind.direct, .hls])
    func whole(kind: CopyKind) async throws {
        try leave(kind: kind)
        let copy = try store().open(id, durable: false)
        #expect(copy.needsCheck)
        #expect(await copy.check() == 0)
        #expect(copy.isComplete && !copy.needsCheck)
        #expect(copy.bytes(at: 0, Self.size) == Self.sound(0..<Self.size))
    }

    nonisolated static let block = Int(BlockSums.blockSize)
    nonisolated static let damages: [(name: String, damage: @Sendable (inout [UInt8]) -> Void, left: Range<Int>?)] = [
        ("one bit in the middle", { $0[block + 5] ^= 1 }, 0..<block),
        ("one byte at the end", { $0[$0.count - 1] ^= 0xFF }, 0..<3 * block),
        ("a zeroed sector", { $0.replaceSubrange(4096..<8192, with: [UInt8](repeating: 0, count: 4096)) }, nil),
        ("all zeros", { $0 = [UInt8](repeating: 0, count: $0.count) }, nil),
        ("cut", { $0.removeLast($0.count - 2 * block - 7) }, 0..<2 * block),
        ("emptied", { $0 = [] }, nil),
        ("a web page", { $0 = Array("<!doctype html><html><body>Not found</body></html>".utf8) }, nil),
        ("a page of the same length", { $0 = Array("<html>".utf8) + [UInt8](repeating: 32, count: $0.count - 6) }, nil),
        ("another file, longer", { $0 = [UInt8](repeating: 7, count: $0.count + 5000) }, nil),
    ]

    @Test("damage on disk is found out, let go of, and only that is missing", arguments: damages.indices)
    func damaged(_ index: Int) async throws {
        let (name, damage, left) = Self.damages[index]
        try leave()
        try change(damage)
        do {
            let copy = try store().open(id, durable: false)
            #expect(await copy.check() > 0 || name == "emptied", "\(name)")
            #expect(!copy.isComplete, "\(name)")
            #expect(copy.available(from: 0) == Int64(left?.upperBound ?? 0), "\(name)")
            if let left { #expect(copy.bytes(at: 0, Self.size) == Self.sound(left), "\(name)") }
        }
        // The same after another restart: what was let go of does not come back.
        let again = try store().open(id, durable: false)
        #expect(await again.check() == 0, "\(name)")
        #expect(again.available(from: 0) == Int64(left?.upperBound ?? 0), "\(name)")
        guard let gap = again.missing(from: 0), left != nil else { return }
        // What was missing comes again: whole.
        #expect(try again.begin(kind: .direct, total: Int64(Self.size), validator: tag))
        try again.put(Self.sound(Int(gap.lower)..<Int(gap.upper ?? Int64(Self.size))), at: gap.lower)
        #expect(again.isComplete && again.bytes(at: 0, Self.size) == Self.sound(0..<Self.size), "\(name)")
    }

    @Test("of a damaged copy that came in segments nothing is kept")
    func damagedSegments() async throws {
        try leave(kind: .hls)
        try change { $0[300_000] ^= 1 }
        let copy = try store().open(id, durable: false)
        #expect(await copy.check() > 0)
        #expect(copy.received == 0 && copy.segments == nil)
    }

    @Test("a copy that was growing is checked as far as it goes; its newest bytes are taken on trust")
    func growing() async throws {
        try {
            let copy = try store().open(id, durable: false)
            _ = try copy.begin(kind: .direct, total: Int64(Self.size), validator: tag)
            try copy.put(Self.sound(0..<Self.block + 5000), at: 0)
        }()
        let copy = try store().open(id, durable: false)
        #expect(await copy.check() == 0)
        #expect(copy.received == Int64(Self.block + 5000))
    }

    @Test("a copy whose sidecar knows no sums yet, or those of before, is kept, and has them from then on")
    func olderSidecar() async throws {
        try leave()
        let map = String(decoding: Disk.bytes(folder("cache/\(id).map")), as: UTF8.self)
        let start = try #require(map.firstRange(of: "\"sums64\":["))
        let end = try #require(map[start.upperBound...].firstIndex(of: "]"))
        var old = map
        old.replaceSubrange(start.lowerBound...end, with: "\"blockSums\":[1,2,3,4]")
        let boot = try #require(old.firstRange(of: "\"boot\""))
        old.replaceSubrange(boot, with: "\"x\"")
        try Disk.write(folder("cache/\(id).map"), Array(old.utf8))
        do {
            let copy = try store().open(id, durable: false)
            #expect(await copy.check() == 0 && copy.isComplete)
            // Any change writes the sidecar.
            try copy.finish(total: Int64(Self.size))
            try (copy as? CopyFile)?.relocate(mapPath: folder("cache/\(id).map")) {}
        }
        try change { $0[9] ^= 1 }
        #expect(try await store().open(id, durable: false).check() > 0)
    }

    // Least recently played first.

    private func setPlayed(_ ids: [TrackID]) {
        for (age, id) in ids.enumerated() {
            let times = [timespec(tv_sec: 1000 + age, tv_nsec: 0), timespec(tv_sec: 1000 + age, tv_nsec: 0)]
            utimensat(AT_FDCWD, folder("cache/\(id).copy"), times, 0)
        }
    }

    private func left(_ ids: [TrackID]) -> [Int64] {
        ids.filter { Disk.exists(folder("cache/\($0).copy")) }.map(\.audio)
    }

    @Test("what was played longest ago goes first, whatever was fetched or looked at since, also over restarts")
    func leastRecentlyPlayed() throws {
        let ids = (1...4).map { TrackID(owner: 1, audio: $0) }
        for id in ids { try leave(id, size: 8192) }
        setPlayed(ids)
        // 1 is played again by one daemon; 2 is opened ahead by another, but not played.
        try store().open(ids[0], durable: false).notePlayed()
        _ = try store().open(ids[1], durable: false)
        store().prune(to: 3 * 8192, keeping: [])
        #expect(left(ids) == [1, 3, 4])
        store().prune(to: 1 * 8192, keeping: [])
        #expect(left(ids) == [1])
    }

    @Test("what was fetched ahead and never played goes before what was")
    func neverPlayed() throws {
        let ids = (1...3).map { TrackID(owner: 1, audio: $0) }
        try leave(ids[0], size: 8192)
        try leave(ids[1], size: 8192, played: false)
        try leave(ids[2], size: 8192)
        store().prune(to: 2 * 8192, keeping: [])
        #expect(left(ids) == [1, 3])
    }

    @Test("the ceiling counts what the disk gives, and nothing below it is dropped")
    func ceiling() throws {
        let ids = (1...3).map { TrackID(owner: 1, audio: $0) }
        for id in ids { try leave(id, size: 8192) }
        store().prune(to: 3 * 8192, keeping: [])
        #expect(left(ids) == [1, 2, 3])
        store().prune(to: 3 * 8192 - 1, keeping: [])
        #expect(left(ids).count == 2)
        store().prune(to: 0, keeping: [ids[1]])
        #expect(left(ids) == [2])
    }
}
