import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

/// Sounds made once by ffmpeg: three seconds of a tone at 128 kbit/s.
enum Sounds {
    static let folder = TemporaryFolder()

    /// Plain MP3 without any tag.
    static let mp3: [UInt8] = make("plain.mp3", ["-write_xing", "0", "-id3v2_version", "0"])
    /// The same with ID3v2 in cp1251 nonsense, ReplayGain, ID3v1.
    static let tagged: [UInt8] = make(
        "tagged.mp3",
        [
            "-write_id3v1", "1", "-metadata", "title=Êóêóøêà", "-metadata", "comment=junk", "-metadata",
            "REPLAYGAIN_TRACK_GAIN=-6.50 dB",
        ])
    static let jpeg: [UInt8] = picture("cover.jpg")
    static let png: [UInt8] = picture("cover.png")

    private static func make(_ name: String, _ options: [String]) -> [UInt8] {
        let input = ["-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:duration=3", "-b:a", "128k"]
        _ = Disk.output("ffmpeg", input + options + [folder(name)])
        return Disk.bytes(folder(name))
    }

    private static func picture(_ name: String) -> [UInt8] {
        let input = ["-v", "error", "-f", "lavfi", "-i", "color=c=red:s=64x64", "-frames:v", "1"]
        _ = Disk.output("ffmpeg", input + [folder(name)])
        return Disk.bytes(folder(name))
    }
}

@Suite("My Music")
struct MusicFolderTests {
    let folder = TemporaryFolder()
    let copies: CopyFolder
    let music: MusicFolder

    init() {
        copies = CopyFolder(cacheFolder: folder("cache"), durableFolder: folder("data"))
        music = MusicFolder(directory: folder("Music/Nyan Tunes"), copies: copies)
    }

    func fill(_ id: TrackID, _ bytes: [UInt8]) throws {
        let copy = try copies.open(id, durable: true)
        _ = try copy.begin(kind: .direct, total: Int64(bytes.count), validator: nil)
        try copy.put(bytes, at: 0)
    }

    func tags(_ id: TrackID, title: String = "Title", cover: String? = nil) -> FileTags {
        FileTags(title: title, artist: "Artist", album: nil, trackID: id, coverPath: cover)
    }

    @discardableResult
    func finish(_ id: TrackID, _ bytes: [UInt8]? = nil, as name: String = "Artist - Title.mp3") async throws
        -> FinishedCopy
    {
        try fill(id, bytes ?? Sounds.mp3)
        return try await music.finish(id, tags: tags(id), expectedLength: .seconds(3), fileName: name)
    }

    /// What an independent reader finds in a file's ID3 tag.
    func mutagen(_ path: String) -> [String] {
        let program = """
            import sys, mutagen.id3
            t = mutagen.id3.ID3(sys.argv[1])
            print(t.version[1])
            for k in ("TIT2", "TPE1", "TALB", "TXXX:NYAND_TRACK_ID"): print(t[k].text[0] if k in t else "-")
            print(" ".join(sorted(t.keys())))
            a = t.getall("APIC")
            print(a[0].mime, int(a[0].type), len(a[0].data)) if a else print("-")
            """
        let output = Disk.output("/usr/bin/python3", ["-c", program, path])
        return output.split(separator: "\n").map(String.init)
    }

