import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

/// A folder of somebody's files, and My Music beside it.
struct ImportPlace {
    let folder = TemporaryFolder()
    let music: MusicFolder

    init() throws {
        music = MusicFolder(
            directory: folder("My Music"),
            copies: CopyFolder(cacheFolder: folder("cache"), durableFolder: folder("data")))
        try FileManager.default.createDirectory(atPath: folder("theirs"), withIntermediateDirectories: true)
    }

    func theirs(_ name: String) -> String { folder("theirs/" + name) }

    /// Makes a second of sound with ffmpeg; `seed` makes it another one.
    @discardableResult
    func sound(_ name: String, seed: Int = 440, _ options: [String] = []) -> String {
        let input = ["-v", "error", "-y", "-f", "lavfi", "-i", "sine=frequency=\(seed):duration=1"]
        _ = Disk.output("ffmpeg", input + options + [theirs(name)])
        return theirs(name)
    }

    func candidates(_ path: String? = nil) async throws -> [ImportCandidate] {
        try await music.candidates(in: path ?? folder("theirs"))
    }

    func identify(_ name: String) async throws -> ImportedSound {
        try await music.identify(ImportCandidate(path: Array(theirs(name).utf8)))
    }

    @discardableResult
    func take(_ name: String) async throws -> (sound: ImportedSound, copy: FinishedCopy) {
        let sound = try await identify(name)
        let fileName = FileName.make(
            template: "{artist} - {title}", track: sound.track, fileExtension: sound.fileExtension)
        return (sound, try await music.take(sound, fileName: fileName))
    }

    /// What mutagen makes of a file: `{"title": …}` as lines `key=value`, sorted.
    func mutagen(_ path: String) -> [String] {
        let program = """
            import sys, mutagen
            f = mutagen.File(sys.argv[1])
            t = f.tags
            print("version=%s" % (t.version[1] if hasattr(t, "version") else "-"))
            for k in sorted(t.keys()):
                v = t[k]
                if k.startswith("APIC"): v = "%s %d" % (v.mime, len(v.data))
                if k.startswith("----"): v = v[0].decode()
                if isinstance(v, list): v = v[0]
                print("%s=%s" % (k, v))
            """
        return Disk.output("/usr/bin/python3", ["-c", program, path]).split(separator: "\n").map(String.init)
    }

    /// ffprobe's words for a tag of the file or its stream.
    func ffprobe(_ path: String, _ tag: String) -> String {
        Disk.output(
            "ffprobe",
            ["-v", "error", "-show_entries", "format_tags=\(tag):stream_tags=\(tag)", "-of", "default=nw=1:nk=1", path]
        ).split(separator: "\n").first.map(String.init) ?? ""
    }
}

@Suite("Taking files into My Music")
struct ImportTests {
    let place: ImportPlace
    init() throws { place = try ImportPlace() }

    @Test("Folders are walked to the bottom; hidden files, other programs' temporary ones and pictures are left out")
    func walk() async throws {
        let files = FileManager.default
        try files.createDirectory(atPath: place.theirs("b/c"), withIntermediateDirectories: true)
        try files.createDirectory(atPath: place.theirs(".hidden"), withIntermediateDirectories: true)
        for name in [
            "a.mp3", "b/B.FLAC", "b/c/c.ogg", "b/c/d.opus", ".x.mp3", ".hidden/y.mp3", "z.mp3.part", "cover.jpg",
            "list.m3u",
            "e.m4a.crdownload", "mp3", ".mp3", "f.wma",
        ] { try Disk.write(place.theirs(name), [1]) }
        // Two loops, and a link to a file.
        symlink("..", place.theirs("b/up"))
        symlink(place.theirs("b"), place.theirs("b/c/again"))
        symlink(place.theirs("a.mp3"), place.theirs("link.mp3"))
        symlink("/nonexistent", place.theirs("dead.mp3"))
        let found = try await place.candidates().map { String($0.shown.dropFirst(place.theirs("").utf8.count)) }
        #expect(found == ["a.mp3", "b/B.FLAC", "b/c/c.ogg", "b/c/d.opus", "f.wma", "link.mp3"])
        #expect(try await place.candidates(place.theirs("a.mp3")).count == 1)
    }

    @Test("A folder that is not there, or not to be read, is an error in words")
    func noFolder() async throws {
        let missing = await failure { _ = try await place.candidates(place.theirs("nothing")) }
        #expect(missing?.code == .notFound && missing?.message.contains("nothing") == true)
        #expect(await failure { _ = try await place.candidates("relative") }?.code == .badArgument)
    }

