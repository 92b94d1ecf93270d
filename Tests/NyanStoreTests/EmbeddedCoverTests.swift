import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

/// Pictures inside files that others tagged, made by ffmpeg and mutagen.
@Suite("Embedded covers", .serialized)
struct EmbeddedCoverTests {
    let folder = TemporaryFolder()
    var covers: CoverFolder { CoverFolder(folder("covers")) }

    /// Puts pictures into a file: `type:picture` each, in this order, by mutagen.
    private static let tagger = """
        import sys, base64, mutagen
        from mutagen import id3, flac, mp4
        path, pictures = sys.argv[1], [a.split(":", 1) for a in sys.argv[2:]]
        f = mutagen.File(path)
        for type, place in pictures:
            data = open(place, "rb").read()
            mime = "image/png" if data[:4] == b"\\x89PNG" else "image/jpeg"
            if isinstance(f, mp4.MP4):
                kind = mp4.MP4Cover.FORMAT_PNG if mime == "image/png" else mp4.MP4Cover.FORMAT_JPEG
                f.tags["covr"] = (f.tags.get("covr") or []) + [mp4.MP4Cover(data, kind)]
                continue
            if path.endswith(("mp3", "wav")):
                if f.tags is None: f.add_tags()
                f.tags.add(id3.APIC(encoding=3, mime=mime, type=int(type), desc=type + place, data=data))
                continue
            p = flac.Picture()
            p.type, p.mime, p.data = int(type), mime, data
            if isinstance(f, flac.FLAC): f.add_picture(p)
            else: f["metadata_block_picture"] = (f.get("metadata_block_picture") or []) + [base64.b64encode(p.write()).decode()]
        f.save()
        """

    private func picture(_ name: String, _ color: String) -> String {
        _ = Disk.output(
            "ffmpeg",
            ["-v", "error", "-y", "-f", "lavfi", "-i", "color=\(color):s=64x64", "-frames:v", "1", folder(name)])
        return folder(name)
    }

    private func sound(_ name: String) -> String {
        _ = Disk.output(
            "ffmpeg", ["-v", "error", "-y", "-f", "lavfi", "-i", "sine=duration=1", "-ar", "48000", folder(name)])
        return folder(name)
    }

    private func tag(_ path: String, _ pictures: [String]) {
        _ = Disk.output("/usr/bin/python3", ["-c", Self.tagger, path] + pictures)
    }

    @Test(
        "the front cover is found in every kind of file, whatever comes before it; without one the first",
        arguments: ["a.mp3", "a.flac", "a.m4a", "a.ogg", "a.opus", "a.wav"])
    func kinds(_ name: String) async throws {
        let path = sound(name)
        let before = Disk.bytes(path)
        #expect(await covers.embedded(in: path, beside: false) == nil)
        #expect(Disk.bytes(path) == before)
        let (back, front) = (picture("back.png", "red"), picture("front.jpg", "blue"))
        // MP4 knows no types: its first is the cover.
        tag(path, name.hasSuffix("m4a") ? ["3:\(front)", "4:\(back)"] : ["4:\(back)", "3:\(front)"])
        let found = try #require(await covers.embedded(in: path, beside: false))
        #expect(found.hasSuffix(".jpg") && Disk.bytes(found) == Disk.bytes(front))
        let other = sound("other-" + name)
        tag(other, ["4:\(back)"])
        let second = try #require(await covers.embedded(in: other, beside: false))
        #expect(Disk.bytes(second) == Disk.bytes(back) && second != found)
        #expect(await covers.embedded(in: path, beside: false) == found)
    }

    @Test("a front cover that breaks off hides no picture that is whole", arguments: ["a.mp3", "a.flac", "a.m4a"])
    func behind(_ name: String) async throws {
        let path = sound(name)
        let back = picture("back.jpg", "red")
        try Disk.write(folder("broken.jpg"), Disk.bytes(back).dropLast(40))
        tag(path, ["3:\(folder("broken.jpg"))", "4:\(back)"])
        #expect(await covers.embedded(in: path, beside: false).map(Disk.bytes) == Disk.bytes(back))
    }

    @Test("a picture that is none, or damaged, is none; the folder's own counts where it may")
    func beside() async throws {
        let path = sound("a.mp3")
        let front = picture("front.jpg", "blue")
        try Disk.write(folder("broken.jpg"), Disk.bytes(front).dropLast(40))
        try Disk.write(folder("text.jpg"), Array("<html>no</html>".utf8))
        tag(path, ["3:\(folder("text.jpg"))", "0:\(folder("broken.jpg"))"])
        // That name is taken by a pipe, which nobody is to wait at.
        mkfifo(folder("cover.jpg"), 0o600)
        #expect(await covers.embedded(in: path, beside: false) == nil)
        #expect(await covers.embedded(in: path, beside: true).map(Disk.bytes) == Disk.bytes(front))
    }

    @Test("what is no sound at all has none", arguments: ["nowhere.mp3", "text.mp3", "pipe.mp3"])
    func noSound(_ name: String) async throws {
        try Disk.write(folder("text.mp3"), Array("hello".utf8))
        mkfifo(folder("pipe.mp3"), 0o600)
        #expect(await covers.embedded(in: folder(name), beside: false) == nil)
        #expect(await covers.embedded(in: folder.path, beside: false) == nil)
    }
}

/// The cache of covers, with links by address, within its bounds.
@Suite("The cache of covers")
struct CoverCacheTests {
    let folder = TemporaryFolder()