    @Test("a finished file has its title, artist, album, id and cover, and the sound's bytes untouched")
    func tagsFile() async throws {
        let id = TrackID(owner: -2_001_550_144, audio: 92_550_144)
        try fill(id, Sounds.mp3)
        try Disk.write(folder("cover.png"), Sounds.png)
        var tags = FileTags(
            title: "Кукушка 🐦 «ё»", artist: "Кино & 日本語", album: "Чёрный альбом", trackID: id,
            coverPath: folder("cover.png"))
        tags.artist += " – e\u{301}"
        let copy = try await music.finish(
            id, tags: tags, expectedLength: .milliseconds(3900), fileName: "Кино – Кукушка.mp3")
        #expect(copy.path == folder("Music/Nyan Tunes/Кино – Кукушка.mp3"))
        let bytes = Disk.bytes(copy.path)
        #expect(copy.bytes == Int64(bytes.count))
        #expect(Array(bytes.suffix(Sounds.mp3.count)) == Sounds.mp3)
        let read = mutagen(copy.path)
        let expected = ["4", tags.title, tags.artist, "Чёрный альбом", "\(id)"]
        #expect(Array(read.prefix(5)) == expected)
        #expect(read.last == "image/png 3 \(Sounds.png.count)")
        #expect(Tags.read(copy.path)?.trackID == id)
        let probe = Disk.output("ffprobe", ["-v", "error", "-show_entries", "format_tags=title,artist", copy.path])
        #expect(probe.contains("TAG:title=\(tags.title)") && probe.contains("TAG:artist=\(tags.artist)"))
        #expect(Disk.output("ffmpeg", ["-v", "error", "-i", copy.path, "-f", "null", "-"]).isEmpty)
        #expect(Disk.mode(copy.path) == 0o644 && Disk.mode(folder("Music/Nyan Tunes")) == 0o755)
        #expect(Folder.names(in: folder("Music/Nyan Tunes")) == ["Кино – Кукушка.mp3"])
    }

    @Test("old tags at both ends go, ReplayGain stays, the frames are the same")
    func oldTags() async throws {
        let id = TrackID(owner: 1, audio: 1)
        let copy = try await finish(id, Sounds.tagged)
        let read = mutagen(copy.path)
        #expect(read[1] == "Title")
        #expect(read[5].contains("TXXX:REPLAYGAIN_TRACK_GAIN") && !read[5].contains("TSSE"))
        #expect(!Disk.bytes(copy.path).suffix(128).starts(with: "TAG".utf8))
        let md5 = ["-v", "error", "-map", "0:a", "-c", "copy", "-f", "md5", "-"]
        let before = Disk.output("ffmpeg", ["-i", Sounds.folder("tagged.mp3")] + md5)
        #expect(!before.isEmpty && Disk.output("ffmpeg", ["-i", copy.path] + md5) == before)
    }

    @Test("an APE tag behind the sound goes as well")
    func apeTag() async throws {
        var footer = Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, 32 + 20, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
        footer += [UInt8](repeating: 0, count: 8)
        let sound = Sounds.mp3 + [UInt8](repeating: 7, count: 20) + footer
        try fill(TrackID(owner: 1, audio: 1), sound)
        let file = try SoundFile(
            folder("data/1_1.copy"), id: TrackID(owner: 1, audio: 1), size: Int64(sound.count))
        #expect(try file.sound() == 0..<Int64(Sounds.mp3.count))
    }

    @Test("tracks of one name, also in other case, each get a file; the same track again replaces its own")
    func names() async throws {
        let ids = (1...4).map { TrackID(owner: 5, audio: $0) }
        let first = try await finish(ids[0], as: "Кино - Кукушка.mp3")
        let second = try await finish(ids[1], as: "Кино - Кукушка.mp3")
        let third = try await finish(ids[2], as: "кино - КУКУШКА.mp3")
        #expect(splitPath(second.path).name == "Кино - Кукушка [5_2].mp3")
        #expect(splitPath(third.path).name == "кино - КУКУШКА [5_3].mp3")
        #expect(!first.replaced && !second.replaced)
        let again = try await finish(ids[0], as: "кино - кукушка.mp3")
        #expect(again.path == first.path && again.replaced)
        #expect(try await finish(ids[1], as: "Кино - Кукушка.mp3").path == second.path)
        try Disk.write("\(music.directory)/Foreign.mp3", Array("somebody's".utf8))
        #expect(splitPath(try await finish(ids[3], as: "Foreign.mp3").path).name == "Foreign [5_4].mp3")
        #expect(Disk.bytes("\(music.directory)/Foreign.mp3") == Array("somebody's".utf8))
        #expect(Folder.names(in: music.directory).count == 5)
    }