    @Test(
        "Each kind is copied whole, with its names and an id that its tag tells again",
        arguments: ["a.mp3", "a.flac", "a.ogg", "a.opus", "a.m4a", "a.wav", "a.aac"])
    func kinds(_ name: String) async throws {
        let tags = ["-metadata", "title=Группа крови", "-metadata", "artist=Кино", "-metadata", "album=Ещё"]
        let codec = name.hasSuffix("ogg") ? ["-c:a", "libvorbis"] : name.hasSuffix("aac") ? ["-write_id3v2", "1"] : []
        let ending = name.hasSuffix("aac") ? ".m4a" : String(name.dropFirst(1))
        let path = place.sound(name, codec + tags)
        let before = Disk.bytes(path)
        let (sound, copy) = try await place.take(name)
        #expect(!before.isEmpty && Disk.bytes(path) == before)
        #expect(sound.track.title == "Группа крови" && sound.track.artist == "Кино" && sound.track.album == "Ещё")
        #expect(sound.track.duration == 1 && !sound.track.id.isVKs && sound.track.id.audio > 0)
        #expect(copy.path == place.folder("My Music/Кино - Группа крови") + ending)
        #expect(copy.bytes == Int64(Disk.bytes(copy.path).count))
        #expect(Tags.trackID(of: copy.path) == sound.track.id)
        #expect(place.ffprobe(copy.path, "title") == "Группа крови")
        #expect(Disk.mode(copy.path) == 0o644)
        // The sound itself is what it was.
        func samples(_ path: String) -> String {
            Disk.output("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-f", "md5", "-"])
        }
        #expect(!samples(path).isEmpty && samples(copy.path) == samples(path))
        // Taken again it is the same track; and so is the copy.
        #expect(try await place.identify(name).track.id == sound.track.id)
        let again = try await place.music.identify(ImportCandidate(path: Array(copy.path.utf8)))
        #expect(again.track.id == sound.track.id)
        #expect(try await place.music.scan().map(\.copy.id) == [sound.track.id])
        #expect(try await place.music.scan().first?.track.duration == 1)
        try await place.music.delete(copy)
        #expect(!Disk.exists(copy.path))
    }

    @Test("Tags may change, and an MP3 is the same track; another sound is another one")
    func identity() async throws {
        place.sound("a.mp3", ["-metadata", "title=One"])
        _ = Disk.output(
            "ffmpeg",
            ["-v", "error", "-i", place.theirs("a.mp3"), "-c", "copy", "-map_metadata", "-1", "-write_xing", "0"]
                + ["-metadata", "title=Two", "-write_id3v1", "1", place.theirs("b.mp3")])
        place.sound("c.mp3", seed: 880)
        let (a, c) = (try await place.identify("a.mp3").track.id, try await place.identify("c.mp3").track.id)
        #expect(a != c)
        let program = """
            import sys, mutagen.id3 as i
            t = i.ID3(sys.argv[1]); t.add(i.TIT2(encoding=3, text=["Three"])); t.save(v1=2)
            """
        _ = Disk.output("/usr/bin/python3", ["-c", program, place.theirs("a.mp3")])
        let changed = try await place.identify("a.mp3")
        #expect(changed.track.id == a && changed.track.title == "Three")
    }

    @Test("A file that says which track of VK it is becomes that track's copy, with its cover and gain")
    func vkFile() async throws {
        let id = TrackID(owner: 123_456, audio: 456_239_017)
        try Disk.write(place.folder("cover.jpg"), Sounds.jpeg)
        let other = MusicFolder(
            directory: place.folder("theirs"),
            copies: CopyFolder(cacheFolder: place.folder("c2"), durableFolder: place.folder("d2")))
        let copies = CopyFolder(cacheFolder: place.folder("c3"), durableFolder: place.folder("d3"))
        let made = MusicFolder(directory: place.folder("theirs"), copies: copies)
        let growing = try copies.open(id, durable: true)
        _ = try growing.begin(kind: .direct, total: Int64(Sounds.tagged.count), validator: nil)
        try growing.put(Sounds.tagged, at: 0)
        let tags = FileTags(
            title: "T", artist: "A", album: nil, trackID: id, coverPath: place.folder("cover.jpg"))
        _ = try await made.finish(id, tags: tags, expectedLength: nil, fileName: "x.mp3")
        #expect(try await other.scan().map(\.copy.id) == [id])
        let (sound, copy) = try await place.take("x.mp3")
        #expect(sound.track.id == id)
        let read = place.mutagen(copy.path)
        #expect(read.contains("version=4") && read.contains("TXXX:NYAND_TRACK_ID=\(id)"))
        #expect(read.contains("TXXX:REPLAYGAIN_TRACK_GAIN=-6.50 dB"))
        #expect(read.contains { $0.hasPrefix("APIC") && $0.hasSuffix("image/jpeg \(Sounds.jpeg.count)") })
    }
}

@Suite("Old tags of files that are taken in")
struct ImportTagTests {
    let place: ImportPlace
    init() throws { place = try ImportPlace() }

