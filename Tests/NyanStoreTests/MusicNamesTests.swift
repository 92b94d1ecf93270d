import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

/// Folders so large that their names are not read for each new file.
@Suite("Names in a large folder")
struct MusicNamesTests {
    let folder = TemporaryFolder()
    let names = MusicNames()

    init() throws {
        for number in 0..<500 { try Disk.write(folder("other \(number).mp3"), []) }
        // From now on the names are known.
        _ = try place(0, "first.mp3")
    }

    /// A file of track 1_`number` gets its name.
    func place(_ number: Int64, _ name: String) throws -> (path: String, replaced: Bool) {
        let id = TrackID(owner: 1, audio: number + 1)
        let temporary = MusicFolder.temporaryPath(id, in: folder.path)
        try Disk.write(temporary, Array("\(number)".utf8))
        return try names.place(temporary, as: name, id: id, in: folder.path)
    }

    @Test("A foreign file that came meanwhile is not overwritten")
    func foreign() throws {
        try Disk.write(folder("a.mp3"), Array("mine".utf8))
        #expect(try place(1, "a.mp3").path == folder("a [1_2].mp3"))
        #expect(Disk.bytes(folder("a.mp3")) == Array("mine".utf8))
    }

    @Test("This track's own file that came back meanwhile is replaced")
    func own() throws {
        let own = ImportPlaceFile.bytes
        try Disk.write(folder("b.mp3"), own.bytes)
        let temporary = MusicFolder.temporaryPath(own.id, in: folder.path)
        try Disk.write(temporary, [1])
        let placed = try names.place(temporary, as: "b.mp3", id: own.id, in: folder.path)
        #expect(placed.path == folder("b.mp3") && placed.replaced)
        #expect(Disk.bytes(folder("b.mp3")) == [1])
    }

    @Test("A name that became free meanwhile is given, spelt as it is wished for")
    func freed() throws {
        unlink(folder("other 7.mp3"))
        #expect(try place(1, "OTHER 7.mp3").path == folder("OTHER 7.mp3"))
        // A link that leads nowhere has its name all the same.
        unlink(folder("other 8.mp3"))
        symlink("/nonexistent", folder("other 8.mp3"))
        #expect(try place(2, "Other 8.mp3").path == folder("Other 8 [1_3].mp3"))
    }

    @Test("Names that were given count at once, in any case; nothing hidden is left")
    func given() throws {
        var paths: Set<String> = []
        for number in Int64(1)...40 { paths.insert(try place(number, number.isMultiple(of: 2) ? "Same.mp3" : "SAME.mp3").path) }
        #expect(Set(paths.map { $0.lowercased() }).count == 40)
        #expect(!Folder.names(in: folder.path).contains { $0.hasPrefix(".") })
    }
}

/// A tagged file of a track of VK, made once.
enum ImportPlaceFile {
    static let bytes: (id: TrackID, bytes: [UInt8]) = {
        let folder = TemporaryFolder()
        let id = TrackID(owner: 77, audio: 88)
        _ = Disk.output(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:duration=1", "-metadata", "NYAND_TRACK_ID=\(id)"]
                + [folder("x.mp3")])
        return (id, Disk.bytes(folder("x.mp3")))
    }()
}