    @Test("many tracks of one name finished at once all get their file")
    func atOnce() async throws {
        let ids = (1...20).map { TrackID(owner: 5, audio: $0) }
        for id in ids { try fill(id, Sounds.mp3) }
        try await withThrowingTaskGroup(of: FinishedCopy.self) { group in
            for id in ids {
                group.addTask { [music] in
                    let tags = FileTags(title: "\(id)", artist: "A", album: nil, trackID: id, coverPath: nil)
                    return try await music.finish(id, tags: tags, expectedLength: nil, fileName: "Same.mp3")
                }
            }
            for try await copy in group { #expect(Tags.read(copy.path)?.title == "\(copy.id)") }
        }
        #expect(Folder.names(in: music.directory).count == 20)
        #expect(try await music.scan().map(\.copy.id.audio).sorted() == ids.map(\.audio))
    }

    @Test("names of 255 bytes work, and so does their variant")
    func longNames() async throws {
        let name = String(repeating: "ы", count: 113) + ".mp3"
        try await finish(TrackID(owner: -2_001_550_144, audio: 1), as: name)
        let second = try await finish(TrackID(owner: -2_001_550_144, audio: 456_239_321), as: name)
        #expect(splitPath(second.path).name.hasSuffix(" [-2001550144_456239321].mp3"))
        #expect(splitPath(second.path).name.utf8.count <= 255)
    }

    @Test(
        "what is not the whole sound is refused, stays where it was and leaves nothing in the folder",
        arguments: ["html", "cut", "hole", "sample", "missing", "long"])
    func refuses(what: String) async throws {
        let id = TrackID(owner: 1, audio: 1)
        var bytes = Sounds.mp3
        var expected = Duration.seconds(3)
        switch what {
        case "html": bytes = Array("<html><body>please log in</body></html>".utf8)
        case "cut": bytes.removeLast(30_000)
        case "hole": for place in 20_000..<24_000 { bytes[place] = 0 }
        case "sample": expected = .seconds(180)
        case "long": expected = .milliseconds(500)
        default: break
        }
        if what == "cut" { expected = .seconds(6) }
        if what == "missing" {
            let copy = try copies.open(id, durable: true)
            _ = try copy.begin(kind: .direct, total: Int64(bytes.count), validator: nil)
            try copy.put(Array(bytes.dropLast(10)), at: 0)
        } else {
            try fill(id, bytes)
        }
        let length = expected
        let refused = await failure {
            _ = try await music.finish(id, tags: tags(id), expectedLength: length, fileName: "x.mp3")
        }
        #expect(refused?.code == .damagedSound && refused?.subject == id)
        #expect(Folder.names(in: folder("Music/Nyan Tunes")).isEmpty)
        #expect(Disk.exists(folder("data/1_1.copy")))
    }

    @Test("a full disk or a folder that cannot be is a failure in words, with nothing left behind")
    func noRoom() async throws {
        let id = TrackID(owner: 1, audio: 1)
        try Disk.write(folder("file"), [])
        music.use(folder("file/Music"))
        let blocked = await failure { try await finish(id) }
        #expect(blocked?.code == .fileAccess && blocked?.message.contains(folder("file")) == true)
        guard let disk = SmallDisk(kilobytes: 40) else { return }
        music.use("\(disk.path)/Music")
        #expect(await failure { try await finish(id) }?.code == .diskFull)
        #expect(Folder.names(in: "\(disk.path)/Music").isEmpty)
    }

    @Test("leftovers of a killed finish go with the next one of that track")
    func leftovers() async throws {
        try Folder.make(music.directory, mode: 0o755)
        try Disk.write("\(music.directory)/.nyand-1_1-abc.part", [1])
        try Disk.write("\(music.directory)/.nyand-2_2-abc.part", [1])
        try await finish(TrackID(owner: 1, audio: 1))
        #expect(Folder.names(in: music.directory).sorted() == [".nyand-2_2-abc.part", "Artist - Title.mp3"])
    }

    @Test("deletes a file, and one that is gone already is fine")
    func deletes() async throws {
        let copy = try await finish(TrackID(owner: 1, audio: 1))
        try await music.delete(copy)
        #expect(!Disk.exists(copy.path))
        try await music.delete(copy)
        let folderCopy = FinishedCopy(id: copy.id, path: music.directory, bytes: 0)
        #expect(await failure { try await music.delete(folderCopy) }?.code == .fileAccess)
    }

    @Test("a copy whose folder is away is not gone")
    func deletesAway() async throws {
        let copy = try await finish(TrackID(owner: 1, audio: 1))
        rename(folder("Music"), folder("Away"))
        let told = await failure { try await music.delete(copy) }
        #expect(told?.code == .fileAccess && told?.message.contains("is its disk mounted?") == true)
        #expect(Disk.exists(folder("Away/Nyan Tunes/Artist - Title.mp3")))
    }

    @Test("a file that took a copy's place is not deleted", arguments: ["other track", "no tag", "no sound"])
    func deletesOwnOnly(what: String) async throws {
        let copy = try await finish(TrackID(owner: 1, audio: 1))
        switch what {
        case "other track":
            let other = try await finish(TrackID(owner: 1, audio: 2), as: "Other.mp3")
            rename(other.path, copy.path)
        case "no tag": try Disk.write(copy.path, Sounds.mp3)
        default: try Disk.write(copy.path, Array("somebody's text".utf8))
        }
        let before = Disk.bytes(copy.path)
        let told = await failure { try await music.delete(copy) }
        #expect(told?.code == .conflict && told?.message.contains("left alone") == true)
        #expect(Disk.bytes(copy.path) == before)
    }

    @Test("a missing folder is not made anew while the library lists copies in it")
    func away() async throws {
        let library = try await LibraryDatabase.open(folder("library.db"))
        let music = MusicFolder(
            directory: folder("Music/Nyan Tunes"), copies: copies,
            isKnown: { folder async throws(Failure) in try await library.hasCopies(in: folder) })
        let (one, two) = (TrackID(owner: 1, audio: 1), TrackID(owner: 1, audio: 2))
        try fill(one, Sounds.mp3)
        try await library.addCopy(FinishedCopy(id: two, path: folder("Music/Nyan Tunes older/b.mp3"), bytes: 1))
        let copy = try await music.finish(one, tags: tags(one), expectedLength: nil, fileName: "a.mp3")
        try await library.addCopy(copy)
        rename(folder("Music"), folder("Away"))
        try fill(two, Sounds.mp3)
        let told = await failure {
            _ = try await music.finish(two, tags: tags(two), expectedLength: nil, fileName: "b.mp3")
        }
        #expect(told?.code == .fileAccess && told?.message.contains("is its disk mounted?") == true)
        #expect(!Disk.exists(folder("Music")))
        rename(folder("Away"), folder("Music"))
        let second = try await music.finish(two, tags: tags(two), expectedLength: nil, fileName: "b.mp3")
        #expect(Disk.exists(second.path))
    }

    @Test("a lost library knows the copies again by the files' tags")
    func rebuilds() async throws {
        let copy = try await finish(TrackID(owner: 1, audio: 1))
        try Disk.write("\(music.directory)/Foreign.mp3", Sounds.mp3)
        let library = try await LibraryDatabase.open(folder("library.db"))
        try await library.addCopies(try await music.scan())
        let listed = try await library.music(matching: nil)
        #expect(listed.map(\.track.title) == ["Title"] && listed.map(\.track.artist) == ["Artist"])
        #expect(try await library.copy(of: copy.id) == copy)
    }
}
