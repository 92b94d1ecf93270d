import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

@Suite("Tags of finished files")
struct FinishedTagTests {
    let place: ImportPlace
    let copies: CopyFolder
    let music: MusicFolder

    init() throws {
        place = try ImportPlace()
        copies = CopyFolder(cacheFolder: place.folder("c"), durableFolder: place.folder("d"))
        music = MusicFolder(directory: place.folder("music"), copies: copies)
    }

    func finish(_ tags: FileTags, _ bytes: [UInt8] = Sounds.mp3) async throws -> FinishedCopy {
        let copy = try copies.open(tags.trackID, durable: true)
        _ = try copy.begin(kind: .direct, total: Int64(bytes.count), validator: nil)
        try copy.put(bytes, at: 0)
        return try await music.finish(tags.trackID, tags: tags, expectedLength: nil, fileName: "x.mp3")
    }

    static let id = TrackID(owner: -2_001_550_144, audio: 92_550_144)

    /// Every frame as a reader of ID3 by others has it.
    func frames(_ path: String) -> String {
        let program = """
            import sys, mutagen.id3
            t = mutagen.id3.ID3(sys.argv[1])
            print(t.version)
            for k in sorted(t.keys()):
                f = t[k]
                if k.startswith("SYLT"): print("SYLT", f.lang, f.format, f.type, f.text)
                elif k.startswith("USLT"): print("USLT", f.lang, int(f.encoding), repr(f.text))
                elif hasattr(f, "text"): print(k, int(f.encoding), "|".join(str(x) for x in f.text))
            """
        return Disk.output("/usr/bin/python3", ["-c", program, path])
    }

    @Test("Words are there as one text with their language; timed ones line by line, too")
    func lyrics() async throws {
        let lines = [
            Lyrics.Line(begin: 500, text: "Тёплое место,"), .init(begin: 2_250, text: ""),
            .init(begin: 3000, text: "но 🙂"),
        ]
        let tags = FileTags(
            title: "T", artist: "A", album: nil, trackID: Self.id, coverPath: nil, lyrics: Lyrics(lines: lines))
        let read = frames(try await finish(tags).path)
        #expect(read.contains("USLT rus 3 'Тёплое место,\\n\\nно 🙂'"), "\(read)")
        #expect(read.contains("SYLT rus 2 1 [('Тёплое место,', 500), ('', 2250), ('но 🙂', 3000)]"), "\(read)")
        let plain = FileTags(
            title: "T", artist: "A", album: nil, trackID: Self.id, coverPath: nil,
            lyrics: Lyrics(lines: [.init(text: "one"), .init(text: "two")]))
        let other = frames(try await finish(plain).path)
        #expect(other.contains("USLT XXX 3 'one\\ntwo'") && !other.contains("SYLT"), "\(other)")
    }

    @Test(
        "The language of words is told by their letters",
        arguments: [
            ("Мама, мы все тяжело больны", "rus"), ("Ой у лузі червона калина", "ukr"), ("Дзе ты, мой ўнук", "bel"),
            ("All you need", "XXX"), ("", "XXX"), ("123 !", "XXX"), ("Кино is a band of Leningrad", "XXX"),
        ])
    func language(_ text: String, _ language: String) {
        #expect(Lyrics(lines: [.init(text: text)]).language == language)
    }

    @Test(
        "The length is there in milliseconds, texts are composed and in UTF-8, and nothing is there that is not known")
    func others() async throws {
        let tags = FileTags(
            title: "\u{438}\u{306} & Ünïcode 🙂 \"quoted\"", artist: "A\0B", album: nil, trackID: Self.id, coverPath: nil
        )
        let path = try await finish(tags).path
        let read = frames(path)
        #expect(read.hasPrefix("(2, 4, 0)"), "\(read)")
        #expect(read.contains("TIT2 3 й & Ünïcode 🙂 \"quoted\"") && read.contains("TPE1 3 AB"), "\(read)")
        #expect(Array(read.unicodeScalars).contains("\u{439}"))
        let length = read.split(separator: "\n").first { $0.hasPrefix("TLEN") }?.split(separator: " ").last.flatMap {
            Int($0)
        }
        #expect((2900...3100).contains(length ?? 0), "\(read)")
        #expect(!read.contains("TALB") && !read.contains("USLT") && !read.contains("null"))
        #expect(place.ffprobe(path, "title") == "й & Ünïcode 🙂 \"quoted\"")
        #expect(place.ffprobe(path, "NYAND_TRACK_ID") == "\(Self.id)")
        // ffprobe says so where it cannot read a frame.
        #expect(!Disk.output("/bin/sh", ["-c", "ffprobe -v warning \(path) 2>&1"]).lowercased().contains("id3"))
    }

    @Test("What was measured is written into the file; all else of it stays")
    func gain() async throws {
        try Disk.write(place.folder("cover.png"), Sounds.png)
        var tags = FileTags(title: "Т", artist: "А", album: "Б", trackID: Self.id, coverPath: place.folder("cover.png"))
        tags.lyrics = Lyrics(lines: [.init(begin: 1, text: "я")])
        let copy = try await finish(tags)
        let before = Disk.bytes(copy.path)
        let reading = LoudnessReading(bytes: copy.bytes, loudness: Loudness(trackGain: -6.5, trackPeak: 0.98765432))
        let tagged = try #require(try await music.tag(copy, with: reading))
        #expect(tagged.path == copy.path && tagged.bytes == Int64(Disk.bytes(copy.path).count))
        let read = frames(copy.path)
        #expect(read.contains("TXXX:REPLAYGAIN_TRACK_GAIN 3 -6.50 dB"), "\(read)")
        #expect(read.contains("TXXX:REPLAYGAIN_TRACK_PEAK 3 0.987654"), "\(read)")
        for frame in ["TIT2 3 Т", "TALB 3 Б", "USLT rus", "SYLT rus", "TLEN"] {
            #expect(read.contains(frame), "\(read)")
        }
        #expect(
            place.mutagen(copy.path).contains { $0.hasPrefix("APIC") && $0.hasSuffix("image/png \(Sounds.png.count)") })
        #expect(Disk.bytes(copy.path).suffix(Sounds.mp3.count - 200) == before.suffix(Sounds.mp3.count - 200))
        #expect(Disk.mode(copy.path) == 0o644 && Folder.names(in: place.folder("music")) == ["x.mp3"])
        // Measured again, the values are the new ones and there once.
        let again = LoudnessReading(bytes: tagged.bytes, loudness: Loudness(trackGain: 1.25))
        _ = try await music.tag(tagged, with: again)
        #expect(frames(copy.path).contains("TXXX:REPLAYGAIN_TRACK_GAIN 3 +1.25 dB"))
    }

    @Test(
        "A file that is another one by now is left alone", arguments: ["changed", "foreign", "gone", "silent"])
    func noGain(_ what: String) async throws {
        let copy = try await finish(FileTags(title: "T", artist: "A", album: nil, trackID: Self.id, coverPath: nil))
        var reading = LoudnessReading(bytes: copy.bytes, loudness: Loudness(trackGain: 1))
        switch what {
        case "changed": reading.bytes -= 1
        case "foreign":
            try Disk.write(copy.path, Sounds.tagged)
            reading.bytes = Int64(Sounds.tagged.count)
        case "gone": unlink(copy.path)
        default: reading.loudness = nil
        }
        let before = Disk.bytes(copy.path)
        #expect((try? await music.tag(copy, with: reading)) == nil)
        #expect(
            Disk.bytes(copy.path) == before && Folder.names(in: place.folder("music")).count == (what == "gone" ? 0 : 1)
        )
    }
}
