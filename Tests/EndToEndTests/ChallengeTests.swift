import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// What VK asks of a person, with the real programs (vk-api.md §7.5: 1, 9).
@Suite("VK's questions", .serialized, .timeLimit(.minutes(4)))
struct ChallengeTests {
    /// The address a message names.
    private func address(in text: String) throws -> String {
        let start = try #require(text.firstRange(of: "http://"))
        return String(text[start.lowerBound...].prefix { !$0.isWhitespace && $0 != ";" })
    }

    /// How often VK was asked for a method, and what the calls ended with.
    private func outcomes(_ house: House, _ method: String) async throws -> [String] {
        struct Row: Decodable { let method: String?, outcome: String? }
        let log = try JSONDecoder().decode([Row].self, from: Data(try await house.fetch("/_log").utf8))
        return log.filter { $0.method == method }.compactMap(\.outcome)
    }

    @Test("a captcha parks the operation and nothing else; the answer brings it to its end, done once")
    func captcha() async throws {
        let house = try await House.withoutPauses()
        try await house.signIn()
        #expect(try await house.ctl("play", "123456_456239965").status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
        try await house.control(#"{"cmd":"captcha","form":"old","method":"audio.get"}"#)
        let sync = try await house.ctl("sync")
        #expect(sync.status == 4 && sync.errors.contains("nyanctl answer"))
        let problem = try #require(try await house.status().problem)
        #expect(problem.code == "challenge-needed")
        let page = try address(in: problem.message)
        #expect(sync.errors.contains(page))
        #expect(try await house.fetch(String(page.dropFirst(house.ready["url"]?.count ?? 0))).contains(">nyan<"))
        // The second one that wants it waits for the same question, and VK is not asked again meanwhile.
        #expect(try await house.ctl("profile", "--owner", "77").status == 4)
        #expect(try await outcomes(house, "audio.get").filter { $0 == "error 14" }.count == 1)
        // Others go on, and so does the sound.
        #expect(try await house.ctl("search", "Found", "--count", "2").status == 0)
        let before = try await house.status().position
        try await house.until("it plays on") { try await house.status().position > before }
        let wrong = try await house.ctl("answer", "wrong")
        #expect(wrong.status == 4 && wrong.errors.contains("did not take") && !wrong.errors.contains(page))
        #expect(try await house.ctl("answer", "two words").status == 4)
        let answer = try await house.ctl("answer", input: "nyan\n")
        #expect(answer.status == 0 && answer.output.contains("450 tracks"), "\(answer.errors)")
        #expect(try await house.status().problem == nil)
        #expect(try await outcomes(house, "audio.get").filter { $0 == "error 14" }.count == 3)
        let nothing = try await house.ctl("answer", "nyan")
        #expect(nothing.status == 1 && nothing.errors.contains("asks nothing"))
        let errors = house.daemon?.errors ?? ""
        #expect(!errors.contains("captcha.php") && !errors.contains("nyan answer"))
    }

    @Test("a login goes past the captchas that stand: a call's and an older login's, which it ends")
    func loginPast() async throws {
        let house = try await House.withoutPauses()
        let off = #"{"cmd":"captcha","form":"off"}"#
        try await house.control(#"{"cmd":"captcha","form":"old","method":"users.get"}"#)
        #expect(try await house.ctl("login", "--token", input: house.token).status == 4)
        #expect(try await house.status().problem?.code == "challenge-needed")
        try await house.control(off)
        let newer = try await house.ctl("login", "--token", input: house.token)
        #expect(newer.status == 0 && newer.output.contains("by token"), "\(newer.errors)")
        try await house.until("the older one's question is gone") { try await house.status().problem == nil }
        try await house.control(#"{"cmd":"captcha","form":"old","method":"audio.get"}"#)
        #expect(try await house.ctl("sync").status == 4)
        try await house.control(off)
        let past = try await house.ctl("login", "--token", input: house.token)
        #expect(past.status == 0, "\(past.errors)")
        try await house.until("the call's question is gone") { try await house.status().problem == nil }
        #expect(try await house.ctl("sync").status == 0)
    }

    @Test("a captcha of the newer form is passed on its page; a logout ends what waits, and so does the daemon's end")
    func robotCheck() async throws {
        let house = try await House.withoutPauses()
        try await house.signIn()
        try await house.control(#"{"cmd":"captcha","form":"new","method":"audio.search","every":1}"#)
        #expect(try await house.ctl("search", "Found").status == 4)
        let page = try address(in: try #require(try await house.status().problem).message)
        let path = String(page.dropFirst(house.ready["url"]?.count ?? 0))
        let passed = try await house.fetch(path, post: "x=1")
        #expect(try await house.ctl("answer", input: passed).status == 0)
        #expect(try await house.ctl("search", "Found").status == 0)
        #expect(try await house.ctl("search", "Other").status == 4)
        #expect(try await house.ctl("logout").status == 0)
        try await house.until("the question is gone") { try await house.status().problem == nil }
        #expect(try await house.ctl("answer", "x").status == 1)
        try await house.signIn()
        #expect(try await house.ctl("search", "Other").status == 4)
        house.daemon?.send(SIGTERM)
        #expect(await house.daemon?.status() == 0)
    }

    @Test("signing in over the authorize page: the pasted address is proved, a wrong one changes nothing")
    func byAddress() async throws {
        let house = try await House.withoutPauses()
        let empty = try await house.ctl("login", "--url", input: "nothing\n")
        #expect(empty.status == 2, "\(empty.errors)")
        let page = try address(in: empty.errors)
        let ended = try await Program(
            ["/usr/bin/curl", "-sS", "-o", "/dev/null", "-w", "%{redirect_url}", page], environment: house.environment
        ).outcome().output
        let token = String(try #require(ended.split(separator: "access_token=").last).prefix { $0 != "&" })
        let foreign = try await house.ctl("login", "--url", input: ended.replacing("state=", with: "state=x"))
        #expect(foreign.status == 1 && foreign.errors.contains("another page") && !foreign.errors.contains(token))
        let bad = try await house.ctl("login", "--url", input: ended.replacing(token, with: "vk1.a.bad"))
        #expect(bad.status == 4)
        #expect(try await house.ctl("whoami").status == 4)
        let login = try await house.ctl("login", "--url", input: ended)
        #expect(login.status == 0 && login.output.contains("by url"), "\(login.errors)")
        #expect(try await house.ctl("whoami").errors == "")
        let shortLived = ended.replacing("expires_in=0", with: "expires_in=86400").split(separator: "&state").first
        #expect(try await house.ctl("login", "--url", input: shortLived.map(String.init)).status == 0)
        #expect(try await house.ctl("whoami").errors.contains("ends in 24 hours"))
        try await house.control(#"{"cmd":"set","authorize":"deny"}"#)
        #expect(house.daemon?.errors.contains(token) == false)
    }

    @Test("signing in with a password: wrong, with a code, and after a captcha; it is kept nowhere")
    func byPassword() async throws {
        let house = try await House.withoutPauses()
        let (user, password) = (house.ready["login"] ?? "", house.ready["password"] ?? "")
        func login(_ password: String, _ profile: String? = "android") async throws -> Program.Outcome {
            let words = profile.map { ["--profile", $0] } ?? []
            return try await Program(
                [House.programs + "/nyanctl", "login", "--password", user] + words, environment: house.environment,
                input: password + "\n"
            ).outcome()
        }
        #expect(try await login(password, nil).status == 2)
        let noSecret = try await login(password, "kate")
        #expect(noSecret.status == 2 && noSecret.errors.contains("client-secret"))
        let wrong = try await login("no")
        #expect(wrong.status == 4 && wrong.errors.contains("name and password"))
        #expect(try await house.ctl("whoami").status == 4)
        try await house.control(#"{"cmd":"login","second":"2fa_app"}"#)
        let asked = try await login(password)
        #expect(asked.status == 4 && asked.errors.contains("authenticator app"))
        #expect(try await house.ctl("answer", "000000").status == 4)
        #expect(try await house.ctl("answer", "resend").status == 4)
        let done = try await house.ctl("answer", "123 456")
        #expect(done.status == 0 && done.output.contains("Signed in as"), "\(done.errors)")
        #expect(try await house.ctl("whoami").output.contains("by password"))
        try await house.control(#"[{"cmd":"login"},{"cmd":"login-captcha","form":"old"}]"#)
        #expect(try await login(password, "marusia").status == 4)
        #expect(try await house.ctl("answer", "nyan").status == 0)
        try await house.control(#"{"cmd":"login","fail":"flood"}"#)
        let flood = try await login(password)
        #expect(flood.status == 6 && flood.errors.contains("hours"))
        #expect(house.daemon?.errors.contains(password) == false)
        let grep = try await Program(
            ["/usr/bin/grep", "-rlF", password, house.home], environment: house.environment
        ).outcome()
        #expect(grep.output == "", "the password is on disk")
    }
}
