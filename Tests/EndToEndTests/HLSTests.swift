import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// Sounds that come in segments, with the real programs: the look-alike's own sum, or no file and a reason
/// (field-issues.md C15, C16; vk-api.md §7.4).
@Suite("HLS, whole", .serialized, .timeLimit(.minutes(4)))
struct HLSTests {
    /// Ordinary rows of the scenario made HLS of 40 s, eleven segments; then nyand is started and signed in.
    private func tracks(_ count: Int, in house: House, media: String = "long-hls") async throws -> [String] {
        let ids = (49..<49 + count).map { "123456_\(456_240_000 - $0)" }
        for id in ids {
            try await house.control(#"{"cmd":"track","id":"\#(id)","media":"\#(media)","hls":true,"duration":null}"#)
        }
        try await house.startDaemon()
        try await house.signIn()
        return ids
    }

    private func expectSound(_ ids: [String], in house: House, _ names: [String]) async throws {
        let rows = try await house.ctl("--json", "music").decoded([TrackRow].self)
        for (id, name) in zip(ids, names) {
            guard let path = rows.first(where: { $0.id == id })?.path else {
                Issue.record("\(name): no file")
                continue
            }
            #expect(try await house.soundHash(path) == house.expected(id).sha256, "\(name)")
        }
    }

    /// How often each segment of a track was asked for.
    private func asked(_ id: String, in house: House) async throws -> [Int: Int] {
        let numbers = try await house.mediaRequests(of: id).compactMap(\.segment)
        return Dictionary(numbers.map { ($0, 1) }, uniquingKeysWith: +)
    }

    private func row(_ id: String, in house: House) async throws -> DownloadRow? {
        try await house.ctl("--json", "downloads").decoded([DownloadRow].self).first { $0.id == id }
    }

    @Test("segments, keys and addresses that fail for a while, and every form of a list: the right bytes all the same")
    func passing() async throws {
        let house = try await House()
        let faults = [
            #""fault":"status","value":404,"kind":"segment","segment":7,"times":2"#,
            #""fault":"empty","kind":"segment","segment":7,"times":2"#,
            #""fault":"size","value":1024,"kind":"segment","segment":7,"times":2"#,
            #""fault":"bad-padding","kind":"segment","segment":7,"times":2"#,
            #""fault":"status","value":404,"kind":"key","times":2"#,
            #""fault":"size","value":17,"kind":"key","times":2"#, #""fault":"html","kind":"key","times":2"#,
            #""fault":"wrong-key","kind":"key","times":1"#, #""fault":"redirect","kind":"playlist","times":1"#,
            #""fault":"expire","kind":"segment","segment":7,"times":1"#,
        ]
        let shapes = [
            #""sequence":0"#, #""sequence":57,"crlf":true,"key":"relative""#, #""sequence":18446744073709551000"#,
            #""iv":true"#, #""encrypted":"all","key":"absolute-bare""#, #""encrypted":"none""#, #""hashed":true"#,
            #""need-query":true"#, #""master":true"#, #""ranged":true,"encrypted":"all""#,
        ]
        let ids = try await tracks(faults.count + shapes.count, in: house)
        for (id, fault) in zip(ids, faults) {
            try await house.control(#"{"cmd":"media-fault","track":"\#(id)",\#(fault)}"#)
        }
        for (id, shape) in zip(ids[faults.count...], shapes) {
            try await house.control(#"{"cmd":"hls","track":"\#(id)",\#(shape)}"#)
        }
        let outcome = try await Program(
            [House.programs + "/nyanctl", "download"] + ids + ["--wait"], environment: house.environment
        ).outcome()
        #expect(outcome.status == 0, "\(outcome.errors) \(outcome.output)")
        try await expectSound(ids, in: house, faults + shapes)
        for (id, fault) in zip(ids, faults) where !fault.contains("key") {
            let asked = try await asked(id, in: house)
            for number in 1...5 { #expect(asked[number] == 1, "\(fault): \(number)") }
            // An attempt that goes on asks for the last one once more (decision 0018).
            #expect((1...2).contains(asked[6] ?? 0), "\(fault)")
        }
    }

    @Test("an address that dies in the middle of the list is replaced, whatever the server answers then")
    func expiring() async throws {
        let house = try await House()
        let answers = [404, 302]
        let ids = try await tracks(answers.count, in: house)
        for (id, answer) in zip(ids, answers) {
            try await house.control(#"{"cmd":"set","expired-answer":\#(answer)}"#)
            try await house.control(
                #"{"cmd":"media-fault","track":"\#(id)","fault":"expire","kind":"segment","segment":6,"times":1}"#)
            let wait = try await house.ctl("download", id, "--wait")
            #expect(wait.status == 0, "\(answer): \(wait.errors)")
            let asked = try await asked(id, in: house)
            for number in 1...4 { #expect(asked[number] == 1, "\(answer): \(number)") }
        }
        try await expectSound(ids, in: house, answers.map { "\($0)" })
    }

    @Test(
        "what is not the whole sound is refused in words: a list without an end, one with gaps, samples, what we do not know"
    )
    func refused() async throws {
        let house = try await House()
        let rows = [
            (#"{"cmd":"hls","endlist":false"#, "cut short"), (#"{"cmd":"hls","map":true"#, "EXT-X-MAP"),
            (#"{"cmd":"hls","master":true,"recursive":true"#, "leads to no sound"),
            (#"{"cmd":"hls","encrypted":"none","missing":[4]"#, "cut off"),
            (#"{"cmd":"hls","drift":0.5"#, "in its playlist"),
            (#"{"cmd":"hls","drift":3"#, "came damaged"),
            (#"{"cmd":"hls","encrypted":"none","missing":[6,7,8,9,10,11]"#, "Only a sample of 0:18"),
            (#"{"cmd":"media-fault","fault":"html","kind":"playlist""#, "refuses"),
        ]
        let ids = try await tracks(rows.count, in: house)
        for (id, row) in zip(ids, rows) {
            try await house.control(row.0 + #","track":"\#(id)"}"#)
        }
        _ = try await Program([House.programs + "/nyanctl", "download"] + ids, environment: house.environment).outcome()
        for (id, row) in zip(ids, rows) {
            try await house.until("\(row.0) is told") { try await self.row(id, in: house)?.error != nil }
            let message = try await self.row(id, in: house)?.error?.message ?? ""
            #expect(message.contains(row.1), "\(row.0): \(message)")
        }
        #expect(try await house.ctl("--json", "music").output == "[]\n")
    }

    @Test("a segment that is not there fails the download and keeps what came before for the next try")
    func missing() async throws {
        let house = try await House()
        let id = try await tracks(1, in: house)[0]
        let daemon = try #require(house.daemon)
        try await house.control(
            #"{"cmd":"media-fault","track":"\#(id)","fault":"status","value":404,"kind":"segment","segment":7}"#)
        #expect(try await house.ctl("download", id, "--wait").status != 0)
        let failed = try #require(try await row(id, in: house))
        #expect(failed.state == "failed" && failed.error?.message.contains("Part 7 of 11 cannot be had") == true)
        // Also a restart keeps them.
        daemon.send(SIGTERM)
        _ = await daemon.status()
        try await house.startDaemon()
        try await house.control(#"{"cmd":"media-clear"}"#)
        #expect(try await house.ctl("retry", id).status == 0)
        try await house.until("it arrives") { try await row(id, in: house)?.state == "done" }
        try await expectSound([id], in: house, ["after the retry"])
        let asked = try await asked(id, in: house)
        for number in 1...5 { #expect(asked[number] == 1, "\(number)") }
        #expect((2...3).contains(asked[6] ?? 0), "once in each attempt")
    }

    @Test("kill -9 in the middle: the next run goes on behind the last whole segment")
    func killed() async throws {
        struct Map: Decodable {
            struct Segments: Decodable { let done: Int }
            let segments: Segments?
        }
        let house = try await House()
        let id = try await tracks(1, in: house)[0]
        let daemon = try #require(house.daemon)
        try await house.control(#"{"cmd":"set","bandwidth":60000}"#)
        #expect(try await house.ctl("download", id).status == 0)
        try await house.until("a part is there") { try await row(id, in: house)?.received ?? 0 > 200_000 }
        daemon.send(SIGKILL)
        _ = await daemon.status()
        let map = try Data(contentsOf: URL(filePath: house.home + "/data/nyand/copies/\(id).map"))
        let done = try #require(try JSONDecoder().decode(Map.self, from: map).segments?.done)
        #expect(done >= 2)
        try await house.control(#"{"cmd":"set","bandwidth":0}"#)
        try await house.startDaemon()
        let wait = try await house.ctl("download", id, "--wait")
        #expect(wait.status == 0, "\(wait.errors)")
        try await expectSound([id], in: house, ["after kill -9"])
        let asked = try await asked(id, in: house)
        for number in 1..<done { #expect(asked[number] == 1, "\(number)") }
        #expect(asked[done] == 2)
    }

    @Test("AAC becomes an M4A file with VK's frames, tags and cover; it plays, or nyand says what decodes it")
    func aac() async throws {
        let house = try await House()
        let id = try await tracks(1, in: house, media: "aac")[0]
        #expect(try await house.ctl("download", id, "--wait").status == 0)
        let row = try #require(try await house.ctl("--json", "music").decoded([TrackRow].self).first)
        let path = try #require(row.path)
        #expect(path.hasSuffix(".m4a"))
        let out = house.home + "/out.aac"
        let words = ["/usr/bin/ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-f", "adts", out]
        _ = await (try Program(words, environment: house.environment)).outcome()
        #expect(try await house.soundHash(out) == house.expected(id).sha256)
        let tags = try await house.probe(path)
        #expect(tags.contains("\"title\": \"\(row.title)\"") && tags.contains("\"artist\": \"\(row.artist)\""))
        // From My Music, and as a stream.
        let streamed = "123456_456239950"
        try await house.control(#"{"cmd":"track","id":"\#(streamed)","media":"aac","hls":true}"#)
        for id in [id, streamed] {
            try await house.ctl("play", id)
            try await house.until("it plays, or says why not") {
                let status = try await house.status()
                return status.state == "playing" && status.position > 0 || status.problem != nil
            }
            if let problem = try await house.status().problem {
                #expect(
                    problem.code == "missing-decoder" && problem.message.contains("gstreamer1.0-libav"), "\(problem)")
            }
            try await house.ctl("stop")
        }
    }
}