    /// Frames as an old tagger wrote them: Latin-1 by their mark, windows-1251 by their bytes; and ID3v1 alone.
    @Test("windows-1251 in ID3v2 and ID3v1 is read right, and the copy has it in UTF-8", arguments: ["v2", "v1"])
    func windows1251(_ kind: String) async throws {
        place.sound("a.mp3", ["-write_id3v1", "0", "-id3v2_version", "0"])
        let program = """
            import sys, mutagen.id3 as i
            def b(s): return s.encode("cp1251").decode("latin1")
            p, kind = sys.argv[1:]
            if kind == "v2":
                t = i.ID3()
                t.add(i.TIT2(encoding=0, text=[b("Группа крови")]))
                t.add(i.TPE1(encoding=0, text=[b("Кино")]))
                t.add(i.TALB(encoding=0, text=[b("Я")]))
                t.add(i.TCON(encoding=0, text=[b("Рок")]))
                t.add(i.TDRC(encoding=0, text=["1988"]))
                t.add(i.COMM(encoding=0, lang="rus", desc="", text=[b("Привет")]))
                t.add(i.USLT(encoding=0, lang="rus", desc="", text=b("Тёплое место")))
                t.save(p, v1=0, v2_version=3)
            else:
                def f(s): return s.encode("cp1251").ljust(30, bytes(1))
                tag = b"TAG" + f("Группа крови") + f("Кино") + f("Я") + b"1988" + f("Привет") + bytes([17])
                open(p, "ab").write(tag)
            """
        _ = Disk.output("/usr/bin/python3", ["-c", program, place.theirs("a.mp3"), kind])
        let before = Disk.bytes(place.theirs("a.mp3"))
        let (sound, copy) = try await place.take("a.mp3")
        #expect(sound.track.title == "Группа крови" && sound.track.artist == "Кино" && sound.track.album == "Я")
        #expect(Disk.bytes(place.theirs("a.mp3")) == before)
        // `play FILE` shows it so, too.
        #expect(Tags.describe(place.theirs("a.mp3")).title == "Группа крови")
        let read = place.mutagen(copy.path)
        for line in ["version=4", "TIT2=Группа крови", "TPE1=Кино", "TALB=Я", "TDRC=1988"] {
            #expect(read.contains(line), "\(line) in \(read)")
        }
        #expect(read.contains { $0.hasPrefix("COMM") && $0.hasSuffix("=Привет") }, "\(read)")
        if kind == "v2" {
            #expect(read.contains("TCON=Рок") && read.contains("USLT::rus=Тёплое место"), "\(read)")
        } else {
            #expect(read.contains("TCON=Rock"), "\(read)")
        }
        #expect(place.ffprobe(copy.path, "title") == "Группа крови")
        // No second tag in another encoding stays behind the sound.
        #expect(!Disk.bytes(copy.path).suffix(128).starts(with: "TAG".utf8))
    }

    @Test("Western names and emoji stay as they are", arguments: ["Motörhead", "Sigur Rós", "Ñandú 🙂", "Кино"])
    func western(_ name: String) async throws {
        place.sound("a.mp3", ["-metadata", "title=\(name)", "-metadata", "artist=\(name)"])
        let (sound, copy) = try await place.take("a.mp3")
        #expect(sound.track.artist == name)
        #expect(place.mutagen(copy.path).contains("TPE1=\(name)"))
    }

    @Test("Decomposed letters are composed in the copy's tags")
    func composed() async throws {
        place.sound("a.mp3", ["-metadata", "title=\u{438}\u{306}од", "-metadata", "artist=A"])
        let (sound, copy) = try await place.take("a.mp3")
        #expect(Array(sound.track.title.unicodeScalars) == Array("йод".unicodeScalars))
        #expect(place.mutagen(copy.path).contains { Array($0.unicodeScalars) == Array("TIT2=йод".unicodeScalars) })
    }

    @Test("Without tags the file's name tells, also a name in windows-1251")
    func untagged() async throws {
        place.sound("Кино - Мама.mp3", ["-id3v2_version", "0"])
        let sound = try await place.identify("Кино - Мама.mp3")
        #expect(sound.track.artist == "Кино" && sound.track.title == "Мама")
        var old = Array(place.theirs("").utf8)
        // «Сон» in windows-1251.
        old += [0xD1, 0xEE, 0xED] + Array(".mp3".utf8)
        #expect(rename(place.theirs("Кино - Мама.mp3"), old.cPath) == 0)
        let candidates = try await place.candidates()
        #expect(candidates.map(\.path) == [old])
        let read = try await place.music.identify(try #require(candidates.first))
        #expect(read.track.title == "Сон")
        let copy = try await place.music.take(read, fileName: "x.mp3")
        #expect(Tags.trackID(of: copy.path) == read.track.id)
    }

    @Test("mp3gain's values behind the sound become text frames")
    func apeGain() async throws {
        place.sound("a.mp3")
        let program = """
            import sys, mutagen.apev2 as a
            t = a.APEv2(); t["REPLAYGAIN_TRACK_GAIN"] = "-3.25 dB"; t["Title"] = "Ape"; t.save(sys.argv[1])
            """
        _ = Disk.output("/usr/bin/python3", ["-c", program, place.theirs("a.mp3")])
        let (sound, copy) = try await place.take("a.mp3")
        #expect(sound.track.title == "Ape")
        #expect(place.mutagen(copy.path).contains("TXXX:REPLAYGAIN_TRACK_GAIN=-3.25 dB"))
    }
}
