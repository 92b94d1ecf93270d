import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// Downloads with the real programs: the right bytes, or no file and a reason.
@Suite("Downloads, whole", .serialized, .timeLimit(.minutes(4)))
struct DownloadTests {
    @Test(
        "a finished file holds exactly the sound VK has, tagged and with its cover",
        arguments: ["123456_456239999", "123456_456239998", "123456_456239963", "123456_456239961", "123456_456239957"])
    func rightBytes(id: String) async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        let download = try await house.ctl("download", id, "--wait")
        #expect(download.status == 0, "\(download.errors) \(download.output)")
        let rows = try await house.ctl("--json", "music").decoded([TrackRow].self)
        let row = try #require(rows.first)
        #expect(rows.count == 1)
        #expect(row.id == id)
        let path = try #require(row.path)
        #expect(path.hasPrefix(house.music + "/"))
        let expected = try await house.expected(id)
        #expect(try await house.soundHash(path) == expected.sha256)
        let tags = try await house.probe(path)
        #expect(tags.contains("\"title\": \"\(row.title)\""))
        #expect(tags.contains("\"artist\": \"\(row.artist)\""))
        // The user's own uploads have no album and no cover (vk-api.md §5).
        #expect(tags.contains("attached_pic\": 1") == (row.album != nil))
        #expect(try house.leftovers().isEmpty)
    }

    @Test("three run at once, no more; all of them arrive")
    func parallel() async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        let ids = (49...58).map { "123456_\(456_240_000 - $0)" }
        let program = try Program(
            [House.programs + "/nyanctl", "download"] + ids + ["--wait"], environment: house.environment)
        #expect(await program.status() == 0)
        #expect(try await house.ctl("--json", "music").decoded([TrackRow].self).count == 10)
        #expect(try await house.fetch("/_stats").contains("\"most-at-once\""))
    }

    @Test("cancelling leaves nothing behind, and it stays away")
    func cancel() async throws {
        let house = try await House()
        let daemon = try await house.startDaemon()
        try await house.signIn()
        try await house.control(#"{"cmd":"set","bandwidth":30000}"#)
        let id = "123456_456239965"
        #expect(try await house.ctl("download", id).status == 0)
        try await house.until("it runs") {
            try await house.ctl("--json", "downloads").decoded([DownloadRow].self).first?.received ?? 0 > 0
        }
        #expect(try await house.ctl("cancel", id).status == 0)
        #expect(try await house.ctl("--json", "downloads").output == "[]\n")
        try await house.until("nothing is left") { try house.leftovers().isEmpty }
        daemon.send(SIGKILL)
        _ = await daemon.status()
        try await house.startDaemon()
        #expect(try await house.ctl("--json", "downloads").output == "[]\n")
    }

    @Test("kill -9 in the middle: the next run goes on and fetches no byte twice")
    func resumes() async throws {
        let house = try await House()
        let daemon = try await house.startDaemon()
        try await house.signIn()
        try await house.control(#"{"cmd":"set","bandwidth":150000}"#)
        let id = "123456_456239965"
        #expect(try await house.ctl("download", id).status == 0)
        try await house.until("a part is there") {
            try await house.ctl("--json", "downloads").decoded([DownloadRow].self).first?.received ?? 0 > 300_000
        }
        daemon.send(SIGKILL)
        _ = await daemon.status()
        try await house.control(#"{"cmd":"set","bandwidth":0}"#)
        try await house.startDaemon()
        let wait = try await house.ctl("download", id, "--wait")
        #expect(wait.status == 0, "\(wait.errors)")
        let expected = try await house.expected(id)
        let path = try #require(try await house.ctl("--json", "music").decoded([TrackRow].self).first?.path)
        #expect(try await house.soundHash(path) == expected.sha256)
        // What was in flight when the plug was pulled may come twice; the rest may not.
        #expect(try await house.sent(id) < expected.bytes + 200_000)
    }

    @Test("played, then downloaded, then played again: one file's worth of bytes")
    func oneFetch() async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        let id = "123456_456239965"
        #expect(try await house.ctl("play", id).status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
        #expect(try await house.ctl("download", id, "--wait").status == 0)
        #expect(try await house.ctl("stop").status == 0)
        #expect(try await house.ctl("play", id).status == 0)
        try await house.until("it plays again") { try await house.status().state == "playing" }
        let expected = try await house.expected(id)
        #expect(try await house.sent(id) == expected.bytes)
    }

    @Test("deleting removes the file and keeps the profile; rows and ids only")
    func delete() async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        let id = "123456_456239999"
        try await house.ctl("download", id, "--wait")
        #expect(try await house.ctl("delete", "Песня").status == 2)
        #expect(try await house.ctl("delete", id).status == 0)
        #expect(try await house.ctl("--json", "music").output == "[]\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: house.music).isEmpty)
        #expect(try await house.ctl("--json", "profile").decoded([TrackRow].self).count == 450)
        #expect(try await house.ctl("delete", id).status == 5)
    }

    @Test(
        "what is no sound is never accepted: no file, a reason, and no rest",
        arguments: ["html", "empty", "truncate", "error-page"])
    func refused(fault: String) async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        let id = "123456_456239965"
        try await house.control(#"{"cmd":"media-fault","fault":"\#(fault)","track":"\#(id)","at":50000}"#)
        #expect(try await house.ctl("download", id).status == 0)
        try await house.until("it has trouble") {
            let row = try await house.ctl("--json", "downloads").decoded([DownloadRow].self).first
            return row?.error != nil
        }
        #expect(try await house.ctl("--json", "music").output == "[]\n")
        try await house.control(#"{"cmd":"media-clear"}"#)
        _ = try await house.ctl("retry", id)
        try await house.until("it arrives once the fault is gone") {
            try await house.ctl("--json", "music").decoded([TrackRow].self).count == 1
        }
    }
}

/// What the look-alike says a finished download holds.
struct Expected: Decodable { let sha256: String, bytes: Int }

extension House {
    func expected(_ id: String) async throws -> Expected {
        try JSONDecoder().decode(Expected.self, from: Data(try await fetch("/_expected/\(id)").utf8))
    }

    /// SHA-256 of a file's frames without its tags, as ffmpeg copies them out.
    func soundHash(_ path: String) async throws -> String {
        let script = """
            import hashlib, sys
            data = open(sys.argv[1], 'rb').read()
            if data[:3] == b'ID3':
                size = data[6] << 21 | data[7] << 14 | data[8] << 7 | data[9]
                data = data[10 + size:]
            if data[-128:-125] == b'TAG': data = data[:-128]
            print(hashlib.sha256(data).hexdigest())
            """
        let outcome = try await Program(["/usr/bin/python3", "-c", script, path], environment: environment).outcome()
        return outcome.output.split(separator: "\n").first.map(String.init) ?? outcome.errors
    }

    func probe(_ path: String) async throws -> String {
        try await Program(
            ["/usr/bin/ffprobe", "-v", "error", "-show_format", "-show_streams", "-of", "json", path],
            environment: environment
        ).outcome().output
    }

    /// Media bytes the look-alike sent of a track.
    func sent(_ id: String) async throws -> Int {
        struct Stats: Decodable { let sent: [String: Int] }
        return try JSONDecoder().decode(Stats.self, from: Data(try await fetch("/_stats").utf8)).sent[id] ?? 0
    }

    /// Files of unfinished downloads anywhere: beside the library, and hidden ones among the music.
    func leftovers() throws -> [String] {
        var found: [String] = []
        for folder in [home + "/data/nyand/copies", music] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            found += names.filter { folder != music || $0.hasPrefix(".") }
        }
        return found
    }
}
