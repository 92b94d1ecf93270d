import NyanCore
import Testing

private let token = "vk1.a.AbC_d-09+/="
private let good = "access_token=\(token)&expires_in=0&user_id=123456&state=st1"
private let whole = "https://oauth.vk.com/blank.html#" + good

private func outcome(_ text: String) -> PastedAddress? { try? PastedAddress.read(text) }

private func refusal(_ text: String) -> Failure? {
    do {
        _ = try PastedAddress.read(text)
        return nil
    } catch { return error }
}

@Suite("The address a page of VK ends at")
struct PastedAddressTests {
    @Test(
        "is read in every form a person may paste",
        arguments: [
            whole,
            whole.replacing(".com", with: ".ru"),
            whole.replacing("#", with: "?"),
            "oauth.vk.com/blank.html#" + good,
            good,
            "#" + good,
            "?" + good,
            "  \"\(whole)\" \n",
            "<\(whole)>",
            "«\(whole)»",
            whole.replacing("&expires", with: "\n  &expires"),
            whole.replacing("#", with: "%23").replacing("=", with: "%3D").replacing("&", with: "%26"),
            "https%3A%2F%2Foauth.vk.ru%2Fblank.html%23"
                + good.replacing("=", with: "%3D").replacing("&", with: "%26"),
            "https://vk.com/auth?authorize_url=https%253A%252F%252Foauth.vk.com%252Fblank.html%2523access_token%253D"
                + "vk1.a.AbC_d-09%25252B%25252F%25253D%2526user_id%253D123456%2526state%253Dst1",
            "https://oauth.vk.com/blank.html?state=st1#access_token=\(token)&user_id=123456",
            "HTTPS://OAUTH.VK.COM/blank.html#" + good,
        ])
    func forms(_ text: String) throws {
        guard case .token(let read, let user, let expires, let state) = try PastedAddress.read(text) else {
            Issue.record("no token")
            return
        }
        #expect(read.revealed == token)
        #expect(user == 123456 && expires == nil && state == "st1")
    }

    @Test("tells when the token ends")
    func expiry() {
        let address = whole.replacing("expires_in=0", with: "expires_in=86400")
        #expect(outcome(address) == .token(Secret(token), user: 123456, expires: 86400, state: "st1"))
        let endless = whole.replacing("expires_in=0", with: "expires_in=\(Int64.max)")
        guard case .token(_, _, .some(let seconds), _) = outcome(endless) else {
            Issue.record("it was not read")
            return
        }
        #expect(seconds < .max / 2, "it is added to the time of day")
    }

    @Test(
        "is refused without repeating it where something is missing or it is not VK's",
        arguments: [
            "", "hello", "https://oauth.vk.com/blank.html", "https://oauth.vk.com/blank.html#",
            "https://oauth.vk.com/blank.html#user_id=123456",
            "https://oauth.vk.com/blank.html#access_token=&user_id=123456",
            "https://oauth.vk.com/blank.html#access_token=\(token)",
            "https://oauth.vk.com/blank.html#access_token=\(token)&user_id=",
            "https://oauth.vk.com/blank.html#access_token=\(token)&user_id=-5",
            "https://oauth.vk.com/blank.html#access_token=a%00b&user_id=5",
            "https://evil.test/blank.html#" + good, "https://vk.com@evil.test/blank.html#" + good,
            "https://vk.com.evil.test/blank.html#" + good, "https://evilvk.com/blank.html#" + good,
            "javascript://vk.com/blank.html#" + good,
        ])
    func refused(_ text: String) {
        let failure = refusal(text)
        #expect(failure?.code == .badArgument)
        #expect(failure?.message.contains(token) == false)
    }

    @Test("of a configured host counts as VK's")
    func configured() throws {
        let address = "http://127.0.0.1:9/oauth/blank.html#" + good
        #expect(refusal(address) != nil)
        let read = try PastedAddress.read(address, configured: ["http://127.0.0.1:8/method"])
        #expect(read == .token(Secret(token), user: 123456, expires: nil, state: "st1"))
    }

    @Test(
        "with an error is put into words",
        arguments: [
            ("#error=access_denied&error_reason=user_denied&error_description=The+user+denied", "refused on VK's page"),
            ("#error=invalid_scope&error_description=x", "scope"),
            ("#error=server_error&error_description=Something%20broke%0A%1B%5B2J", "Something broke[2J (server_error)"),
            ("#error=odd", "ended with odd"), ("#fail=1", "given up"), ("#cancel=1", "given up"),
        ])
    func errors(_ fragment: String, _ words: String) {
        guard case .refused(let said)? = outcome("https://oauth.vk.com/blank.html" + fragment) else {
            Issue.record("not refused")
            return
        }
        #expect(said.contains(words) && !said.contains("\u{1b}") && !said.contains("\n"))
    }

    @Test("of a confirmation without a token says that the old one holds")
    func success() { #expect(outcome("https://oauth.vk.com/blank.html#success=1") == .success) }
}

@Suite("A page a person is told to open")
struct PageAddressTests {
    @Test(
        "is shown where it is VK's or of a configured host",
        arguments: [
            "https://vk.com/captcha", "https://id.vk.ru/not_robot_captcha?a=b&c=1#x",
            "https://api.vk.com:443/captcha.php?sid=1",
            "http://127.0.0.1:77/captcha.php?sid=1",
        ])
    func shown(_ text: String) {
        #expect(PageAddress.shown(text, configured: ["http://127.0.0.1:8080/method"]) == text)
    }

    @Test(
        "is not shown where it is anybody else's or holds what no address has",
        arguments: [
            "http://vk.com/captcha", "https://vk.com.evil.test/", "https://evilvk.com/", "https://evil.test/vk.com",
            "https://vk.com@evil.test/", "https://evil.test\\@vk.com/", "https://evil.test#@vk.com/", "//vk.com/",
            "vk.com",
            "javascript:alert(1)", "file:///etc/passwd", "https://vk.com/\u{1b}[2J", "https://vk.com/\n",
            "https://vk.com/ a",
            "https://vk.com/\u{202e}", "https://vk.com/`id`", "https:///vk.com", "https://", "",
            "https://vk.com/" + String(repeating: "a", count: 3000),
        ])
    func hidden(_ text: String) {
        #expect(PageAddress.shown(text, configured: ["http://127.0.0.1:8080/method"]) == nil)
    }
}

@Suite("The authorize page")
struct AuthorizePageTests {
    private var profile: ClientProfile {
        ClientProfile(
            name: "mine", userAgent: "x", version: "5.131", apiURL: "https://api.vk.ru/method", clientID: "77",
            oauthURL: "https://oauth.vk.ru")
    }

    @Test("asks for a token with the client's number, the scope, the version and the state")
    func address() throws {
        let address = try AuthorizePage.address(profile, scope: "audio,offline", state: "a b")
        #expect(
            address == "https://oauth.vk.ru/authorize?client_id=77&display=page"
                + "&redirect_uri=https%3A%2F%2Foauth.vk.ru%2Fblank.html&scope=audio%2Coffline&response_type=token"
                + "&v=5.131&state=a%20b")
    }

    @Test("cannot be asked for by a profile without a client's number, and the words say what to set")
    func withoutNumber() {
        var profile = profile
        profile.clientID = nil
        let failure = #expect(throws: Failure.self) {
            try AuthorizePage.address(profile, scope: "audio", state: "s")
        }
        #expect(failure?.message.contains("[profile.mine]") == true)
    }
}
