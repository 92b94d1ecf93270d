import FoundationEssentials
import Testing

@testable import NyanStore

@Suite("The table of disks", .serialized)
struct MountTableTests {
    /// kB of memory this process may write to and has written to.
    private func held() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
        return line.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0
    }

    @Test("names the places of disks, also after an empty one was asked ten thousand times, which costs nothing")
    func empty() throws {
        let folder = TemporaryFolder()
        try Disk.write(folder("fstab"), [])
        let place = folder("Music")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let mounts = MountPlaces(table: folder("fstab"))
        #expect(!mounts.isAway(place))
        let before = held()
        for _ in 0..<10_000 where mounts.isAway(place) { Issue.record("it is away") }
        #expect(held() - before < 20_000)
        try Disk.write(folder("fstab"), Array("/dev/sdb1 \(place) ext4 defaults 0 2\n".utf8))
        #expect(mounts.isAway(place))
    }
}
