import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

@Suite("A gap that is being filled")
struct GapTests {
    let folder = TemporaryFolder()
    let id = TrackID(owner: 1, audio: 2)

    private func copy(in folder: String) throws -> any CopySink {
        try CopyFolder(cacheFolder: folder, durableFolder: folder + "-kept").open(id, durable: false)
    }

    /// Puts this many bytes there.
    private func put(_ count: Int, at offset: Int64, into copy: any CopySink) throws {
        try [UInt8](repeating: 7, count: count).withUnsafeBytes { bytes in try copy.write(bytes, at: offset) }
    }

    // Within a second, and less than the sidecar otherwise waits for.
    @Test("keeps all but its last 256 KiB, or what came in 20 ms, when a kill comes")
    func killed() throws {
        let copy = try copy(in: folder("cache"))
        _ = try copy.begin(kind: .direct, total: 8_000_000, validator: Validator(etag: "\"a\""))
        try put(1000, at: 0, into: copy)
        try put(10_000, at: 6_000_000, into: copy)
        for start in stride(from: 1000, to: 3_001_000, by: 100_000) {
            // As a line that is not too fast.
            if start == 2_801_000 {
                let now = ContinuousClock.now
                while ContinuousClock.now - now < .milliseconds(25) {}
            }
            try put(100_000, at: Int64(start), into: copy)
        }
        // What a kill leaves is what lies there now.
        try FileManager.default.copyItem(atPath: folder("cache"), toPath: folder("left"))
        let left = try self.copy(in: folder("left"))
        #expect(left.available(from: 0) >= 3_001_000 - (256 << 10))
        #expect(left.available(from: 6_000_000) == 10_000)
        withExtendedLifetime(copy) {}
    }

    @Test("costs no more than a sidecar each 20 ms, however fast it is filled")
    func fast() throws {
        let copy = try copy(in: folder("cache"))
        _ = try copy.begin(kind: .direct, total: 80_000_000, validator: Validator(etag: "\"a\""))
        try put(1000, at: 0, into: copy)
        try put(10_000, at: 60_000_000, into: copy)
        let sidecar = try #require(Folder.names(in: folder("cache")).first { $0.hasSuffix(".map") })
        let began = ContinuousClock.now
        var (last, changes) = (UInt(0), 0)
        for number in 0..<27 {
            var facts = stat()
            try put(262_144, at: 1000 + Int64(number) * 262_144, into: copy)
            #expect(stat(folder("cache/\(sidecar)"), &facts) == 0)
            if UInt(facts.st_ino) != last { changes += 1 }
            last = UInt(facts.st_ino)
        }
        #expect(changes <= Int((ContinuousClock.now - began) / .milliseconds(20)) + 2, "\(changes)")
    }
}
