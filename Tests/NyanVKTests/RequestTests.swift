import NyanCore
import NyanVK
import Testing

@Suite("A call to VK")
struct RequestTests {
    @Test("is a POST with the token in the body and never in the address or a header")
    func tokenInBody() async throws {
        let http = ScriptedHTTP()
        _ = try await makeSource(http).profilePage(owner: nil, offset: 0, count: 200)
        let seen = try #require(http.seen.first)
        #expect(seen.request.method == .post)
        #expect(seen.request.url.revealed == "https://api.vk.test/method/audio.get")
        #expect(seen.fields["access_token"] == token)
        #expect(!seen.request.headers.contains { $0.value.contains(token) })
    }

    @Test("carries the whole client profile: User-Agent, version, language and its own headers")
    func profileGoesAlong() async throws {
        let http = ScriptedHTTP()
        _ = try await makeSource(http).profilePage(owner: nil, offset: 0, count: 200)
        let seen = try #require(http.seen.first)
        #expect(seen.header("User-Agent") == profile.userAgent)
        #expect(seen.header("X-VK-Android-Client") == "new")
        #expect(seen.header("Content-Type") == "application/x-www-form-urlencoded; charset=utf-8")
        #expect(seen.fields["v"] == "5.199")
        #expect(seen.fields["lang"] == "ru")
    }

    @Test("keeps one User-Agent even if further headers name another, and bears a slash after the address")
    func oddProfile() async throws {
        let http = ScriptedHTTP()
        let source = VKSource(http: http, time: TestClock())
        var odd = profile
        odd.headers["user-agent"] = "other"
        odd.apiURL += "/"
        source.use(Credential(profile: odd, token: Secret(token)))
        _ = try await source.profilePage(owner: nil, offset: 0, count: 200)
        let seen = try #require(http.seen.first)
        #expect(seen.request.headers.filter { $0.name.lowercased() == "user-agent" }.map(\.value) == [odd.userAgent])
        #expect(seen.request.url.revealed == "https://api.vk.test/method/audio.get")
    }

    @Test(
        "encodes any text so that a server reads the same",
        arguments: ["a b&c=d+e%20", "Земфира – Искала", "🎵\u{200F}x\u{0}\n", "*-._~!'()", "日本"])
    func textsSurvive(_ text: String) async throws {
        let http = ScriptedHTTP()
        _ = try await makeSource(http).search(text, count: 10, byArtist: false)
        #expect(http.seen.first?.fields["q"] == text)
        let body = http.seen.first?.request.body ?? []
        #expect(body.allSatisfy { $0 > 32 && $0 < 127 })
    }

    @Test("speaks to media hosts with the profile's User-Agent, or plainly while signed out")
    func userAgent() {
        let source = makeSource(ScriptedHTTP(), signedIn: false)
        #expect(source.userAgent == "nyand")
        source.use(credential)
        #expect(source.userAgent == profile.userAgent)
    }

    @Test("is not made while signed out")
    func signedOut() async {
        let http = ScriptedHTTP()
        let source = makeSource(http, signedIn: false)
        let failure = await failure { () async throws(Failure) in
            _ = try await source.profilePage(owner: nil, offset: 0, count: 200)
        }
        #expect(failure?.code == .notSignedIn)
        #expect(http.seen.isEmpty)
    }

    @Test("whose answer comes after signing out is not believed")
    func signedOutMeanwhile() async {
        let http = ScriptedHTTP(list([audio(1)]))
        let source = makeSource(http)
        http.onRequest = { [weak source] _ in source?.use(nil) }
        let failure = await failure { () async throws(Failure) in
            _ = try await source.profilePage(owner: nil, offset: 0, count: 200)
        }
        #expect(failure?.code == .cancelled)
    }

    @Test("with the same credential put into use again goes on")
    func sameCredentialAgain() async throws {
        let http = ScriptedHTTP(list([audio(1)]))
        let source = makeSource(http)
        http.onRequest = { [weak source] _ in source?.use(credential) }
        #expect(try await source.profilePage(owner: nil, offset: 0, count: 200).tracks.count == 1)
    }
}
