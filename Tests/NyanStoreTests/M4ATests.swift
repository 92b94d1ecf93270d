import FoundationEssentials
import NyanCore
import Testing

@testable import NyanStore

/// Three seconds of AAC in ADTS by ffmpeg, in several kinds.
private enum AAC {
    static let folder = TemporaryFolder()
    static let stereo: [UInt8] = make("stereo.aac", ["-b:a", "128k"])
    static let mono: [UInt8] = make("mono.aac", ["-b:a", "64k", "-ac", "1", "-ar", "22050"])
    static let high: [UInt8] = make("high.aac", ["-b:a", "128k", "-ar", "96000"])
    static let short: [UInt8] = make("short.aac", ["-b:a", "128k", "-t", "0.3"])

    private static func make(_ name: String, _ options: [String]) -> [UInt8] {
        let input = ["-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:duration=3", "-ac", "2", "-c:a", "aac"]
        _ = Disk.output("ffmpeg", input + options + [folder(name)])
        return Disk.bytes(folder(name))
    }
}

@Suite("AAC becomes an M4A file")
struct M4ATests {
    let folder = TemporaryFolder()
    let copies: CopyFolder
    let music: MusicFolder
    let id = TrackID(owner: -2_001_550_144, audio: 7)

    init() {
        copies = CopyFolder(cacheFolder: folder("cache"), durableFolder: folder("data"))
        music = MusicFolder(directory: folder("Music"), copies: copies)
    }

    private func finish(
        _ bytes: [UInt8], _ tags: FileTags, as name: String = "A.mp3", expected: Duration? = .seconds(3)
    ) async throws -> FinishedCopy {
        let copy = try copies.open(id, durable: true)
        _ = try copy.begin(kind: .direct, total: Int64(bytes.count), validator: nil)
        try copy.put(bytes, at: 0)
        return try await music.finish(id, tags: tags, expectedLength: expected, fileName: name)
    }

    private var tags: FileTags {
        FileTags(title: "Кукушка 🐦 «ё»", artist: "Кино & 日本語", album: "Чёрный альбом", trackID: id, coverPath: nil)
    }

    /// The frames with headers again, as ffmpeg takes them out.
    private func frames(_ path: String) -> [UInt8] {
        let out = folder("out.aac")
        _ = Disk.output("ffmpeg", ["-v", "error", "-y", "-i", path, "-map", "0:a", "-c", "copy", "-f", "adts", out])
        return Disk.bytes(out)
    }

    @Test("Others read title, artist, album, id, cover and the exact length; the frames are the ones that came")
    func tagged() async throws {
        try Disk.write(folder("cover.png"), Sounds.png)
        var tags = tags
        tags.coverPath = folder("cover.png")
        let copy = try await finish(AAC.stereo, tags, as: "Кино – Кукушка.mp3")
        #expect(copy.path == folder("Music/Кино – Кукушка.m4a"))
        #expect(copy.bytes == Int64(Disk.bytes(copy.path).count))
        #expect(Disk.mode(copy.path) == 0o644)
        #expect(frames(copy.path) == AAC.stereo)
        let probe = Disk.output(
            "ffprobe",
            ["-v", "error", "-show_entries", "format_tags=title,artist,album:stream=codec_name,duration", copy.path])
        for text in [
            "TAG:title=\(tags.title)", "TAG:artist=\(tags.artist)", "TAG:album=Чёрный альбом", "codec_name=aac",
            "codec_name=png",
        ] { #expect(probe.contains(text), "\(text) in \(probe)") }
        let program = """
            import sys, mutagen.mp4
            t = mutagen.mp4.MP4(sys.argv[1])
            print(t["\\xa9nam"][0], t["\\xa9ART"][0], t["\\xa9alb"][0], sep="|")
            print(bytes(t["----:com.apple.iTunes:NYAND_TRACK_ID"][0]).decode())
            print(len(t["covr"][0]), t["covr"][0].imageformat == 14, t.info.channels, t.info.sample_rate)
            print(round(t.info.length * 44100 / 1024))
            """
        let read = Disk.output("/usr/bin/python3", ["-c", program, copy.path]).split(separator: "\n").map(String.init)
        var walk = ADTSFrames()
        walk.feed(AAC.stereo)
        #expect(
            read == [
                "\(tags.title)|\(tags.artist)|Чёрный альбом", "\(id)", "\(Sounds.png.count) True 2 44100",
                "\(walk.finish().sizes.count)",
            ])
    }

