import FoundationEssentials
import NyanTestKit
import Testing

/// Operations that go on after the person's answer, with the real programs (vk-api.md §3.2, §7.5: 9).
@Suite("What waits for the person's answer", .serialized, .timeLimit(.minutes(4)))
struct ParkedTests {
    private struct Row: Decodable {
        let method: String?, outcome: String?, params: [String: String]?
    }

    private func calls(_ house: House, _ method: String) async throws -> [Row] {
        let log = try await house.fetch("/_log?kind=api")
        return try JSONDecoder().decode([Row].self, from: Data(log.utf8)).filter { $0.method == method }
    }

    /// The address a browser ends at.
    private func browse(_ house: House, _ page: String) async throws -> String {
        try await Program(
            ["/usr/bin/curl", "-sS", "-o", "/dev/null", "-w", "%{redirect_url}", page], environment: house.environment
        ).outcome().output
    }

    @Test("adding a track waits for a captcha, goes on with the answer, and adds it once")
    func adding() async throws {
        let house = try await House.withoutPauses()
        try await house.signIn()
        #expect(try await house.ctl("search", "Found", "--count", "3").status == 0)
        try await house.control(#"{"cmd":"captcha","form":"old","method":"audio.add"}"#)
        let add = try await house.ctl("add", "1")
        #expect(add.status == 4 && add.errors.contains("captcha.php"), "\(add.errors)")
        #expect(try await house.ctl("--json", "status").output.contains("challenge-needed"))
        #expect(try await house.ctl("answer", "nyan").status == 0)
        #expect(try await house.status().problem == nil)
        let calls = try await calls(house, "audio.add")
        #expect(calls.map(\.outcome) == ["error 14", "ok"])
        #expect(calls.map { $0.params?.keys.contains("captcha_key") } == [false, true])
        let sync = try await house.ctl("--json", "sync")
        #expect(sync.output.contains("\"total\":451"), "\(sync.output)")
        let found = try await house.ctl("--json", "profile", "Found").decoded([TrackRow].self)
        #expect(found.count == 1)
    }

    @Test("what VK wants agreed to is done after yes, with the consent, and not after no")
    func agreeing() async throws {
        let house = try await House.withoutPauses()
        try await house.signIn()
        for answer in ["no", "yes"] {
            try await house.control(
                #"""
                {"cmd":"inject","method":"audio.search","code":24,"extra":{"confirmation_text":"Really search?\u001b[2J"}}
                """#)
            let search = try await house.ctl("search", "Found")
            #expect(search.status == 4 && search.errors.contains("Really search?") && !search.errors.contains("\u{1b}"))
            let answered = try await house.ctl("answer", answer)
            #expect(answered.status == (answer == "yes" ? 0 : 1), "\(answered.errors)")
        }
        let calls = try await calls(house, "audio.search")
        #expect(calls.map { $0.params?["confirm"] } == [nil, nil, "1"])
    }

    @Test("a token that must be validated is replaced by the one that VK gives, and the sync goes on with it")
    func validating() async throws {
        let house = try await House.withoutPauses()
        try await house.signIn()
        // What follows a sync would meet the same question.
        try await house.until("the playlists are read") { try await calls(house, "audio.getPlaylists").count > 0 }
        try await house.control(#"{"cmd":"token","state":"validation"}"#)
        let sync = try await house.ctl("sync")
        #expect(sync.status == 4)
        let start = try #require(sync.errors.firstRange(of: "http://"))
        let page = String(sync.errors[start.lowerBound...].prefix { !$0.isWhitespace })
        let ended = try await browse(house, page)
        let answer = try await house.ctl("answer", input: ended)
        #expect(answer.status == 0 && answer.output.contains("450 tracks"), "\(answer.errors)")
        #expect(try await house.ctl("sync").status == 0)
        let token = try #require(ended.split(separator: "access_token=").last).prefix { $0 != "&" }
        #expect(house.daemon?.errors.contains(token) == false)
    }

    @Test("protection from foreign clients is told with what to do, and tried again after done")
    func protected() async throws {
        let house = try await House.withoutPauses()
        try await house.signIn()
        try await house.control(#"{"cmd":"token","state":"confirmation"}"#)
        let search = try await house.ctl("search", "Found")
        #expect(search.status == 4 && search.errors.contains("suspicious apps"))
        try await house.control(#"{"cmd":"token","state":"ok"}"#)
        #expect(try await house.ctl("answer", "done").status == 0)
    }
}

extension House {
    /// A house with a daemon that calls VK without pauses, at a VK that does not mind, and that knows its client's secret.
    static func withoutPauses() async throws -> House {
        let house = try await House()
        try house.writeSettings(
            "[profile.android]\nclient-secret=\(house.ready["client-secret"] ?? "")\n[vk]\nmin-interval-ms=0")
        try await house.control(#"{"cmd":"set","rate-limit":0}"#)
        try await house.startDaemon()
        return house
    }
}
