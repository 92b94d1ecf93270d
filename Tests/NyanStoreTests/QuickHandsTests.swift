import Glibc
import Testing

@testable import NyanCore
@testable import NyanStore

/// Somebody puts something else in a name's place between nyand's look at it and what it does there.
@Suite("Files that are swapped after a look at them")
struct QuickHandsTests {
    let folder = TemporaryFolder()
    let id = TrackID(owner: 1, audio: 2)

    @Test("A file that came into the place of a track's earlier one after the look is put back, and ours stays whole")
    func replacing() throws {
        try Disk.write(folder("song.mp3"), Array("somebody's".utf8))
        try Disk.write(folder(".new"), Array("ours".utf8))
        #expect(try !MusicNames.replace(folder("song.mp3"), with: folder(".new"), id: id))
        #expect(Disk.bytes(folder("song.mp3")) == Array("somebody's".utf8))
        #expect(Disk.bytes(folder(".new")) == Array("ours".utf8))
        unlink(folder("song.mp3"))
        #expect(try !MusicNames.replace(folder("song.mp3"), with: folder(".new"), id: id))
        #expect(symlink("/etc/passwd", folder("song.mp3")) == 0)
        #expect(try !MusicNames.replace(folder("song.mp3"), with: folder(".new"), id: id))
        #expect(Set(Folder.names(in: folder.path)) == ["song.mp3", ".new"])
    }

    @Test("A file that came into the place of the one to be deleted after the look stays, under its own name")
    func deleting() throws {
        let copy = FinishedCopy(id: id, path: folder("song.mp3"), bytes: 4)
        try Disk.write(copy.path, Array("ours".utf8))
        let before = FileMoment(copy.path)
        try Disk.write(folder("other"), Array("somebody's".utf8))
        #expect(rename(folder("other"), copy.path) == 0)
        #expect(throws: Failure.self) { try MusicFolder.remove(copy, asItWas: before) }
        #expect(Disk.bytes(copy.path) == Array("somebody's".utf8))
        try MusicFolder.remove(copy, asItWas: FileMoment(copy.path))
        #expect(Folder.names(in: folder.path).isEmpty)
    }

    @Test("What a kill left of a swap is shown where it is not the track's own, and is deleted where it is")
    func killed() throws {
        let hidden = ForeignFile.hiddenPath(for: folder("song.mp3"), id: id)
        try Disk.write(hidden, Array("somebody's".utf8))
        MusicFolder.sweep(folder.path)
        let names = Folder.names(in: folder.path)
        #expect(names.count == 1 && names.allSatisfy { $0.hasPrefix("\(id)-") && $0.hasSuffix(".mp3") }, "\(names)")
        #expect(names.first.map { Disk.bytes(folder($0)) } == Array("somebody's".utf8))
    }

    @Test("What cannot have its name again gets one like it, and one that was gone at the look is no matter")
    func othersInBetween() throws {
        let hidden = ForeignFile.hiddenPath(for: folder("song.mp3"), id: id)
        try Disk.write(hidden, Array("somebody's".utf8))
        try Disk.write(folder("song.mp3"), Array("another's".utf8))
        let place = ForeignFile.putBack(hidden, as: folder("song.mp3"), id: id)
        #expect(place == folder("song [\(id)].mp3") && Disk.bytes(place) == Array("somebody's".utf8))
        let copy = FinishedCopy(id: id, path: folder("song.mp3"), bytes: 4)
        try MusicFolder.remove(copy, asItWas: nil)
        #expect(Disk.bytes(copy.path) == Array("another's".utf8))
    }

    @Test("A growing file with a second name is not written into: that one keeps its bytes")
    func secondName() throws {
        let copies = CopyFolder(cacheFolder: folder("c"), durableFolder: folder("d"))
        try Folder.makePrivate(folder("d"))
        try Disk.write(folder("theirs"), Array("precious".utf8))
        #expect(link(folder("theirs"), folder("d/\(id).copy")) == 0)
        let copy = try copies.open(id, durable: true)
        _ = try copy.begin(kind: .direct, total: 4, validator: nil)
        try [UInt8]("ours".utf8).withUnsafeBytes { bytes in try copy.write(bytes, at: 0) }
        #expect(Disk.bytes(folder("theirs")) == Array("precious".utf8))
        #expect(Disk.bytes(folder("d/\(id).copy")) == Array("ours".utf8))
    }

    @Test("A growing file that a backup gave a second name goes on with all of its bytes, apart from that")
    func backedUp() throws {
        let copies = CopyFolder(cacheFolder: folder("c"), durableFolder: folder("d"))
        do {
            let copy = try copies.open(id, durable: true)
            _ = try copy.begin(kind: .direct, total: 3_000_000, validator: Validator(etag: "\"a\""))
            for offset in [Int64(0), 2_000_000] {
                try [UInt8](repeating: 7, count: 500_000).withUnsafeBytes { try copy.write($0, at: offset) }
            }
        }
        #expect(link(folder("d/\(id).copy"), folder("backup")) == 0)
        let copies2 = CopyFolder(cacheFolder: folder("c"), durableFolder: folder("d"))
        let copy = try copies2.open(id, durable: true)
        #expect(copy.received == 1_000_000)
        try [UInt8](repeating: 9, count: 500_000).withUnsafeBytes { try copy.write($0, at: 500_000) }
        #expect(!Disk.bytes(folder("backup")).contains(9))
        #expect(Disk.bytes(folder("d/\(id).copy"))[500_000] == 9)
    }

    @Test("A pipe in the place of the login, of a key or of the settings is told and holds nobody up")
    func pipes() async throws {
        for name in ["credentials", "keys", "nyand.conf"] { #expect(mkfifo(folder(name), 0o600) == 0) }
        let login = await failure { _ = try await CredentialFile(path: folder("credentials")).load() }
        let keys = await failure {
            _ = try await ScrobbleKeyFile(.file, path: folder("keys")).load()
        }
        for failure in [login, keys] {
            #expect(failure?.code == .fileAccess && failure?.message.contains("pipe") == true)
        }
        #expect(throws: SettingsError.self) { try SettingsFile.read(folder("nyand.conf"), mustExist: false) }
    }
}