    /// A whole PNG of so many pixels a side, each number another one.
    static func png(_ number: Int, side: Int = 1) -> [UInt8] {
        func word(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }
        let header = word(13) + Array("IHDR".utf8) + word(side) + word(side) + [8, 2, 0, 0, 0] + word(0)
        let text = word(4) + Array("tEXt".utf8) + word(number) + word(0)
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + header + text + word(0) + Array("IEND".utf8) + word(0)
    }

    @Test("knows by its address what it has, however many addresses one picture has, and shows none of them")
    func addresses() async throws {
        let covers = CoverFolder(folder("covers"))
        let address = "https://media.test/a.jpg?sign=topsecret"
        #expect(await covers.picture(from: address) == nil)
        let first = try await covers.store(Self.png(1), from: address)
        let second = try await covers.store(Self.png(1), from: "https://media.test/b.jpg")
        #expect(first == second && Disk.mode(first) == 0o644 && Disk.mode(folder("covers")) == 0o700)
        let again = CoverFolder(folder("covers"))
        #expect(await again.picture(from: address) == first)
        #expect(!Folder.names(in: folder("covers")).contains { $0.contains("secret") || $0.contains("media") })
        let other = try await covers.store(Self.png(2), from: address)
        #expect(other != first)
        #expect(await again.picture(from: address) == other)
        unlink(other)
        #expect(await again.picture(from: address) == nil)
    }

    @Test("writes a picture anew that a power cut left empty")
    func cut() async throws {
        let covers = CoverFolder(folder("covers"))
        let path = try await covers.store(Self.png(1))
        try Disk.write(path, [])
        #expect(try await covers.store(Self.png(1)) == path)
        #expect(Disk.bytes(path) == Self.png(1))
    }

    @Test(
        "removes what was not used for longest, never what is in use, with the links to it and old half-written files")
    func shrinks() async throws {
        let covers = CoverFolder(folder("covers"), bounds: CoverFolder.Bounds(pictures: 3))
        var paths: [String] = []
        for number in 0..<6 {
            paths.append(try await covers.store(Self.png(number), from: "https://media.test/\(number)"))
            age(paths[number], by: 1000 - number * 100)
        }
        await covers.use(paths[1])
        let (old, young) = (folder("covers/.old.tmp"), folder("covers/.young.tmp"))
        for path in [old, young] { try Disk.write(path, [1]) }
        age(old, by: 3600)
        #expect(await covers.shrink(keeping: [paths[0]]))
        for (number, path) in paths.enumerated() {
            #expect(Disk.exists(path) == [0, 1, 5].contains(number))
            #expect(covers.isThere(path) == [0, 1, 5].contains(number))
        }
        #expect(await covers.picture(from: "https://media.test/5") == paths[5])
        #expect(Folder.names(in: folder("covers")).filter { $0.hasSuffix(".url") }.count == 3)
        #expect(!Disk.exists(old) && Disk.exists(young))
    }

    @Test("keeps to its bytes as well; a folder that is not there is empty, one that is no folder is not touched")
    func bytes() async throws {
        let size = Self.png(1).count
        let covers = CoverFolder(folder("covers"), bounds: CoverFolder.Bounds(bytes: Int64(size * 2)))
        #expect(await covers.shrink(keeping: []))
        for number in 0..<4 {
            age(try await covers.store(Self.png(number)), by: 100 - number)
        }
        #expect(await covers.shrink(keeping: []))
        #expect(covers.pictures()?.count == 2)
        await covers.prune(keeping: [])
        #expect(await covers.shrink(keeping: []))
        #expect(covers.pictures()?.isEmpty == true)
    }

    private func age(_ path: String, by seconds: Int) {
        var times = [timespec(), timespec()]
        for index in times.indices { times[index].tv_sec = time(nil) - seconds }
        utimensat(AT_FDCWD, path, times, 0)
    }

    @Test("Pictures are looked at: what breaks off, or would fill the memory, is refused")
    func judges() {
        let whole = Self.png(1)
        #expect(Picture.complaint(whole) == nil && Picture.complaint(Sounds.jpeg) == nil)
        #expect(Picture.complaint(Self.png(1, side: 8193)) == "the cover has too many pixels")
        #expect(Picture.complaint(Self.png(1, side: 0)) == "the cover is damaged")
        // No length of the beginning is a whole picture, nor a crash.
        for count in 0..<whole.count - 4 { #expect(Picture.complaint(Array(whole[..<count])) != nil) }
        for count in 0..<Sounds.jpeg.count - 1 { #expect(Picture.complaint(Array(Sounds.jpeg[..<count])) != nil) }
        #expect(Picture.complaint(Sounds.jpeg + [0, 0, 0]) == nil)
    }
}

/// What the library remembers of covers.
@Suite("Covers in the library")
struct LibraryCoverTests {
    @Test("are forgotten when the cache has them no more, and only those")
    func forgets() async throws {
        let folder = TemporaryFolder()
        let library = try await LibraryDatabase.open(folder("library.db"))
        let ids = (1...3).map { TrackID(owner: 7, audio: $0) }
        try await library.remember(ids.map { Track(id: $0, artist: "A", title: "T") })
        for (number, id) in ids.enumerated() { try await library.setCover("/c/\(number)'\".jpg", of: id) }
        try await library.forgetCovers { !["/c/1'\".jpg", "/c/9.jpg"].contains($0) }
        #expect(try await library.tracks(ids).map(\.coverPath) == [nil, "/c/1'\".jpg", nil])
        try await library.forgetCovers { _ in true }
        #expect(try await library.tracks(ids).allSatisfy { $0.coverPath == nil })
    }
}
