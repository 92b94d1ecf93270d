import FoundationEssentials
import Glibc
import NyanCore
import Synchronization
import Testing

@testable import NyanStore

@Suite("A growing copy")
struct CopyFileTests {
    let folder = TemporaryFolder()
    let id = TrackID(owner: -2_001_550_144, audio: 7)
    let tag = Validator(etag: "\"abc\"")
    var store: CopyFolder { CopyFolder(cacheFolder: folder("cache"), durableFolder: folder("data")) }

    /// Distinguishable bytes: the value depends on the offset.
    func sound(_ range: Range<Int64>) -> [UInt8] { range.map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }

    @Test("gives the bytes it has, says not yet for the others and the end behind the last")
    func reads() throws {
        let copy = try store.open(id, durable: false)
        #expect(copy.answer(at: 0) == .notYet)
        #expect(try copy.begin(kind: .direct, total: 100, validator: tag) == false)
        try copy.put(sound(0..<10), at: 0)
        try copy.put(sound(50..<60), at: 50)
        #expect(copy.bytes(at: 4, 100) == sound(4..<10))
        #expect(copy.bytes(at: 55, 2) == sound(55..<57))
        #expect(copy.answer(at: 10) == .notYet)
        #expect(copy.answer(at: 100) == .end)
        #expect(copy.answer(at: -1) == .failed)
        #expect(copy.available(from: 50) == 10)
        #expect(copy.received == 20)
        #expect(copy.missing(from: 52)?.lower == 60)
        #expect(!copy.isComplete)
        try copy.put(sound(10..<50), at: 10)
        try copy.put(sound(60..<100), at: 60)
        #expect(copy.isComplete)
        #expect(copy.missing(from: 0) == nil)
        #expect(Disk.bytes(folder("cache/\(id).copy")) == sound(0..<100))
    }

    @Test("is private: files 0600, folders 0700, whatever the umask")
    func modes() throws {
        let copy = try store.open(id, durable: true)
        _ = try copy.begin(kind: .direct, total: 10, validator: nil)
        try copy.put(sound(0..<10), at: 0)
        #expect(Disk.mode(folder("data")) == 0o700)
        #expect(Disk.mode(folder("data/\(id).copy")) == 0o600)
        #expect(Disk.mode(folder("data/\(id).map")) == 0o600)
        #expect(Folder.names(in: folder("data")).sorted() == ["\(id).copy", "\(id).map"])
    }

    @Test("goes on after a tidy end where it was")
    func resumes() throws {
        try {
            let copy = try store.open(id, durable: false)
            _ = try copy.begin(kind: .direct, total: 1000, validator: tag)
            try copy.put(sound(0..<100), at: 0)
            try copy.put(sound(500..<600), at: 500)
        }()
        let copy = try store.open(id, durable: false)
        #expect(copy.kind == .direct && copy.validator == tag && copy.size == 1000 && copy.received == 200)
        #expect(try copy.begin(kind: .direct, total: 1000, validator: tag))
        #expect(copy.bytes(at: 500, 200) == sound(500..<600))
        #expect(copy.answer(at: 100) == .notYet)
    }

    /// What a killed process leaves: the files as they are while the copy is still open.
    func afterKill(_ write: (any CopySink) throws -> Void) throws -> (copy: any CopySink, keep: TemporaryFolder) {
        let copy = try store.open(id, durable: false)
        try write(copy)
        let other = TemporaryFolder()
        try FileManager.default.copyItem(atPath: folder("cache"), toPath: other("cache"))
        withExtendedLifetime(copy) {}
        return (
            try CopyFolder(cacheFolder: other("cache"), durableFolder: other("data")).open(id, durable: false), other
        )
    }

    @Test("loses nothing that was written in order when the process is killed")
    func killed() throws {
        let (copy, keep) = try afterKill { copy in
            _ = try copy.begin(kind: .direct, total: 100_000, validator: tag)
            for step in Int64(0)..<50 { try copy.put(sound(step * 1000..<(step + 1) * 1000), at: step * 1000) }
        }
        #expect(copy.received == 50_000)
        #expect(copy.bytes(at: 0, 50_000) == sound(0..<50_000))
        withExtendedLifetime(keep) {}
    }

