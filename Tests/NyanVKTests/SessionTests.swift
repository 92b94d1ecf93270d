import NyanCore
import NyanVK
import Testing

private nonisolated let sid = "SID-canary"
private nonisolated let web = ClientProfile(
    name: "web", userAgent: "Mozilla/5.0", version: "5.282", apiURL: "https://api.vk.test/method",
    headers: ["Origin": "https://vk.ru", "Referer": "https://vk.ru/"], clientID: "6287487",
    loginURL: "https://login.vk.test")
private nonisolated let session = Credential(
    profile: web, token: Secret(token), way: .cookies, expires: 1000,
    cookies: WebCookies(remixsid: Secret(sid), p: Secret("P-canary")), user: 123)
private nonisolated let okay =
    #"{"type":"okay","data":{"access_token":"vk1.a.fresh","expires":1790000000,"user_id":123,"logout_hash":"h"}}"#

private func exchange(_ http: ScriptedHTTP, now: Int64 = 1_780_000_000) -> VKSession {
    VKSession(http: http, time: TestClock(), seed: 7, wallClock: { now })
}

@Suite("A web session's token")
struct SessionExchangeTests {
    @Test("is asked for as the site's own page does it")
    func request() async throws {
        let http = ScriptedHTTP(.json(okay))
        let fresh = try await exchange(http).renewed(session)
        let seen = try #require(http.seen.first)
        #expect(seen.request.method == .post && seen.request.url.revealed == "https://login.vk.test/?act=web_token")
        #expect(seen.fields == ["version": "1", "app_id": "6287487", "access_token": token])
        #expect(seen.header("Cookie") == "remixsid=\(sid); p=P-canary" && seen.header("Origin") == "https://vk.ru")
        #expect(seen.header("Referer") == "https://vk.ru/" && seen.header("User-Agent") == "Mozilla/5.0")
        #expect(fresh.token == Secret("vk1.a.fresh") && fresh.expires == 1_790_000_000 && fresh.user == 123)
        #expect(fresh.cookies == session.cookies && fresh.way == .cookies)
    }

    @Test(
        "ends when VK says, a small number being what is left",
        arguments: [
            ("1790000000", Int64?.some(1_790_000_000)), ("\"900\"", 1_780_000_900), ("0", 1_780_000_000), ("null", nil),
            ("-9223372036854775808", 1_780_000_000), ("9223372036854775807", 1_780_000_000 + TokenLife.longest),
        ] as [(String, Int64?)])
    func expiry(_ text: String, _ expires: Int64?) async throws {
        let http = ScriptedHTTP(.json(okay.replacing("1790000000", with: text)))
        #expect(try await exchange(http).renewed(session).expires == expires)
    }

    @Test("comes with changed cookies, which are taken over after a success only")
    func cookies() async throws {
        let http = ScriptedHTTP()
        http.setCookies = ["remixlang=3; path=/", "remixsid=rotated; domain=.vk.ru; secure"]
        http.script = [.json(okay)]
        #expect(try await exchange(http).renewed(session).cookies?.header.revealed == "remixsid=rotated; p=P-canary")
    }

    @Test(
        "is refused in one sentence that says what to do; nothing secret is in it",
        arguments: [
            #"{"type":"error","error_info":"unauthorized"}"#, #"{"type":"error","error_code":5}"#,
            #"{"type":"error","error_info":"SID-canary vk1.a.x"}"#, #"{"error_info":"unauthorized"}"#,
        ])
    func refused(_ body: String) async {
        let http = ScriptedHTTP()
        http.setCookies = ["remixsid=DELETED; expires=Thu, 01 Jan 1970 00:00:01 GMT"]
        http.script = [.json(body)]
        let failure = await failure { () async throws(Failure) in _ = try await exchange(http).renewed(session) }
        #expect(failure?.code == .notSignedIn && failure?.message.contains("login --cookies") == true)
        #expect(failure?.message.contains("canary") == false && http.seen.count == 1)
    }

