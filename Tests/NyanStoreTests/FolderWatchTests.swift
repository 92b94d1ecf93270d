import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

/// The music folder as the kernel tells of it, and as a look sees it.
@Suite("Watching My Music", .serialized, .timeLimit(.minutes(1)))
@MainActor struct FolderWatchTests {
    let folder = TemporaryFolder()
    let music: MusicFolder
    let watch: FolderWatch
    private let heard = Heard()

    @MainActor final class Heard { var count = 0 }

    init() throws {
        music = MusicFolder(
            directory: folder("Music"),
            copies: CopyFolder(cacheFolder: folder("cache"), durableFolder: folder("data")))
        watch = try #require(FolderWatch())
        watch.onChange = { [heard] in heard.count += 1 }
    }

    private func listen() async throws -> Bool {
        let sight = try await music.look()
        return await watch.listen(to: sight.folder, sight.subfolders)
    }

    /// Whether a change was heard of since the last call; waits for one that is to come.
    private func hears(_ act: () throws -> Void) async rethrows -> Bool {
        let before = heard.count
        try act()
        let end = ContinuousClock.now + .seconds(30)
        while heard.count == before, ContinuousClock.now < end {
            await Task.detached {}.value
            await Task.yield()
        }
        return heard.count > before
    }

    @Test("A look sees sounds at any depth, and no hidden, foreign or linked things")
    func look() async throws {
        #expect(try await music.look().identity == nil)
        for name in ["Music/a/b", "Music/.hidden", "elsewhere"] {
            try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
        }
        for name in [
            "Music/2.mp3", "Music/a/1.MP3", "Music/a/b/3.m4a", "Music/.x.mp3", "Music/.hidden/4.mp3", "Music/c.jpg",
            "elsewhere/5.mp3",
        ] {
            try Disk.write(folder(name), [1, 2, 3])
        }
        symlink(folder("elsewhere"), folder("Music/link"))
        symlink(folder("nowhere.mp3"), folder("Music/broken.mp3"))
        symlink(folder("elsewhere/5.mp3"), folder("Music/linked.mp3"))
        let sight = try await music.look()
        let names = sight.files.map { $0.path.dropFirst(folder("Music/").count) }
        #expect(names == ["2.mp3", "a/1.MP3", "a/b/3.m4a", "linked.mp3"])
        #expect(sight.subfolders.sorted() == [folder("Music/a"), folder("Music/a/b")])
        #expect(sight.files.allSatisfy { $0.bytes == 3 && $0.modified > 1_600_000_000_000_000_000 && $0.id == nil })
    }

    @Test("A folder that cannot be listed is told, and never an empty one; one that may not be is left as it was")
    func troubled() throws {
        for name in ["Music/a/b", "Music/c"] {
            try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
        }
        for name in ["Music/1.mp3", "Music/a/b/2.mp3", "Music/c/3.mp3"] { try Disk.write(folder(name), [1]) }
        func look(_ number: Int32, at place: String) throws(LookError) -> FolderSight {
            try MusicFolder.look(at: folder("Music")) { (path) throws(LookError) in
                if path == folder(place) { throw LookError(number, path) }
                return try Folder.listing(path)
            }
        }
        for place in ["Music", "Music/a/b"] {
            for number in [EIO, EMFILE, ENOMEM] {
                #expect(throws: LookError(number, folder(place))) { try look(number, at: place) }
            }
        }
        #expect(throws: LookError.self) { try look(EACCES, at: "Music") }
        let closed = try look(EACCES, at: "Music/a/b")
        #expect(closed.unread == [folder("Music/a/b")])
        #expect(closed.files.map(\.path) == [folder("Music/1.mp3"), folder("Music/c/3.mp3")])
        #expect(try look(ENOENT, at: "Music/a/b").unread.isEmpty, "it went meanwhile")
        #expect(throws: LookError(ENOTDIR, folder("Music/1.mp3"))) { try Folder.listing(folder("Music/1.mp3")) }
    }

