import CSQLite
import Glibc
import NyanCore
import Testing

@testable import NyanStore

/// What the system says of a disk becomes a code the download queue can act on and words a person can.
@Suite("Trouble with a disk, in words")
struct DiskTroubleTests {
    @Test(
        "each error has its code, names the folder and says what to do",
        arguments: [
            (ENOSPC, Failure.Code.diskFull, "make some"), (EDQUOT, .diskFull, "your share"),
            (EFBIG, .diskFull, "ulimit"),
            (EROFS, .fileAccess, "mount it for writing"), (EACCES, .fileAccess, "allow yourself"),
            (EPERM, .fileAccess, "allow yourself"), (EIO, .fileAccess, "trouble"), (ESTALE, .fileAccess, "its disk"),
            (ENOENT, .fileAccess, "No such file"), (ENOTDIR, .fileAccess, "Not a directory"),
            (EMFILE, .fileAccess, "Too many open files"),
        ])
    func words(number: Int32, code: Failure.Code, word: String) {
        let failure = Failure.file(number, "write", "/music/.nyand-1_2-x.part")
        #expect(failure.code == code)
        #expect(failure.message.contains("/music"))
        #expect(failure.message.contains(word), "\(failure.message)")
        #expect(failure.retry == (code == .diskFull ? .later : .never))
        // A temporary name says nothing to anybody who makes room.
        if code == .diskFull { #expect(!failure.message.contains(".part")) }
    }

    @Test(
        "of a database too",
        arguments: [
            (SQLITE_FULL, Int32(0), Failure.Code.diskFull, "make some"), (SQLITE_FULL, EDQUOT, .diskFull, "your share"),
            (SQLITE_FULL, EFBIG, .diskFull, "ulimit"), (SQLITE_IOERR, EIO, .fileAccess, "trouble"),
            (SQLITE_READONLY, 0, .fileAccess, "cannot use"), (SQLITE_CANTOPEN, 0, .fileAccess, "cannot use"),
        ])
    func database(code: Int32, number: Int32, failure: Failure.Code, word: String) {
        let error = DatabaseError(code: code, message: "said", systemError: number).failure(at: "/state/playback.db")
        #expect(error.code == failure && error.message.contains("/state") && error.message.contains("playback.db"))
        #expect(error.message.contains(word), "\(error.message)")
    }

    @Test("a growing copy whose folder goes away, or cannot be, is a failure that names it")
    func folders() async throws {
        let folder = TemporaryFolder()
        try Disk.write(folder("file"), [1])
        let store = CopyFolder(cacheFolder: folder("file/cache"), durableFolder: folder("data"))
        let refused = await failure { _ = try store.open(TrackID(owner: 1, audio: 1), durable: false) }
        #expect(refused?.code == .fileAccess && refused?.message.contains(folder("file")) == true)
        let copy = try store.open(TrackID(owner: 1, audio: 2), durable: true)
        _ = try copy.begin(kind: .direct, total: 10, validator: nil)
        _ = Disk.output("rm", ["-r", folder("data")])
        // Bytes go on into the file without a name; what cannot be written down is told, nothing hangs or crashes.
        let gone = await failure { try copy.put([UInt8](repeating: 1, count: 10), at: 0) }
        #expect(gone?.code == .fileAccess && gone?.message.contains(folder("data")) == true)
    }

    @Test("a disk that was remounted for reading refuses in words")
    func readOnly() async throws {
        guard let disk = SmallDisk(kilobytes: 512) else { return }
        let store = CopyFolder(cacheFolder: "\(disk.path)/cache", durableFolder: "\(disk.path)/data")
        do {
            let copy = try store.open(TrackID(owner: 1, audio: 2), durable: true)
            _ = try copy.begin(kind: .direct, total: 10, validator: nil)
        }
        _ = Disk.output("/bin/mount", ["-o", "remount,ro", disk.path])
        let refused = await failure { _ = try store.open(TrackID(owner: 1, audio: 2), durable: true) }
        #expect(refused?.code == .fileAccess && refused?.message.contains("mount it for writing") == true)
        _ = Disk.output("/bin/mount", ["-o", "remount,rw", disk.path])
        #expect(try store.open(TrackID(owner: 1, audio: 2), durable: true).size == 10)
    }
}
