import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

@Suite("The folders of growing copies")
struct CopyFolderTests {
    let folder = TemporaryFolder()
    let id = TrackID(owner: 1, audio: 2)
    func store() -> CopyFolder { CopyFolder(cacheFolder: folder("cache"), durableFolder: folder("data")) }

    func fill(_ store: CopyFolder, _ id: TrackID, bytes: Int, durable: Bool = false) throws {
        let copy = try store.open(id, durable: durable)
        _ = try copy.begin(kind: .direct, total: Int64(bytes), validator: nil)
        try copy.put([UInt8](repeating: 1, count: bytes), at: 0)
    }

    @Test("moves an open copy to the durable place; its reader and writer go on")
    func makesDurable() throws {
        let store = store()
        let copy = try store.open(id, durable: false)
        _ = try copy.begin(kind: .direct, total: 20, validator: nil)
        try copy.put([UInt8](1...10), at: 0)
        try store.makeDurable(id)
        #expect(Folder.names(in: folder("cache")).isEmpty)
        try copy.put([UInt8](11...20), at: 10)
        #expect(copy.bytes(at: 0, 20) == [UInt8](1...20))
        #expect(Folder.names(in: folder("data")).sorted() == ["1_2.copy", "1_2.map"])
        #expect(store.complete(id)?.path == folder("data/1_2.copy"))
        #expect(store.complete(id)?.size == 20)
        #expect(store.durableIDs() == [id])
    }

    @Test("opens a copy for a download out of the cache, with what was streamed")
    func opensDurable() throws {
        try fill(store(), id, bytes: 100)
        let copy = try store().open(id, durable: true)
        #expect(copy.isComplete)
        #expect(Disk.exists(folder("data/1_2.copy")) && !Disk.exists(folder("cache/1_2.copy")))
        // A stream of it later uses the durable one.
        #expect(try store().open(id, durable: false).isComplete)
    }

    @Test("keeps a download in the cache when the durable folder is on another disk, and never prunes it")
    func otherDisk() throws {
        guard let disk = SmallDisk(kilobytes: 256) else { return }
        let store = CopyFolder(cacheFolder: folder("cache"), durableFolder: "\(disk.path)/data")
        try fill(store, id, bytes: 5000)
        try store.makeDurable(id)
        #expect(store.complete(id)?.path == folder("cache/1_2.copy"))
        store.prune(to: 0, keeping: [])
        #expect(store.complete(id) != nil)
        #expect(store.durableIDs() == [id])
        try store.discard(id)
        #expect(Folder.names(in: folder("cache")).isEmpty)
    }

    @Test("discards every file; a reader goes on reading and leaves nothing behind")
    func discards() throws {
        let store = store()
        var copy: (any CopySink)? = try store.open(id, durable: false)
        _ = try copy?.begin(kind: .direct, total: 20, validator: nil)
        try copy?.put([UInt8](1...10), at: 0)
        try store.discard(id)
        #expect(copy?.bytes(at: 0, 10) == [UInt8](1...10))
        try copy?.put([UInt8](11...20), at: 10)
        copy = nil
        #expect(Folder.names(in: folder("cache")).isEmpty)
        try store.discard(id)
        #expect(try store.open(id, durable: false).received == 0)
    }

    @Test("hands out the same object while a copy is open")
    func sameObject() throws {
        let store = store()
        let first = try store.open(id, durable: false)
        #expect(try store.open(id, durable: false) === first)
    }

    @Test("prunes the least recently used first and never what is in use")
    func prunes() throws {
        let store = store()
        let ids = (1...5).map { TrackID(owner: 1, audio: $0) }
        for (age, id) in ids.enumerated() {
            try fill(store, id, bytes: 8192)
            var times = [timespec(tv_sec: 1000 + age, tv_nsec: 0), timespec(tv_sec: 1000 + age, tv_nsec: 0)]
            utimensat(AT_FDCWD, folder("cache/\(id).copy"), &times, 0)
        }
        let held = try store.open(ids[1], durable: false)
        store.prune(to: 3 * 8192, keeping: [ids[0]])
        let left = ids.filter { Disk.exists(folder("cache/\($0).copy")) }
        #expect(left == [ids[0], ids[1], ids[4]])
        #expect(ids.filter { Disk.exists(folder("cache/\($0).map")) } == left)
        withExtendedLifetime(held) {}
    }

    @Test("copes with an empty file, an orphaned map and a file larger than the sound")
    func junk() throws {
        try Folder.make(folder("cache"), mode: 0o700)
        try Disk.write(folder("cache/1_2.copy"), [])
        try Disk.write(folder("cache/9_9.map"), Array("{}".utf8))
        let store = store()
        #expect(try store.open(id, durable: false).received == 0)
        store.prune(to: .max, keeping: [])
        #expect(!Disk.exists(folder("cache/9_9.map")))
        try fill(store, TrackID(owner: 3, audio: 3), bytes: 100)
        try Disk.write(folder("cache/3_3.copy"), Disk.bytes(folder("cache/3_3.copy")) + [1, 2, 3])
        let copy = try store.open(TrackID(owner: 3, audio: 3), durable: false)
        #expect(copy.isComplete && copy.received == 100)
    }

    @Test("opens a finished file for reading; a missing one is a failure that names the folder")
    func finished() async throws {
        try Disk.write(folder("song.mp3"), [UInt8](0..<100))
        let file = try store().openFile(folder("song.mp3"))
        #expect(file.size == 100 && file.isComplete && file.bytes(at: 90, 50) == [UInt8](90..<100))
        #expect(file.answer(at: 100) == .end)
        let missing = await failure { _ = try store().openFile(folder("none.mp3")) }
        #expect(missing?.code == .fileAccess)
        #expect(missing?.message == "cannot open \"none.mp3\" in \(folder.path): No such file or directory")
    }
}