    @Test("Copies in other folders are missing or there; missing among others they are gone")
    func absence() async throws {
        for name in ["full", "empty"] { mkdir(folder(name), 0o755) }
        try Disk.write(folder("full/here.mp3"), [1])
        let paths = ["full/here.mp3", "full/gone.mp3", "empty/away.mp3", "nowhere/away.mp3"]
        let copies = paths.enumerated().map { place, name in
            FinishedCopy(id: track(Int64(place)).id, path: folder(name), bytes: 1)
        }
        let absent = await music.absent(of: copies)
        #expect(absent.missing == Set(copies[1...].map(\.id)) && absent.gone == [copies[1].id])
    }

    @Test(
        "Renames, deletions, edits and subfolders are heard of; the folder may go and come, and so may those above it")
    func changes() async throws {
        try FileManager.default.createDirectory(atPath: folder("Music/a"), withIntermediateDirectories: true)
        try Disk.write(folder("Music/1.mp3"), [1])
        #expect(try await listen() == true)
        #expect(try await listen() == false, "nothing new")
        #expect(await hears { rename(folder("Music/1.mp3"), folder("Music/a/1.mp3")) })
        #expect(try await hears { try Disk.write(folder("Music/a/1.mp3"), [1, 2]) })
        #expect(await hears { unlink(folder("Music/a/1.mp3")) })
        #expect(watch.takeDeleted() == [folder("Music/a/1.mp3")])
        #expect(watch.takeDeleted().isEmpty)
        #expect(await hears { mkdir(folder("Music/new"), 0o755) })
        #expect(try await listen() == true)
        #expect(try await hears { try Disk.write(folder("Music/new/2.mp3"), [1]) })
        #expect(await hears { rename(folder("Music"), folder("gone")) })
        _ = try await listen()
        #expect(await hears { rename(folder("gone"), folder("Music")) })
        #expect(try await listen() == true)
        #expect(try await hears { try FileManager.default.removeItem(atPath: folder("Music")) })
        _ = try await listen()
        #expect(await hears { mkdir(folder("Music"), 0o755) })
        #expect(try await listen() == true)
        #expect(try await hears { try Disk.write(folder("Music/3.mp3"), [1]) })
    }

    @Test("What others rename from hidden names is heard of")
    func fromHidden() async throws {
        try FileManager.default.createDirectory(atPath: folder("Music"), withIntermediateDirectories: true)
        _ = try await listen()
        try Disk.write(folder("Music/.a.mp3.Xy12Z"), [1])
        #expect(await hears { rename(folder("Music/.a.mp3.Xy12Z"), folder("Music/a.mp3")) })
    }

    @Test("What nyand does itself, hidden files and pictures are not told")
    func silence() async throws {
        try FileManager.default.createDirectory(atPath: folder("Music"), withIntermediateDirectories: true)
        try Disk.write(folder("Music/there.mp3"), Sounds.tagged)
        _ = try await listen()
        // Its reading is not a change.
        #expect(Tags.read(folder("Music/there.mp3")) != nil)
        #expect(Tags.describe(folder("Music/there.mp3")).seconds > 0)
        try Disk.write(folder("Music/.nyand-1_2-x.part"), [1])
        rename(folder("Music/.nyand-1_2-x.part"), folder("Music/Artist - Title.mp3"))
        try Disk.write(folder("Music/cover.jpg"), [1])
        try Disk.write(folder("Music/.hidden.mp3"), [1])
        // Another watch hears of a later change: what was to be heard before has been.
        let witness = try #require(FolderWatch())
        let later = Heard()
        witness.onChange = { later.count += 1 }
        try FileManager.default.createDirectory(atPath: folder("Other"), withIntermediateDirectories: true)
        _ = await witness.listen(to: folder("Other"), [])
        try Disk.write(folder("Other/1.mp3"), [1])
        while later.count == 0 { await Task.detached {}.value }
        for _ in 0..<200 { await Task.detached {}.value }
        #expect(heard.count == 0)
        #expect(try await hears { try Disk.write(folder("Music/foreign.mp3"), [1]) })
    }
}