    @Test("Every kind decodes without a complaint to its full length", arguments: [0, 1, 2, 3])
    func kinds(number: Int) async throws {
        let sound = [AAC.stereo, AAC.mono, AAC.high, AAC.short][number]
        let copy = try await finish(sound, tags, expected: nil)
        #expect(frames(copy.path) == sound)
        #expect(Disk.output("ffmpeg", ["-v", "warning", "-i", copy.path, "-f", "null", "-"]).isEmpty)
        let length = Disk.output(
            "ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", copy.path])
        #expect(abs((Double(length.prefix { $0 != "\n" }) ?? 0) - (number == 3 ? 0.3 : 3)) < 0.1, "\(length)")
    }

    @Test("It says whose it is: a rebuilt library finds it, its track replaces it, others go beside it")
    func known() async throws {
        let copy = try await finish(AAC.stereo, tags)
        let found = try await music.scan()
        #expect(found.map(\.copy.id) == [id] && found.first?.track.title == tags.title)
        #expect(found.first?.track.album == "Чёрный альбом")
        try copies.discard(id)
        let again = try await finish(AAC.mono, tags)
        #expect(again.replaced && again.path == copy.path)
        try Disk.write(folder("Music/B.m4a"), [1, 2, 3])
        try copies.discard(id)
        let other = try await finish(AAC.mono, tags, as: "B.mp3")
        #expect(other.path == folder("Music/B [\(id)].m4a"))
        try await music.delete(other)
        #expect(Folder.names(in: folder("Music")) == ["A.m4a", "B.m4a"])
    }

    @Test("A cut, a break and a sample are refused like an MP3's; nothing stays")
    func refused() async throws {
        let middle = AAC.stereo.count / 2
        for (sound, expected, words) in [
            (Array(AAC.stereo[..<middle]), 5, "cut off"),
            (Array(AAC.stereo[..<middle] + AAC.stereo[(middle + 100)...]), 3, "damaged in one place"),
        ] {
            let failure = await failure { _ = try await finish(sound, tags, expected: .seconds(expected)) }
            #expect(failure?.code == .damagedSound && failure?.message.contains(words) == true, "\(words)")
            try copies.discard(id)
        }
        #expect(Folder.names(in: folder("Music")).isEmpty)
    }

    @Test("ReplayGain and whatever else a tag says goes along") func gain() throws {
        let tag = try Tags.render(tags, keepingGainOf: Disk.path(of: Sounds.tagged, folder("gain.mp3")))
        var walk = ADTSFrames()
        walk.feed(AAC.stereo)
        let head = try M4AHead(walk.finish(), id: id).render(id3: tag, id: id)
        #expect(String(decoding: head, as: UTF8.self).contains("REPLAYGAIN_TRACK_GAIN"))
        #expect(String(decoding: head, as: UTF8.self).contains("-6.50 dB"))
    }

    @Test("What a playlist promised must be there") func playlist() async throws {
        let copy = try copies.open(id, durable: true)
        _ = try copy.begin(kind: .hls, total: nil, validator: nil)
        try copy.put(Sounds.mp3, at: 0)
        let bytes = Int64(Sounds.mp3.count)
        try copy.segmentDone(SegmentProgress(done: 2, bytes: bytes, durations: [3, 3]))
        try copy.finish(total: bytes)
        let failure = await failure {
            _ = try await music.finish(id, tags: tags, expectedLength: nil, fileName: "A.mp3")
        }
        #expect(failure?.message == "The sound is cut off: 0:03 of the 0:06 in its playlist.")
        try copy.segmentDone(SegmentProgress(done: 2, bytes: bytes, durations: [1.5, 1.5]))
        try copy.finish(total: bytes)
        #expect(try await music.finish(id, tags: tags, expectedLength: nil, fileName: "A.mp3").path.hasSuffix(".mp3"))
    }
}

extension Disk {
    /// Writes bytes and gives their path.
    fileprivate static func path(of bytes: [UInt8], _ path: String) throws -> String {
        try write(path, bytes)
        return path
    }
}
