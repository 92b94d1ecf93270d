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
