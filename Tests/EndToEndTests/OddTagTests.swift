import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// Tags and names of what is downloaded, as readers by others have them.
@Suite("Tags, whole", .serialized, .timeLimit(.minutes(2)))
struct OddTagTests {
    /// What mutagen and ffprobe say of a file.
    struct Tagged: Decodable {
        let version: [Int], encodings: [Int], id: String
        let title: String, artist: String, album: String, probedTitle: String, probedArtist: String
        let words: String, timed: String, cover: String
        let length: Double, tlen: Double
    }

    private static let reader = """
        import json, subprocess, sys, mutagen.id3, mutagen.mp3
        out = {}
        for path in sys.argv[1:]:
            t = mutagen.id3.ID3(path)
            def text(k): return t[k].text[0] if k in t else ""
            p = json.loads(subprocess.run(["/usr/bin/ffprobe", "-v", "error", "-show_format", "-of", "json", path],
                                          capture_output=True, check=True).stdout)["format"].get("tags", {})
            out[path] = dict(
                version=t.version, encodings=[int(f.encoding) for f in t.values() if hasattr(f, "text")],
                id=text("TXXX:NYAND_TRACK_ID"), title=text("TIT2"), artist=text("TPE1"), album=text("TALB"),
                probedTitle=p.get("title", ""), probedArtist=p.get("artist", ""),
                words="|".join("%s %s" % (f.lang, f.text) for f in t.getall("USLT")),
                timed="|".join("%s %s" % (f.lang, f.text) for f in t.getall("SYLT")),
                cover="|".join(f.mime for f in t.getall("APIC")),
                length=mutagen.mp3.MP3(path).info.length, tlen=float(text("TLEN") or 0) / 1000)
        print(json.dumps(out))
        """

    @Test("odd titles are in the tags as they are shown, and in names that every file system takes")
    func odd() async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        // README of the look-alike: entities, emoji, directions, 500 letters, nothing, paths, NFD, controls, old tags.
        let positions = [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 28, 30, 31, 39, 45]
        let ids = positions.map { "123456_\(456_240_000 - $0)" }
        // Known before, as the player shows them.
        #expect(try await house.ctl("lyrics", ids[0]).status == 0)
        let done = try await Program(
            [House.programs + "/nyanctl", "download"] + ids + ["--wait"], environment: house.environment
        ).outcome()
        #expect(done.status == 0, "\(done.errors)")
        let rows = try await house.ctl("--json", "music").decoded([TrackRow].self)
        #expect(Set(rows.map(\.id)) == Set(ids))
        let paths = rows.compactMap(\.path)
        let read = try await Program(["/usr/bin/python3", "-c", Self.reader] + paths, environment: ["LANG": "C.UTF-8"])
            .outcome()
        let files = try read.decoded([String: Tagged].self)
        for row in rows {
            let path = try #require(row.path)
            let tags = try #require(files[path], "\(read.errors)")
            #expect(tags.id == row.id && tags.version == [2, 4, 0] && tags.encodings.allSatisfy { $0 == 3 })
            #expect(tags.title == row.title && tags.artist == row.artist && tags.album == row.album ?? "", "\(tags)")
            #expect(tags.probedTitle == row.title && tags.probedArtist == row.artist, "\(tags)")
            #expect(abs(tags.tlen - tags.length) < 0.2, "\(tags)")
            checkName(path, in: house)
        }
        func file(_ position: Int) throws -> Tagged {
            try #require(files.values.first { $0.id == "123456_\(456_240_000 - position)" })
        }
        let (sung, quoted) = (try file(1), try file(3))
        #expect(quoted.title == "Rock 'n' Roll \"Live\" ♥" && quoted.artist == "Simon & Гарфункель")
        #expect(try file(4).title == "Doubly &lt;encoded&gt;")
        #expect(try Array(file(13).title.unicodeScalars) == Array("Ёлка й café".unicodeScalars))
        #expect(sung.words.hasPrefix("rus Раз — и сидит на крыше\nдва & три — ещё выше"), "\(sung.words)")
        #expect(sung.timed.contains("('два & три — ещё выше', 1100)"), "\(sung.timed)")
        #expect(sung.cover == "image/jpeg" && quoted.words.isEmpty)
    }

    private func checkName(_ path: String, in house: House) {
        #expect(path.hasPrefix(house.music + "/"))
        let name = path.dropFirst(house.music.count + 1)
        #expect(!name.contains("/") && name.utf8.count <= 255 && !name.hasPrefix("."), "\(name)")
        let illegal = Set("\"*/:<>?\\|".unicodeScalars)
        #expect(
            !name.unicodeScalars.contains { $0.value < 0x20 || illegal.contains($0) || $0.value == 0x202E }, "\(name)")
        #expect(FileManager.default.fileExists(atPath: path))
    }
}
