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
        #expect(
            Folder.names(in: directory).sorted() == [".nyand-2_2-abc.part", ".nyand-3.mp3", ".other.part", "a.mp3"])
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

/// A finish that was killed after its file had got its name.
@Suite("Files an earlier run finished")
struct FinishedFileTests {
    let folder = TemporaryFolder()

    @Test("the file is found under its name and under the name it had to take; another track's is not taken for it")
    func finds() async throws {
        let copies = CopyFolder(cacheFolder: folder("cache"), durableFolder: folder("data"))
        let music = MusicFolder(
            directory: folder("Music"), copies: copies, isKnown: { _ async throws(Failure) in false })
        #expect(await music.finishedFile(TrackID(owner: 1, audio: 1), name: "a.mp3") == nil)
        for audio in [1, 2] as [Int64] {
            let id = TrackID(owner: 1, audio: audio)
            let sink = try copies.openCopy(id, durable: true)
            _ = try sink.begin(kind: .direct, total: Int64(Sounds.mp3.count), validator: nil)
            try sink.put(Sounds.mp3, at: 0)
            try sink.finish(total: Int64(Sounds.mp3.count))
            let tags = FileTags(title: "T", artist: "A", album: nil, trackID: id, coverPath: nil)
            let made = try await music.finish(id, tags: tags, expectedLength: nil, fileName: "a.mp3")
            #expect(
                await music.finishedFile(id, name: "a.mp3") == FinishedCopy(id: id, path: made.path, bytes: made.bytes))
        }
        #expect(await music.finishedFile(TrackID(owner: 1, audio: 3), name: "a.mp3") == nil)
    }
}
