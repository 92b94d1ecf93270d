import Glibc
import NyanCore
import Testing

@testable import NyanStore

/// After a power cut a file may hold zeros or old bytes wherever our record says it is whole: another run of the kernel
/// believes sums only (decision 0018).
@Suite("A power cut")
struct PowerCutTests {
    let folder = TemporaryFolder()
    let id = TrackID(owner: 1, audio: 2)
    let tag = Validator(etag: "\"abc\"")
    static let block = Int(BlockSums.blockSize)

    static func sound(_ range: Range<Int>) -> [UInt8] { range.map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }

    func store(boot: String?) -> CopyFolder {
        CopyFolder(cacheFolder: folder("cache"), durableFolder: folder("data"), boot: boot)
    }

    /// A copy of which so many bytes came, in pieces as a network gives them.
    func leave(_ count: Int, of size: Int = 10 * block, boot: String? = "one", segments: [Int] = []) throws {
        let copy = try store(boot: boot).open(id, durable: false)
        let isHLS = !segments.isEmpty
        _ = try copy.begin(kind: isHLS ? .hls : .direct, total: isHLS ? nil : Int64(size), validator: isHLS ? nil : tag)
        var written = 0
        for end in segments + [count] {
            while written < end {
                let next = min(end, written + 30_000)
                try copy.put(Self.sound(written..<next), at: Int64(written))
                written = next
            }
            guard let done = segments.firstIndex(of: end) else { continue }
            try copy.segmentDone(
                SegmentProgress(done: done + 1, bytes: Int64(end), durations: [Double](repeating: 4, count: 9)))
        }
    }

    func change(_ change: (inout [UInt8]) -> Void) throws {
        var bytes = Disk.bytes(folder("cache/\(id).copy"))
        change(&bytes)
        try Disk.write(folder("cache/\(id).copy"), bytes)
    }

    @Test("what has no sum is fetched again, what has one stays where it agrees", arguments: ["one", "two", nil])
    func unsummed(boot: String?) async throws {
        try leave(2 * Self.block + 100_000)
        let copy = try store(boot: boot).open(id, durable: false)
        let lost = await copy.check()
        let left = boot == "one" ? 2 * Self.block + 100_000 : 2 * Self.block
        #expect(lost == Int64(2 * Self.block + 100_000 - left))
        #expect(copy.received == Int64(left) && copy.validator == tag)
        let isEqual = copy.bytes(at: 0, left) == Self.sound(0..<left)
        #expect(isEqual)
        // And it goes on there.
        #expect(try copy.begin(kind: .direct, total: Int64(10 * Self.block), validator: tag))
        #expect(copy.missing(from: 0)?.lower == Int64(left))
    }

    @Test("zeros, old bytes and a length without bytes are found out wherever they are", arguments: [0, 1, 2])
    func lostPages(block: Int) async throws {
        try leave(2 * Self.block + 100_000)
        try change { bytes in
            let start = block * Self.block + 4096
            bytes.replaceSubrange(start..<start + 4096, with: [UInt8](repeating: 0, count: 4096))
        }
        let copy = try store(boot: "two").open(id, durable: false)
        _ = await copy.check()
        #expect(copy.available(from: 0) == Int64(block * Self.block))
        if block == 0 { #expect(copy.available(from: Int64(Self.block)) == Int64(Self.block)) }
    }

    @Test("a copy that is moved or reset before it was looked at is not believed for that")
    func movedBefore() async throws {
        try leave(Self.block + 100_000)
        try {
            // Opened in the new run and made durable, which writes the sidecar; then killed.
            let copy = try store(boot: "two").open(id, durable: true)
            try (copy as? CopyFile)?.relocate(mapPath: folder("data/\(id).map")) {}
        }()
        let copy = try store(boot: "two").open(id, durable: true)
        #expect(await copy.check() == 100_000)
        // Looked at, it belongs to this run.
        try copy.put(Self.sound(Self.block..<Self.block + 5000), at: Int64(Self.block))
        try (copy as? CopyFile)?.flush()
        let map = try #require(CopyMap.read(folder("data/\(id).map")))
        #expect(map.boot == "two")
        try copy.reset()
        #expect(!copy.needsCheck)
    }

    @Test("a complete copy has sums all over and stays", arguments: [2 * block, 2 * block + 77, 77])
    func complete(size: Int) async throws {
        try leave(size, of: size)
        let copy = try store(boot: "two").open(id, durable: false)
        #expect(await copy.check() == 0)
        #expect(copy.isComplete)
    }

    @Test("of segments the whole ones before the damage stay, and their sound goes on there")
    func segments() async throws {
        let ends = [200_000, 400_000, 600_000, 700_000]
        try leave(700_000, segments: ends)
        // 700,000 bytes are two blocks with sums and a part of one: 524,288 bytes are sure.
        let copy = try store(boot: "two").open(id, durable: false)
        #expect(await copy.check() > 0)
        #expect(copy.segments == SegmentProgress(done: 2, bytes: 400_000, durations: [Double](repeating: 4, count: 9)))
        #expect(copy.received == 400_000)
        #expect(try copy.begin(kind: .hls, total: nil, validator: nil))
        for end in 2...3 {
            try copy.put(Self.sound(ends[end - 1]..<ends[end]), at: Int64(ends[end - 1]))
            try copy.segmentDone(
                SegmentProgress(
                    done: end + 1, bytes: Int64(ends[end]), durations: [Double](repeating: 4, count: 9)))
        }
        try copy.finish(total: 700_000)
        let isEqual = copy.bytes(at: 0, 700_000) == Self.sound(0..<700_000)
        #expect(copy.isComplete && isEqual)
        // A complete one that lost a page later keeps its segments too, and knows no size any more.
        try change { $0[550_000] ^= 1 }
        let again = try store(boot: "two").open(id, durable: false)
        withExtendedLifetime(copy) {}
        #expect(await again.check() > 0)
        #expect(again.segments?.done == 2 && again.size == nil)
    }

    @Test("the kernel says which run this is")
    func bootID() throws {
        #expect(try #require(BootID.current).count == 36)
    }

    @Test("a sidecar is replaced in one step: without room for a new one the old one is there")
    func sidecar() throws {
        guard let disk = SmallDisk(kilobytes: 128) else { return }
        let path = "\(disk.path)/1_2.map"
        var map = CopyMap()
        map.kind = .direct
        map.size = 1000
        try map.write(path)
        try? Disk.write("\(disk.path)/filler", [UInt8](repeating: 1, count: 1 << 20))
        map.size = 2000
        // Large enough to need a page.
        map.validator = Validator(etag: String(repeating: "x", count: 9000))
        #expect(throws: Failure.self) { try map.write(path) }
        #expect(CopyMap.read(path)?.size == 1000)
        #expect(Folder.names(in: disk.path).sorted() == ["1_2.map", "filler"])
    }
}

/// Whatever lies in the folder of growing copies, opening one neither waits nor fails (field-issues.md C14).
@Suite("Rubbish among growing copies", .timeLimit(.minutes(1)))
struct CopyRubbishTests {
    let folder = TemporaryFolder()
    let id = TrackID(owner: 1, audio: 2)
    var data: String { folder("cache/\(id).copy") }
    var map: String { folder("cache/\(id).map") }