    @Test("does not take a hole for bytes when it is killed after a jump")
    func killedAfterJump() throws {
        let (copy, keep) = try afterKill { copy in
            _ = try copy.begin(kind: .direct, total: 1_000_000, validator: tag)
            try copy.put(sound(0..<1000), at: 0)
            try copy.put(sound(500_000..<510_000), at: 500_000)
            try copy.put(sound(510_000..<520_000), at: 510_000)
        }
        #expect(copy.available(from: 500_000) == 20_000)
        #expect(copy.available(from: 0) == 1000)
        #expect(copy.bytes(at: 505_000, 15_000) == sound(505_000..<520_000))
        withExtendedLifetime(keep) {}
    }

    @Test("believes the file, not its map, when bytes never reached the disk")
    func powerLoss() throws {
        try {
            let copy = try store.open(id, durable: false)
            _ = try copy.begin(kind: .direct, total: 100_000, validator: tag)
            try copy.put(sound(0..<100_000), at: 0)
        }()
        truncate(folder("cache/\(id).copy"), 40_960)
        truncate(folder("cache/\(id).copy"), 100_000)
        let copy = try store.open(id, durable: false)
        #expect(copy.received == 40_960)
        #expect(!copy.isComplete)
    }

    @Test(
        "starts over when the map is rubbish, missing or of another version", arguments: ["{", "", "{\"version\":99}"])
    func badMap(text: String) throws {
        try {
            let copy = try store.open(id, durable: false)
            _ = try copy.begin(kind: .direct, total: 100, validator: tag)
            try copy.put(sound(0..<50), at: 0)
        }()
        try Disk.write(folder("cache/\(id).map"), Array(text.utf8))
        let copy = try store.open(id, durable: false)
        #expect(copy.received == 0 && copy.kind == nil)
        #expect(Disk.bytes(folder("cache/\(id).copy")).isEmpty)
    }

    @Test(
        "keeps earlier bytes only when they are surely the same sound",
        arguments: [
            (Int64(100), "\"abc\"", nil, true), (100, "\"new\"", nil, false), (99, "\"abc\"", nil, false),
            (nil, "\"abc\"", nil, true), (100, nil, nil, false), (100, nil, "Mon", false),
        ] as [(Int64?, String?, String?, Bool)])
    func validators(total: Int64?, etag: String?, modified: String?, kept: Bool) throws {
        let copy = try store.open(id, durable: false)
        _ = try copy.begin(kind: .direct, total: 100, validator: tag)
        try copy.put(sound(0..<50), at: 0)
        let again = try copy.begin(
            kind: .direct, total: total, validator: Validator(etag: etag, lastModified: modified))
        #expect(again == kept)
        #expect(copy.received == (kept ? 50 : 0))
    }

    @Test("with no word from the server keeps nothing, whatever the length")
    func noValidator() throws {
        let copy = try store.open(id, durable: false)
        _ = try copy.begin(kind: .direct, total: 100, validator: nil)
        try copy.put(sound(0..<50), at: 0)
        #expect(try copy.begin(kind: .direct, total: 100, validator: nil) == false)
        #expect(copy.received == 0)
    }

    @Test("remembers whole segments and forgets a half one when it is opened again")
    func segments() throws {
        let progress = SegmentProgress(done: 2, bytes: 300, durations: [2, 4, 20])
        let (copy, keep) = try afterKill { copy in
            _ = try copy.begin(kind: .hls, total: nil, validator: nil)
            try copy.put(sound(0..<300), at: 0)
            try copy.segmentDone(progress)
            try copy.put(sound(300..<350), at: 300)
        }
        #expect(copy.segments == progress && copy.received == 300 && copy.size == nil)
        #expect(try copy.begin(kind: .hls, total: nil, validator: nil))
        try copy.put(sound(300..<400), at: 300)
        try copy.finish(total: 400)
        #expect(copy.isComplete && copy.bytes(at: 0, 500) == sound(0..<400))
        withExtendedLifetime(keep) {}
    }

    @Test("refuses more bytes than announced, an empty sound and a wrong end")
    func refuses() async throws {
        let copy = try store.open(id, durable: false)
        #expect(await failure { _ = try copy.begin(kind: .direct, total: 0, validator: nil) }?.code == .damagedSound)
        _ = try copy.begin(kind: .direct, total: 10, validator: nil)
        #expect(await failure { try copy.put(sound(0..<11), at: 0) }?.code == .damagedSound)
        #expect(await failure { try copy.finish(total: 0) }?.code == .damagedSound)
        try copy.put(sound(0..<9), at: 0)
        #expect(await failure { try copy.finish(total: 9) }?.code == .damagedSound)
        try copy.finish(total: 10)
        #expect(!copy.isComplete)
    }

