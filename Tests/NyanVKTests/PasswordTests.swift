import NyanCore
import NyanVK
import Testing

private nonisolated let client = ClientProfile(
    name: "android", userAgent: "VKAndroidApp/8.50", version: "5.131", apiURL: "https://api.vk.test/method",
    headers: ["X-VK-Android-Client": "new"], clientID: "2274003", oauthURL: "https://oauth.vk.test")
private nonisolated let wish = PasswordWish(
    user: "+7 999", password: Secret("p&ss wörd"), profile: client, clientSecret: Secret("hush"), scope: "audio,offline"
)
private nonisolated let granted = Reply.json(#"{"access_token":"vk1.a.new","expires_in":0,"user_id":5}"#)
private nonisolated let sms = """
    {"error":"need_validation","validation_type":"2fa_sms","validation_sid":"vs","phone_mask":"+7 *** 89",
    "redirect_uri":"https://oauth.vk.com/validate?h=1","error_description":"sms sent"}
    """
private nonisolated let captcha =
    #"{"error":"need_captcha","captcha_sid":"77","captcha_img":"https://api.vk.com/captcha.php?sid=77"}"#
private nonisolated let wrongCode = #"{"error":"invalid_request","error_type":"wrong_otp","error_description":"x"}"#

private nonisolated func denied(_ body: String) -> Reply { .answer(401, body) }

@Suite("Signing in with name and password")
struct PasswordTests {
    let clock = TestClock()

    private func grant(_ http: ScriptedHTTP, _ keeper: ScriptedKeeper) async -> Result<Credential, Failure> {
        let grant = PasswordGrant(http: http, time: clock, keeper: keeper, requireNetwork: {})
        do throws(Failure) { return .success(try await grant.grant(wish)) } catch { return .failure(error) }
    }

    @Test("asks once, as the client does, with the secrets in the body only")
    func once() async throws {
        let http = ScriptedHTTP(granted)
        let keeper = ScriptedKeeper()
        let credential = try await grant(http, keeper).get()
        #expect(credential == Credential(profile: client, token: Secret("vk1.a.new"), way: .password, user: 5))
        #expect(http.seen.count == 1)
        let seen = http.seen[0]
        #expect(seen.request.url.revealed == "https://oauth.vk.test/token" && seen.request.method == .post)
        #expect(seen.header("user-agent") == "VKAndroidApp/8.50" && seen.header("x-vk-android-client") == "new")
        var fields = seen.fields
        #expect(fields.removeValue(forKey: "device_id")?.count == 16)
        #expect(
            fields == [
                "grant_type": "password", "client_id": "2274003", "client_secret": "hush", "username": "+7 999",
                "password": "p&ss wörd", "scope": "audio,offline", "2fa_supported": "1", "force_sms": "1", "v": "5.131",
                "lang": "ru",
            ])
    }

    @Test("asks for the code, says where it went, and repeats the same request with it")
    func code() async throws {
        let http = ScriptedHTTP(denied(sms), denied(wrongCode), granted)
        let keeper = ScriptedKeeper(.fields([FormField("code", "1")]), .fields([FormField("code", "2")]))
        _ = try await grant(http, keeper).get()
        #expect(keeper.asked[0].kind == .code(.sms) && keeper.asked[0].words == "+7 *** 89")
        #expect(keeper.asked[0].address == "https://oauth.vk.com/validate?h=1" && keeper.asked[0].note == nil)
        #expect(keeper.asked[1].kind == .code(.sms) && keeper.asked[1].note != nil)
        let own = http.seen[0].fields
        #expect(http.seen[1].fields == own.merging(["code": "1"]) { $1 })
        #expect(http.seen[2].fields == own.merging(["code": "2"]) { $1 })
        #expect(keeper.ends == [nil])
    }

    @Test("keeps the code through a captcha, whose answer goes once")
    func captchaBetween() async throws {
        let http = ScriptedHTTP(denied(captcha), denied(sms), denied(captcha), granted)
        let keeper = ScriptedKeeper(
            .fields([FormField("captcha_key", "a")]), .fields([FormField("code", "1")]),
            .fields([FormField("captcha_key", "b")]))
        _ = try await grant(http, keeper).get()
        #expect(keeper.asked.map(\.kind) == [.picture, .code(.sms), .picture])
        #expect(http.seen.map { $0.fields["captcha_key"] } == [nil, "a", nil, "b"])
        #expect(http.seen.map { $0.fields["code"] } == [nil, nil, "1", "1"])
        #expect(http.seen.allSatisfy { $0.fields["password"] == "p&ss wörd" })
    }

    @Test("sends the password no second time where only another call's question is over")
    func releasedByAnother() async throws {
        let http = ScriptedHTTP(denied(sms), granted)
        let keeper = ScriptedKeeper(.released, .released, .fields([FormField("code", "1")]))
        _ = try await grant(http, keeper).get()
        #expect(keeper.asked.count == 3 && keeper.asked.allSatisfy { $0 == keeper.asked[0] })
        #expect(http.seen.map { $0.fields["code"] } == [nil, "1"])
        #expect(keeper.logins.count == 1 && keeper.calls == Set(keeper.logins))
    }

    @Test("sends another code when asked to, not before VK's delay is over")
    func resend() async throws {
        let http = ScriptedHTTP(
            denied(sms), .json(#"{"response":{"type":"general","sid":"vs","delay":60}}"#), granted)
        let keeper = ScriptedKeeper(.resend, .resend, .fields([FormField("code", "1")]))
        _ = try await grant(http, keeper).get()
        #expect(http.seen.map(\.method) == ["token", "auth.validatePhone", "token"])
        #expect(http.seen[1].fields["sid"] == "vs" && http.seen[1].fields["password"] == nil)
        #expect(keeper.asked[1].note == "Another code is on its way")
        #expect(keeper.asked[2].note == "VK sends another code in 60 s")
    }

    @Test("says so when another code comes too early for VK")
    func tooEarly() async throws {
        let http = ScriptedHTTP(denied(sms), .error(1112), granted)
        let keeper = ScriptedKeeper(.resend, .fields([FormField("code", "1")]))
        _ = try await grant(http, keeper).get()
        #expect(keeper.asked[1].note?.contains("too early") == true)
    }

    @Test("takes a token whose end no calendar knows")
    func farEnd() async throws {
        let http = ScriptedHTTP(
            .json(#"{"access_token":"vk1.a.new","expires_in":\#(Int64.max),"user_id":5}"#))
        let credential = try await grant(http, ScriptedKeeper()).get()
        #expect(try #require(credential.expires) < .max / 2)
    }

    @Test("takes the token that the page gave instead of a code")
    func page() async throws {
        let http = ScriptedHTTP(
            denied(#"{"error":"need_validation","redirect_uri":"https://oauth.vk.com/validate?h=1"}"#))
        let keeper = ScriptedKeeper(.token(Secret("t"), user: 5, expires: nil))
        let credential = try await grant(http, keeper).get()
        #expect(keeper.asked.map(\.kind) == [.validation])
        #expect(credential.token == Secret("t") && credential.user == 5 && http.seen.count == 1)
    }

    @Test(
        "is never tried again by itself; each refusal has its words",
        arguments: [
            (
                denied(#"{"error":"invalid_client","error_type":"username_or_password_is_incorrect"}"#),
                Failure.Code.notSignedIn, "name and password"
            ),
            (denied(#"{"error":"9;Flood control"}"#), .serverBusy, "hours"),
            (denied(#"{"error":"invalid_request","error_type":"password_bruteforce_attempt"}"#), .serverBusy, "hours"),
            (.error(1105), .serverBusy, "hours"),
            (
                denied(#"{"error":"unauthorized_client","error_description":"No way\u001b[2J"}"#), .notSignedIn,
                "No way[2J (unauthorized_client)"
            ),
            (denied("<html>"), .denied, "401"), (.answer(503, ""), .serverBusy, "503"), (.json("{}"), .badAnswer, ""),
            (.json(#"{"access_token":"x"}"#), .badAnswer, ""),
            (.failure(Failure(.network, "no route")), .network, "no route"),
            (
                denied(#"{"error":"need_captcha","captcha_sid":"1","captcha_img":"https://evil.test/"}"#),
                .challengeNeeded,
                "log in another way"
            ),
        ])
    func refused(_ reply: Reply, _ code: Failure.Code, _ words: String) async {
        let http = ScriptedHTTP()
        http.otherwise = { _ in reply }
        let keeper = ScriptedKeeper(.again, .again)
        guard case .failure(let failure) = await grant(http, keeper) else {
            Issue.record("granted")
            return
        }
        #expect(failure.code == code && failure.message.contains(words), "\(failure)")
        #expect(!failure.message.contains("p&ss") && !failure.message.contains("evil"))
        #expect(http.seen.count == 1 && clock.naps.isEmpty && keeper.ends == [failure])
    }

    @Test("ends after twelve questions, whatever VK still wants")
    func endless() async {
        let http = ScriptedHTTP()
        http.otherwise = { _ in denied(captcha) }
        let keeper = ScriptedKeeper()
        keeper.onAsk = { keeper.answers = [.fields([FormField("captcha_key", "a")])] }
        let outcome = await grant(http, keeper)
        #expect(throws: Failure.self) { try outcome.get() }
        #expect(http.seen.count == 13)
    }

    @Test("shows no secret wherever its parts are described")
    func described() {
        #expect(!"\(wish)".contains("p&ss") && !"\(wish)".contains("hush"))
    }
}
