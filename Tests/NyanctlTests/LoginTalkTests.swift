import NyanCore
import Testing

@testable import nyanctl

private nonisolated let token = "vk1.a." + String(repeating: "aB3-_", count: 20)
private nonisolated let cookies = "remixsid=1_abc; p=def; remixlang=0"

@Suite("What was pasted")
struct SecretShapeTests {
    @Test(
        "What is plainly a secret is taken as what it is, whatever was asked for",
        arguments: [
            (token, .token, .fit(.token, Secret(token))), (token, .cookies, .fit(.token, Secret(token))),
            (" \"\(token)\" \n", .token, .fit(.token, Secret(token))),
            ("Bearer \(token)", .token, .fit(.token, Secret(token))),
            ("access_token=\(token)&expires_in=0", .token, .fit(.token, Secret(token))),
            (cookies, .cookies, .fit(.cookies, Secret(cookies))), (cookies, .token, .fit(.cookies, Secret(cookies))),
            ("Cookie: \(cookies)", .token, .fit(.cookies, Secret("Cookie: \(cookies)"))),
            (
                "https://oauth.vk.ru/blank.html#access_token=\(token)&user_id=1", .token,
                .fit(.url, Secret("https://oauth.vk.ru/blank.html#access_token=\(token)&user_id=1"))
            ),
            ("«https://x/blank.html#error=denied»", .url, .fit(.url, Secret("https://x/blank.html#error=denied"))),
            (" p4ss word ", .password, .fit(.password, Secret(" p4ss word "))),
            ("/etc", .password, .fit(.password, Secret("/etc"))),
        ] as [(String, LoginWay, SecretShape)])
    func fit(text: String, way: LoginWay, shape: SecretShape) { #expect(SecretShape.look(text, for: way) == shape) }

    @Test(
        "The name of a file is one",
        arguments: [
            ("cookies.txt", "cookies.txt"), ("~/Downloads/vk.ru_cookies.TXT", "~/Downloads/vk.ru_cookies.TXT"),
            ("'/m/a b/c'", "/m/a b/c"), ("file:///tmp/x.json", "/tmp/x.json"), ("./x", "./x"),
            ("file:///tmp/%D0%BA%20t.txt", "/tmp/к t.txt"), ("file://localhost/x", "/x"),
        ])
    func files(text: String, path: String) {
        for way in [LoginWay.cookies, .token, .url] { #expect(SecretShape.look(text, for: way) == .file(path)) }
    }

    @Test(
        "What cannot be right is told with the reason, and never with what was pasted",
        arguments: [
            ("", .cookies, "nothing was pasted"), (" \"\" ", .token, "nothing was pasted"),
            ("remixsid=SeCrEt", .cookies, "missing among these cookies: p"),
            ("p=SeCrEt; a=b", .cookies, "missing among these cookies: remixsid"),
            ("SeCrEt", .cookies, "no cookies in this"), ("SeCrEt", .token, "too short"),
            ("SeCrEt and more than that, much more", .token, "one word"),
            (String(repeating: "ы", count: 40), .token, "only Latin letters"), ("SeCrEt", .url, "no address"),
            ("https://oauth.vk.ru/authorize?client_id=SeCrEt", .url, "address of the page itself"),
            ("https://vk.ru/SeCrEt", .url, "no access_token behind a #"),
            ("https://vk.ru/SeCrEt", .cookies, "no access_token behind a #"),
        ] as [(String, LoginWay, String)])
    func slips(text: String, way: LoginWay, part: String) {
        guard case .slip(let sentence) = SecretShape.look(text, for: way) else {
            Issue.record("\(text) passed as \(way)")
            return
        }
        #expect(sentence.contains(part) && !sentence.contains("SeCrEt"), "\(sentence)")
    }

    @Test("A cookies.txt of VK's must have both; one of another host is the daemon's to judge")
    func netscape() {
        func row(_ host: String, _ name: String) -> String { "\(host)\tTRUE\t/\tTRUE\t0\t\(name)\tv\n" }
        let whole = row(".vk.ru", "remixsid") + row(".login.vk.ru", "p")
        #expect(SecretShape.look(whole, for: .cookies) == .fit(.cookies, Secret(whole)))
        guard case .slip = SecretShape.look(row(".vk.ru", "remixsid"), for: .cookies) else {
            Issue.record("half a session passed")
            return
        }
        let own = row("127.0.0.1", "remixsid") + row("127.0.0.1", "p")
        #expect(SecretShape.look(own, for: .cookies) == .fit(.cookies, Secret(own)))
    }
}

@Suite("The conversation of a login")
struct LoginTalkTests {
    private typealias Talk = LoginTalk
    /// What there is to do, without the sentences.
    private func deeds(_ effects: [LoginTalk.Effect]) -> [String] {
        effects.compactMap { effect in
            switch effect {
            case .say, .show: nil
            case .warn: "warn"
            case .ask: "ask"
            case .askSecret(_, let mayHaveLines): mayHaveLines ? "paste" : "secret"
            case .read(let path): "read \(path)"
            case .fetchPage: "page"
            case .prove(let way, let user, let secret): "prove \(way.rawValue) \(user) \(secret.revealed.utf8.count)"
            case .finish: "finish"
            case .giveUp(let status): "leave \(status)"
            }
        }
    }

    /// The deeds after each event.
    private func talk(_ events: LoginTalk.Event...) -> [[String]] {
        var talk = LoginTalk()
        return events.map { deeds(talk.take($0)) }
    }

    private let begin = LoginTalk.Event.begin(isSignedIn: false, isOffline: false)
    private func no(_ code: Failure.Code) -> LoginTalk.Event {
        .refused(code: code.rawValue, message: "no", status: code.exitStatus)
    }

    @Test("Enter takes the best way: the steps, the secret, the proof, the end")
    func cookiesWay() {
        var talk = LoginTalk()
        let first = talk.take(begin)
        #expect(first.count == 6 && deeds(first) == ["ask"])
        let steps = talk.take(.line(""))
        #expect(steps.contains { if case .say(let text) = $0 { text.contains("web_token") } else { false } })
        #expect(deeds(steps) == ["paste"])
        #expect(deeds(talk.take(.secret(cookies))) == ["prove cookies  \(cookies.utf8.count)"])
        #expect(talk.take(.accepted) == [.finish])
    }

    @Test(
        "Each way is chosen by its number or its name",
        arguments: [
            ("1", ["paste"]), (" 2 ", ["paste"]), ("TOKEN", ["paste"]), ("3", ["page"]), ("url", ["page"]),
            ("4", ["ask"]), ("password", ["ask"]), ("cookies", ["paste"]),
        ])
    func choices(line: String, deeds: [String]) { #expect(talk(begin, .line(line))[1] == deeds) }

    @Test("Wrong choices are asked again, and the third ends it with 2; a secret typed there is not used")
    func wrongChoices() {
        #expect(
            talk(begin, .line("5"), .line("?"), .line("x")).dropFirst() == [
                ["warn", "ask"], ["warn", "ask"], ["warn", "leave 2"],
            ])
        var talk = LoginTalk()
        _ = talk.take(begin)
        #expect(talk.take(.line(token)).first == .warn("please choose first; what you pasted was not used"))
    }

    @Test("Slips are asked again, and the third ends it; choosing wrong before costs none of the tries")
    func slips() {
        #expect(
            talk(begin, .line("9"), .line("2"), .secret("a b c"), .secret(""), .secret("x")).dropFirst(2)
                == [["paste"], ["warn", "paste"], ["warn", "paste"], ["warn", "leave 2"]])
    }

    @Test("VK's no is told, and another secret asked for; the third ends it with VK's status")
    func refusals() {
        let secret = LoginTalk.Event.secret(token)
        let found = talk(
            begin, .line("2"), secret, no(.notSignedIn), secret, no(.clientRefused), secret, no(.notSignedIn))
        #expect(found[3] == ["warn", "paste"] && found[5] == ["warn", "paste"] && found[7] == ["warn", "leave 4"])
    }

    @Test("Where the network fails the same secret is tried again, without being pasted again")
    func network() {
        let found = talk(
            begin, .line("2"), .secret(token), no(.network), .line(""), no(.timeout), .line(""), no(.network))
        #expect(found[3] == ["warn", "ask"] && found[4] == found[2] && found[7] == ["warn", "leave 6"])
    }

    @Test(
        "Trouble that no other secret mends ends it at once", arguments: [Failure.Code.diskFull, .internal, .offline])
    func trouble(code: Failure.Code) {
        #expect(talk(begin, .line("1"), .secret(cookies), no(code))[3] == ["warn", "leave \(code.exitStatus)"])
    }

    @Test("A file's name is read; one that cannot be read is asked for again")
    func files() {
        let found = talk(begin, .line("1"), .secret("~/cookies.txt"), .unreadable, .secret("/x"), .secret(cookies))
        #expect(found[2] == ["read ~/cookies.txt"] && found[3] == ["warn", "paste"])
        #expect(found[4] == ["read /x"] && found[5] == ["prove cookies  \(cookies.utf8.count)"])
    }

    @Test("A file that names a file is not read on: that is a slip, and the third ends it")
    func fileOfItself() {
        let path = LoginTalk.Event.secret("/x.txt")
        let found = talk(begin, .line("1"), path, path, path, path, path, path)
        #expect(found[2] == ["read /x.txt"] && found[3] == ["warn", "paste"] && found[4] == ["read /x.txt"])
        #expect(found[7] == ["warn", "leave 2"])
        #expect(talk(begin, .line("1"), path, .unreadable, path)[4] == ["read /x.txt"])
    }

    @Test("After a secret of another way that VK refuses, the way that was chosen is asked for again")
    func chosenWay() {
        var talk = LoginTalk()
        for event in [begin, .line("1"), .secret(token)] { _ = talk.take(event) }
        let asked = talk.take(no(.notSignedIn)).last
        #expect(asked == .askSecret("Paste it here, then Enter (it is not shown): ", mayHaveLines: true))
        #expect(deeds(talk.take(.secret(cookies))) == ["prove cookies  \(cookies.utf8.count)"])
    }

    @Test("A secret pasted where a name was asked for is not sent to VK as one", arguments: [token, cookies])
    func secretAsName(text: String) {
        #expect(talk(begin, .line("4"), .line(text))[2] == ["warn", "ask"])
    }

    @Test("The page's address is shown before the one it ends at is asked for; without a page it ends")
    func page() {
        var talk = LoginTalk()
        _ = talk.take(begin)
        #expect(talk.take(.line("3")) == [.fetchPage])
        let shown = talk.take(.page("https://oauth.vk.ru/authorize?x"))
        #expect(shown.contains(.show("https://oauth.vk.ru/authorize?x")) && deeds(shown) == ["paste"])
        #expect(self.talk(begin, .line("3"), no(.badArgument))[2] == ["warn", "leave 2"])
    }

    @Test("A password goes with its name; refused, both are asked for again")
    func password() {
        let found = talk(
            begin, .line("4"), .line(" me@x "), .secret("pw"), no(.notSignedIn), .line("you"), .secret("pw2"))
        #expect(found[1] == ["ask"] && found[2] == ["secret"] && found[3] == ["prove password me@x 2"])
        #expect(found[4] == ["warn", "ask"] && found[6] == ["prove password you 3"])
        #expect(talk(begin, .line("4"), .line(" "))[2] == ["warn", "ask"])
    }

    @Test("Offline mode ends it before anything is asked; who is signed in already is told so")
    func standing() {
        #expect(talk(.begin(isSignedIn: true, isOffline: true)) == [["warn", "leave 6"]])
        var talk = LoginTalk()
        #expect(talk.take(.begin(isSignedIn: true, isOffline: false)).count == 7)
    }
}
