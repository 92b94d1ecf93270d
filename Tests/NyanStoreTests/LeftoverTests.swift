import Glibc
import NyanCore
import Testing

@testable import NyanStore

/// What a kill leaves half-written goes at the next start, and nothing else.
@Suite("Leftovers of a kill")
struct LeftoverTests {
    let folder = TemporaryFolder()

    @Test("hidden files of a finish go, except one that somebody writes now; files of others stay")
    func music() async throws {
        let directory = folder("Music")
        let music = MusicFolder(
            directory: directory, copies: CopyFolder(cacheFolder: folder("cache"), durableFolder: folder("data")),
            isKnown: { _ async throws(Failure) in false })
        // A folder that is not there yet is no trouble.
        await music.sweepLeftovers()
        try Folder.make(directory, mode: 0o755)
        for name in [".nyand-1_1-abc.part", ".nyand-2_2-abc.part", ".other.part", "a.mp3", ".nyand-3.mp3"] {
            try Disk.write("\(directory)/\(name)", [1])
        }
        let writer = try OpenFile("\(directory)/.nyand-2_2-abc.part", O_WRONLY)
        MusicFolder.hold(writer)
        await music.sweepLeftovers()
        #expect(Folder.names(in: directory).sorted() == [".nyand-2_2-abc.part", ".nyand-3.mp3", ".other.part", "a.mp3"])
        withExtendedLifetime(writer) {}
    }

    @Test("half-written sidecars of unfinished downloads go, those of this run stay")
    func copies() throws {
        let copies = CopyFolder(cacheFolder: folder("cache"), durableFolder: folder("data"))
        copies.sweepLeftovers(olderThan: .zero)
        try Folder.make(folder("data"), mode: 0o700)
        for name in [".1_1.map.x.tmp", ".2_2.map.y.tmp", "1_1.copy", "1_1.map"] {
            try Disk.write(folder("data/\(name)"), [1])
        }
        var times = [timespec(tv_sec: time(nil) - 20, tv_nsec: 0), timespec(tv_sec: time(nil) - 20, tv_nsec: 0)]
        utimensat(AT_FDCWD, folder("data/.1_1.map.x.tmp"), &times, 0)
        copies.sweepLeftovers(olderThan: .seconds(10))
        #expect(Folder.names(in: folder("data")).sorted() == [".2_2.map.y.tmp", "1_1.copy", "1_1.map"])
        copies.sweepLeftovers(olderThan: .seconds(-1))
        #expect(Folder.names(in: folder("data")).sorted() == ["1_1.copy", "1_1.map"])
    }
}
