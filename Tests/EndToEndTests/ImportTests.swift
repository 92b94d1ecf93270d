import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// `import` and `export`, with the real programs.
@Suite("Files in and out, whole", .serialized, .timeLimit(.minutes(2)))
struct ImportTests {
    struct Imported: Decodable, Equatable {
        struct Skipped: Decodable, Equatable {
            var path: String
            var reason: String
        }
        var imported: Int
        var known: Int
        var skipped: [Skipped]
    }

    struct Exported: Decodable, Equatable {
        var exported: Int
        var present: Int
        var bytes: Int64
        var refused: [[String: String]]
    }

    /// Makes a second of sound.
    private static func sound(_ path: String, _ frequency: Int, _ tags: [String]) async throws {
        let input = ["-v", "error", "-f", "lavfi", "-i", "sine=frequency=\(frequency):duration=1"]
        let words = ["/usr/bin/ffmpeg"] + input + tags.flatMap { ["-metadata", $0] } + [path]
        #expect(try await Program(words, environment: [:]).outcome().status == 0)
    }

    @Test("a folder is taken in, listed, played, exported, deleted, and known again after a lost library")
    func folder() async throws {
        let house = try await House(server: nil)
        let theirs = house.home + "/theirs"
        try FileManager.default.createDirectory(atPath: theirs + "/sub", withIntermediateDirectories: true)
        // "Кино" as old taggers left it.
        try await Self.sound(theirs + "/a.mp3", 440, ["title=Ãðóïïà êðîâè", "artist=Êèíî"])
        try await Self.sound(theirs + "/sub/b.flac", 550, ["title=Two", "artist=Sigur Rós"])
        try FileManager.default.copyItem(atPath: theirs + "/a.mp3", toPath: theirs + "/sub/again.mp3")
        #expect(FileManager.default.createFile(atPath: theirs + "/bad.mp3", contents: Data("no sound".utf8)))
        let before = FileManager.default.contents(atPath: theirs + "/a.mp3")
        try await house.startDaemon()
        let first = try await house.ctl("--json", "import", theirs)
        #expect(first.status == 0, "\(first.errors)")
        let outcome = try first.decoded(Imported.self)
        #expect(outcome.imported == 2 && outcome.known == 1)
        #expect(outcome.skipped.map(\.path) == [theirs + "/bad.mp3"])
        #expect(FileManager.default.contents(atPath: theirs + "/a.mp3") == before)
        let second = try await house.ctl("import", theirs)
        #expect(second.status == 0 && second.output.isEmpty)
        #expect(second.errors.contains("imported 0 files, 3 known already, 1 skipped"), "\(second.errors)")
        let rows = try await house.ctl("--json", "music").decoded([TrackRow].self)
        #expect(Set(rows.map { "\($0.artist) - \($0.title)" }) == ["Кино - Группа крови", "Sigur Rós - Two"])
        #expect(
            Set(rows.compactMap { $0.path?.split(separator: "/").last }) == [
                "Кино - Группа крови.mp3", "Sigur Rós - Two.flac",
            ])
        let mp3 = try #require(rows.first { $0.artist == "Кино" })
        #expect(try await house.ctl("play", mp3.id).status == 0)
        try await house.until("it sounds") { try await house.status().state == "playing" }
        #expect(try await house.ctl("stop").status == 0)

        try await exported(rows, house)
        // The library is lost: the files say what they are.
        house.daemon?.send(SIGKILL)
        _ = await house.daemon?.status()
        for name in ["library.db", "library.db-wal", "library.db-shm"] {
            unlink(house.home + "/data/nyand/" + name)
        }
        try await house.startDaemon()
        try await house.until("they are back") {
            try await Set(house.ctl("--json", "music").decoded([TrackRow].self).map(\.id)) == Set(rows.map(\.id))
        }
        let deleted = try await house.ctl("delete", rows[0].id, rows[1].id)
        #expect(deleted.status == 0 && deleted.errors.contains("deleted 2 files"), "\(deleted.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: house.music).isEmpty)
        #expect(FileManager.default.fileExists(atPath: theirs + "/sub/b.flac"))
    }

    @Test("what nyand measured is in the file's own tag, and the file still counts as the same")
    func gain() async throws {
        let house = try await House(server: nil, settings: "[audio]\nreplaygain=track")
        let theirs = house.home + "/theirs"
        try FileManager.default.createDirectory(atPath: theirs, withIntermediateDirectories: true)
        try await Self.sound(theirs + "/a.mp3", 440, ["title=One", "artist=A"])
        try await house.startDaemon()
        #expect(try await house.ctl("import", theirs).status == 0)
        let row = try #require(try await house.ctl("--json", "music").decoded([TrackRow].self).first)
        let path = try #require(row.path)
        func tag(_ name: String) async throws -> String {
            let words = ["-v", "error", "-show_entries", "format_tags=\(name)", "-of", "default=nw=1:nk=1", path]
            return try await Program(["/usr/bin/ffprobe"] + words, environment: [:]).outcome().output
        }
        try await house.until("it is measured") { try await tag("REPLAYGAIN_TRACK_GAIN").contains("dB") }
        #expect(try await tag("REPLAYGAIN_TRACK_PEAK").hasPrefix("0."))
        #expect(try await tag("title") == "One\n")
        #expect(try await house.ctl("import", theirs).errors.contains("1 known already"))
        #expect(try await house.ctl("play", row.id).status == 0)
        try await house.until("it sounds") { try await house.status().state == "playing" }
        let deleted = try await house.ctl("delete", row.id)
        #expect(deleted.status == 0 && deleted.errors.contains("deleted 1 file"), "\(deleted.errors)")
    }

    private func exported(_ rows: [TrackRow], _ house: House) async throws {
        // A relative path is the client's own folder's.
        let stick = house.home + "/stick"
        let words = [House.programs + "/nyanctl", "--json", "export"] + rows.map(\.id) + ["stick/"]
        func export() async throws -> Program.Outcome {
            let line = "cd '\(house.home)' && exec " + words.map { "'\($0)'" }.joined(separator: " ")
            return try await Program(["/bin/sh", "-c", line], environment: house.environment).outcome()
        }
        let first = try await export()
        #expect(first.status == 0, "\(first.errors)")
        let outcome = try first.decoded(Exported.self)
        #expect(outcome.exported == 2 && outcome.present == 0 && outcome.bytes > 1000)
        #expect(
            try await export().decoded(Exported.self)
                == Exported(exported: 2, present: 2, bytes: outcome.bytes, refused: []))
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: stick))
                == ["Кино - Группа крови.mp3", "Sigur Rós - Two.flac"])
        let missing = try await house.ctl("export", "123_456", stick)
        #expect(missing.status == 5 && missing.errors.contains("123_456"), "\(missing.errors)")
        #expect(try await house.ctl("export", rows[0].id, house.home + "/no/such").status == 5)
        #expect(try await house.ctl("import", house.home + "/nothing").status == 5)
    }
}