    enum Rubbish: String, CaseIterable {
        case emptyFile, orphan, pipe, folder, link, brokenLink, noRights, mapPipe, mapFolder, mapNoRights, mapHuge
    }

    private func lay(_ rubbish: Rubbish) throws {
        try Folder.make(folder("cache"), mode: 0o700)
        switch rubbish {
        case .emptyFile: try Disk.write(data, [])
        case .orphan: try Disk.write(data, [UInt8](repeating: 7, count: 100_000))
        case .pipe: #expect(mkfifo(data, 0o600) == 0)
        case .folder: #expect(mkdir(data, 0o700) == 0)
        case .link:
            try Disk.write(folder("precious"), [1, 2, 3])
            #expect(symlink(folder("precious"), data) == 0)
        case .brokenLink: #expect(symlink(folder("nowhere"), data) == 0)
        case .noRights:
            try Disk.write(data, [1])
            #expect(chmod(data, 0) == 0)
        case .mapPipe:
            try Disk.write(data, [1])
            #expect(mkfifo(map, 0o600) == 0)
        case .mapFolder: #expect(mkdir(map, 0o700) == 0)
        case .mapNoRights:
            try Disk.write(map, Array("{}".utf8))
            #expect(chmod(map, 0) == 0)
        case .mapHuge: try Disk.write(map, [UInt8](repeating: 0x5B, count: 5 << 20))
        }
    }

    @Test("gives way to a new copy", arguments: Rubbish.allCases)
    func opens(rubbish: Rubbish) async throws {
        try lay(rubbish)
        let store = CopyFolder(cacheFolder: folder("cache"), durableFolder: folder("data"))
        #expect(store.complete(id) == nil)
        store.prune(to: .max, keeping: [])
        let copy = try store.open(id, durable: true)
        #expect(await copy.check() == 0)
        #expect(copy.received == 0 && copy.kind == nil)
        _ = try copy.begin(kind: .direct, total: 3, validator: nil)
        try copy.put([4, 5, 6], at: 0)
        #expect(copy.isComplete && copy.bytes(at: 0, 9) == [4, 5, 6])
        if rubbish == .link { #expect(Disk.bytes(folder("precious")) == [1, 2, 3]) }
    }

    @Test(
        "a sidecar whose numbers cannot be is none",
        arguments: [
            #""size":-5"#, #""tail":-1"#, #""tail":9223372036854775807"#, #""ranges":[0,9223372036854775807]"#,
            #""segments":{"done":-1,"bytes":10,"durations":[4]}"#, #""segments":{"done":9,"bytes":10,"durations":[4]}"#,
            #""segments":{"done":1,"bytes":-10,"durations":[4]}"#, #""ranges":[5,1]"#, #""version":2"#,
        ])
    func senseless(member: String) throws {
        try Folder.make(folder("cache"), mode: 0o700)
        try Disk.write(data, [UInt8](repeating: 7, count: 10))
        let known = [#""version":1"#, #""kind":"hls""#, #""tail":0"#, #""ranges":[0,10]"#]
        let name = member.prefix { $0 != ":" }
        let text = "{\((known.filter { !$0.hasPrefix(name) } + [member]).joined(separator: ","))}"
        try Disk.write(map, Array(text.utf8))
        #expect(CopyMap.read(map) == nil, "\(text)")
        let store = CopyFolder(cacheFolder: folder("cache"), durableFolder: folder("data"))
        #expect(try store.open(id, durable: false).received == 0)
    }
}
