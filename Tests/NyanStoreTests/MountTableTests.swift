import FoundationEssentials
import Testing

@testable import NyanStore

@Suite("The table of disks", .serialized)
struct MountTableTests {
    @Test("names the places of disks, also after an empty one was asked ten thousand times, which costs nothing")
    func empty() throws {
        let folder = TemporaryFolder()
        try Disk.write(folder("fstab"), [])
        let place = folder("Music")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let mounts = MountPlaces(table: folder("fstab"))
        #expect(!mounts.isAway(place))
        let before = OwnMemory.written()
        for _ in 0..<10_000 where mounts.isAway(place) { Issue.record("it is away") }
        #expect(OwnMemory.written() - before < 20_000)
        try Disk.write(folder("fstab"), Array("/dev/sdb1 \(place) ext4 defaults 0 2\n".utf8))
        #expect(mounts.isAway(place))
    }
}
