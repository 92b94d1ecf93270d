import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

@Suite("Files that are not taken in, and names that are taken")
struct ImportRefusalTests {
    let place: ImportPlace
    init() throws { place = try ImportPlace() }

    @Test(
        "What is damaged or no sound is refused with its reason",
        arguments: [
            ("empty.mp3", "empty"), ("text.mp3", "text"), ("noise.mp3", "no MP3"), ("cut.m4a", "cut off"),
            ("cut.wav", "cut off"), ("hole.mp3", "damaged"), ("short.mp3", "cut off"), ("pipe.mp3", "ordinary"),
            ("x.flac", "damaged"), ("x.wma", "kind"),
        ])
    func refused(_ name: String, _ reason: String) async throws {
        let path = place.theirs(name)
        switch name {
        case "empty.mp3": try Disk.write(path, [])
        case "text.mp3": try Disk.write(path, Array("<html>sorry</html>".utf8))
        case "noise.mp3": try Disk.write(path, [0xFF] + [UInt8](repeating: 7, count: 5000))
        case "x.wma": try Disk.write(path, [0x30, 0x26, 0xB2, 0x75] + [UInt8](repeating: 7, count: 5000))
        case "x.flac": try Disk.write(path, Array("fLaC".utf8) + [UInt8](repeating: 7, count: 5000))
        case "pipe.mp3": mkfifo(path, 0o600)
        case "hole.mp3":
            var bytes = Sounds.mp3
            bytes.replaceSubrange(9000..<12000, with: [UInt8](repeating: 0, count: 3000))
            try Disk.write(path, bytes)
        case "short.mp3": try Disk.write(path, Sounds.tagged.prefix(Sounds.tagged.count / 2))
        case "cut.wav":
            place.sound(name)
            try Disk.write(path, Disk.bytes(path).dropLast(3000))
        default:
            place.sound(name, ["-movflags", "+faststart"])
            try Disk.write(path, Disk.bytes(path).dropLast(3000))
        }
        let failure = await failure { _ = try await place.identify(name) }
        #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "it was taken")")
    }

    @Test("Two sounds of one name get a file each, a foreign file stays, and a half-done import goes on")
    func collisions() async throws {
        place.sound("a.mp3", ["-metadata", "title=T", "-metadata", "artist=A"])
        place.sound("b.mp3", seed: 550, ["-metadata", "title=t", "-metadata", "artist=a"])
        try FileManager.default.createDirectory(atPath: place.folder("My Music"), withIntermediateDirectories: true)
        try Disk.write(place.folder("My Music/A - T.mp3"), Array("mine".utf8))
        let (first, a) = try await place.take("a.mp3")
        let (second, b) = try await place.take("b.mp3")
        #expect(a.path == place.folder("My Music/A - T [\(first.track.id)].mp3"))
        #expect(b.path == place.folder("My Music/a - t [\(second.track.id)].mp3"))
        #expect(Disk.bytes(place.folder("My Music/A - T.mp3")) == Array("mine".utf8))
        // The library never heard of it: the same file is made again in its place.
        #expect(try await place.take("a.mp3").copy.path == a.path)
        #expect(Folder.names(in: place.folder("My Music")).count == 3)
    }

    @Test("A file in My Music itself stays as it is, is known by its sound, and may be deleted")
    func inPlace() async throws {
        try FileManager.default.createDirectory(atPath: place.folder("My Music/sub"), withIntermediateDirectories: true)
        let path = place.folder("My Music/sub/own.mp3")
        try Disk.write(path, Sounds.tagged)
        let candidates = try await place.candidates(place.folder("My Music"))
        #expect(candidates.map(\.isInPlace) == [true])
        let sound = try await place.music.identify(try #require(candidates.first))
        let copy = try await place.music.take(sound, fileName: "other.mp3")
        #expect(copy.path == path && Disk.bytes(path) == Sounds.tagged)
        let foreign = FinishedCopy(id: TrackID(owner: 0, audio: 5), path: path, bytes: copy.bytes)
        #expect(await failure { try await place.music.delete(foreign) }?.code == .conflict)
        try await place.music.delete(copy)
        #expect(!Disk.exists(path))
    }

    @Test("My Music behind a link is known as such, and its files are named as the library names them")
    func linked() async throws {
        try FileManager.default.createDirectory(atPath: place.folder("real"), withIntermediateDirectories: true)
        symlink(place.folder("real"), place.folder("My Music"))
        try Disk.write(place.folder("real/own.mp3"), Sounds.tagged)
        for path in [place.folder("real"), place.folder("My Music"), place.folder("My Music") + "/"] {
            let candidates = try await place.candidates(path)
            #expect(candidates.map(\.isInPlace) == [true])
            #expect(candidates.map(\.shown) == [place.folder("My Music/own.mp3")])
        }
    }

    @Test("A full disk is a failure in words, and nothing half is left")
    func full() async throws {
        guard let disk = SmallDisk(kilobytes: 16) else { return }
        let music = MusicFolder(
            directory: disk.path,
            copies: CopyFolder(cacheFolder: place.folder("cache"), durableFolder: place.folder("data")))
        try Disk.write(place.theirs("a.mp3"), Sounds.tagged)
        let sound = try await place.identify("a.mp3")
        let failure = await failure { _ = try await music.take(sound, fileName: "a.mp3") }
        #expect(failure?.code == .diskFull)
        #expect(Folder.names(in: disk.path).isEmpty)
    }
}