    @Test(
        "that does not come is no refusal: network trouble, HTML and half answers say nothing about the login",
        arguments: [
            (Reply.json("<html>429</html>"), Failure.Code.badAnswer, 3), (.json(""), .badAnswer, 3),
            (.json(#"{"type":"okay","data":{"access_tok"#), .badAnswer, 3),
            (.json(#"{"type":"okay","data":{"access_token":""}}"#), .badAnswer, 3),
            (.json(#"{"type":"okay","data":[]}"#), .badAnswer, 3), (.answer(502, "bad"), .serverBusy, 3),
            (.answer(429, ""), .serverBusy, 1), (.failure(Failure(.network, "no route")), .network, 3),
            (.failure(Failure(.timeout, "slow")), .timeout, 3), (.answer(403, "no"), .denied, 1),
        ])
    func doubt(_ reply: Reply, _ code: Failure.Code, _ tries: Int) async {
        let http = ScriptedHTTP()
        http.otherwise = { _ in reply }
        let failure = await failure { () async throws(Failure) in _ = try await exchange(http).renewed(session) }
        #expect(failure?.code == code && http.seen.count == tries)
    }

    @Test("is not asked for in offline mode, nor taken from another person's session")
    func guards() async {
        let http = ScriptedHTTP(.json(okay.replacing("\"user_id\":123", with: "\"user_id\":77")))
        let exchange = exchange(http)
        #expect(
            await failure { () async throws(Failure) in _ = try await exchange.renewed(session) }?.code == .notSignedIn)
        exchange.requireNetwork = { () throws(Failure) in throw Failure(.offline, "off") }
        #expect(await failure { () async throws(Failure) in _ = try await exchange.renewed(session) }?.code == .offline)
        #expect(http.seen.count == 1)
    }
}

/// Gives out newer credentials as the test wants.
private final class Keeper: CredentialKeeping {
    var newer: Credential?
    var early: Credential?
    var failure: Failure?
    private(set) var rejected: [Secret] = []

    func fresh() async throws(Failure) -> Credential? { early }
    func renewed(after token: Secret) async throws(Failure) -> Credential? {
        rejected.append(token)
        if let failure { throw failure }
        return newer
    }
}

@Suite("A call whose token VK does not take")
struct RenewedCallTests {
    private let keeper = Keeper()
    private var fresh: Credential {
        var fresh = session
        fresh.token = Secret("vk1.a.fresh")
        return fresh
    }

    private func source(_ http: ScriptedHTTP) -> VKSource {
        let source = VKSource(http: http, time: TestClock(), seed: 7)
        source.keeper = keeper
        source.use(session)
        return source
    }

    @Test(
        "is made once more with a newer one",
        arguments: [
            Reply.error(5, words: "User authorization failed: access_token has expired."),
            .error(5, subcode: 1130, words: "User authorization failed."), .error(5, subcode: 1117),
            .error(5, words: "User authorization failed: access_token was given to another ip address."),
            .error(5, words: "User authorization failed: invalid access_token (4)."), .error(1117), .error(1114),
            .error(3609, more: #","extend_hash":"x""#),
        ])
    func renews(_ refusal: Reply) async throws {
        keeper.newer = fresh
        let http = ScriptedHTTP(refusal, list([audio(1)]))
        #expect(try await source(http).profilePage(owner: nil, offset: 0, count: 200).count == 1)
        #expect(http.seen.map { $0.fields["access_token"] } == [token, "vk1.a.fresh"])
        #expect(keeper.rejected == [Secret(token)])
        #expect(http.seen.allSatisfy { $0.fields["client_id"] == "6287487" })
    }

    @Test(
        "stays refused where a newer one does not help: the session was ended, revoked or blocked, or it is another error",
        arguments: [
            Reply.error(5, words: "User authorization failed: invalid session."),
            .error(5, words: "User authorization failed: user revoke access for this token."),
            .error(5, words: "access_token has expired", more: #","ban_info":{}"#), .error(15), .error(3),
        ])
    func stays(_ refusal: Reply) async {
        keeper.newer = fresh
        let http = ScriptedHTTP(refusal)
        let source = source(http)
        let failure = await failure { () async throws(Failure) in
            _ = try await source.search("x", count: 1, byArtist: false)
        }
        #expect(failure != nil && keeper.rejected.isEmpty && http.seen.count == 1)
    }

    @Test("is made twice at most, and ends with what the keeper says where there is nothing newer")
    func bounded() async {
        keeper.newer = fresh
        let http = ScriptedHTTP()
        http.otherwise = { _ in .error(1117) }
        let source = source(http)
        let search = { () async throws(Failure) in _ = try await source.search("x", count: 1, byArtist: false) }
        #expect(await failure(of: search)?.code == .notSignedIn)
        #expect(http.seen.count == 2)
        keeper.failure = Failure(.network, "no route")
        #expect(await failure(of: search)?.code == .network)
        #expect(http.seen.count == 3)
        (keeper.failure, keeper.newer) = (nil, nil)
        #expect(await failure(of: search)?.message.contains("expired") == true)
        #expect(http.seen.count == 4)
    }

    @Test("is made with the newer token at once where its end was near")
    func early() async throws {
        keeper.early = fresh
        let http = ScriptedHTTP()
        _ = try await source(http).profilePage(owner: nil, offset: 0, count: 200)
        #expect(http.seen.map { $0.fields["access_token"] } == ["vk1.a.fresh"])
    }

    @Test("ends as cancelled when somebody signs out meanwhile")
    func signedOut() async {
        keeper.newer = fresh
        let http = ScriptedHTTP(.error(1117))
        let source = source(http)
        http.onRequest = { [weak source] _ in source?.use(nil) }
        let failure = await failure { () async throws(Failure) in
            _ = try await source.search("x", count: 1, byArtist: false)
        }
        #expect(failure?.code == .cancelled && keeper.rejected.isEmpty)
    }

    @Test("the client's number goes along only in web calls")
    func clientID() async throws {
        let http = ScriptedHTTP()
        var other = web
        other.name = "mine"
        let source = VKSource(http: http, time: TestClock(), seed: 7)
        source.use(Credential(profile: other, token: Secret("t")))
        _ = try await source.search("x", count: 1, byArtist: false)
        source.use(Credential(profile: web, token: Secret("t")))
        _ = try await source.search("x", count: 1, byArtist: false)
        #expect(http.seen.map { $0.fields["client_id"] } == [nil, "6287487"])
    }
}