    @Test("learns its size at the end when the server never said it")
    func unknownSize() throws {
        let copy = try store.open(id, durable: false)
        _ = try copy.begin(kind: .direct, total: nil, validator: tag)
        try copy.put(sound(0..<10), at: 0)
        #expect(copy.answer(at: 10) == .notYet)
        try copy.finish(total: 10)
        #expect(copy.isComplete && copy.answer(at: 10) == .end)
    }

    @Test("tells its observers of growth and once of completion, until the observation is dropped")
    func observers() throws {
        let copy = try store.open(id, durable: false)
        let seen = Box<[CopyChange]>([])
        var observation: Observation? = copy.observe { change in seen.change { $0.append(change) } }
        _ = try copy.begin(kind: .direct, total: 20, validator: nil)
        try copy.put(sound(0..<10), at: 0)
        try copy.put(sound(10..<20), at: 10)
        try copy.finish(total: 20)
        #expect(seen.value == [.grew, .grew, .completed])
        withExtendedLifetime(observation) {}
        observation = nil
        try copy.reset()
        #expect(seen.value.count == 3)
    }

    @Test("reports a full disk in words, keeps what it has and can go on when there is room")
    func diskFull() async throws {
        guard let disk = SmallDisk(kilobytes: 256) else { return }
        try Disk.write("\(disk.path)/filler", [UInt8](repeating: 1, count: 100 << 10))
        let store = CopyFolder(cacheFolder: "\(disk.path)/cache", durableFolder: "\(disk.path)/data")
        let copy = try store.open(id, durable: false)
        let seen = Box<[CopyChange]>([])
        let observation = copy.observe { change in seen.change { $0.append(change) } }
        _ = try copy.begin(kind: .direct, total: 200 << 10, validator: tag)
        let bytes = sound(0..<(200 << 10))
        var offset = 0
        let full = await failure {
            while offset < bytes.count {
                try copy.put(Array(bytes[offset..<min(offset + 30_000, bytes.count)]), at: Int64(offset))
                offset += 30_000
            }
        }
        #expect(full?.code == .diskFull && full?.retry == .later)
        #expect(full?.message.contains("\(disk.path)/cache") == true)
        #expect(seen.value.last == full.map { .broke($0) })
        let kept = Int(copy.received)
        #expect(kept > 0 && copy.bytes(at: 0, kept) == Array(bytes[..<kept]))
        unlink("\(disk.path)/filler")
        try copy.put(Array(bytes[kept...]), at: Int64(kept))
        #expect(copy.isComplete && copy.bytes(at: 0, bytes.count) == bytes)
        withExtendedLifetime(observation) {}
    }

    @Test("never shows a reader a wrong byte while a writer writes, jumps and starts over")
    func threads() async throws {
        let copy = try store.open(id, durable: false)
        let total: Int64 = 400_000
        _ = try copy.begin(kind: .direct, total: total, validator: tag)
        let wrong = Box(0)
        let isDone = Box(false)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<6 {
                    for start in stride(from: round % 2 == 0 ? 0 : total / 2, to: total, by: 5000) {
                        try? copy.put(sound(start..<start + 5000), at: start)
                    }
                    if round < 5 { try? copy.reset() }
                    _ = try? copy.begin(kind: .direct, total: total, validator: tag)
                }
                for start in stride(from: 0, to: total, by: 5000) {
                    try? copy.put(sound(start..<start + 5000), at: start)
                }
                isDone.change { $0 = true }
            }
            for reader in 0..<3 {
                group.addTask {
                    var offset = Int64(reader) * 1000
                    var isLast = false
                    while !isLast {
                        isLast = isDone.value
                        if let bytes = copy.bytes(at: offset, 3000),
                            bytes != sound(offset..<offset + Int64(bytes.count))
                        {
                            wrong.change { $0 += 1 }
                        }
                        offset = (offset + 7919) % total
                    }
                }
            }
        }
        #expect(wrong.value == 0)
        #expect(copy.isComplete && copy.bytes(at: 0, Int(total)) == sound(0..<total))
    }
}

/// A value several threads change.
final class Box<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>
    init(_ value: Value) { mutex = Mutex(value) }
    var value: Value { mutex.withLock { $0 } }
    func change(_ body: (inout Value) -> Void) { mutex.withLock { value in body(&value) } }
}
