import NyanCore
import NyanVK
import Testing

@Suite("Proving a credential")
struct ProvingTests {
    private nonisolated static let person: Reply = .json(
        #"{"response":[{"id":42,"first_name":"Анна","last_name":"К&amp;О","is_closed":false}]}"#)

    private nonisolated static let captcha = Reply.error(
        14, more: #","captcha_sid":"77","captcha_img":"https://api.vk.ru/captcha.php?sid=77""#)

    @Test(
        "asks who it is and for one track, and tells the kind of locations",
        arguments: [
            ("https://cdn.test/a/index.m3u8?siren=1", "hls"), ("https://cdn.test/a.mp3?extra=1", "mp3"), ("", "none"),
        ])
    func account(_ url: String, _ kind: String) async throws {
        let http = ScriptedHTTP(Self.person, list([audio(1, url: url)], count: 450))
        let account = try await makeSource(http, signedIn: false).prove(credential)
        #expect(
            account == Account(id: 42, name: "Анна К&О", tracks: 450, login: "token", locationKind: kind))
        #expect(http.seen.map(\.method) == ["users.get", "audio.get"])
        #expect(http.seen[1].fields["count"] == "1")
    }

    @Test("with no track to ask about leaves the kind open")
    func emptyLibrary() async throws {
        let account = try await makeSource(ScriptedHTTP(Self.person, list([]))).prove(credential)
        #expect(account.tracks == 0 && account.locationKind == nil)
    }

    @Test("for a login waits for nobody else's captcha, and is one login over all its calls")
    func loginIsNotHeld() async throws {
        let http = ScriptedHTTP(Self.person, Self.captcha, list([]), Self.person)
        let keeper = ScriptedKeeper(.again)
        let source = makeSource(http, signedIn: false)
        source.challengeKeeper = keeper
        _ = try await source.prove(credential, isWanted: { true })
        #expect(keeper.methods.isEmpty && keeper.logins.count == 1 && keeper.calls == Set(keeper.logins))
        _ = try await source.prove(credential)
        #expect(keeper.methods == ["users.get", "audio.get"] && keeper.logins.count == 1)
    }

    @Test("for a login that is void asks the person nothing, and ends no other login's question", arguments: [0, 1, 2])
    func voidLogin(after requests: Int) async {
        let http = ScriptedHTTP(requests == 2 ? Self.person : Self.captcha, Self.captcha)
        let keeper = ScriptedKeeper(.again)
        let source = makeSource(http, signedIn: false)
        source.challengeKeeper = keeper
        let failure = await failure { () async throws(Failure) in
            _ = try await source.prove(credential, isWanted: { http.seen.count < requests })
        }
        #expect(failure?.code == .cancelled && failure?.message.contains("another login") == true)
        #expect(keeper.asked.isEmpty && http.seen.count == requests)
        #expect(keeper.logins.count == min(requests, 1))
    }

    @Test("does not take it into use")
    func notInUse() async throws {
        let source = makeSource(ScriptedHTTP(Self.person, list([])), signedIn: false)
        _ = try await source.prove(credential)
        #expect(source.userAgent == "nyand")
    }

    @Test(
        "fails when any part does",
        arguments: [
            ([.error(5)], .notSignedIn), ([Self.person, .error(3)], .clientRefused),
            ([Self.person, list([placeholderItem])], .clientRefused), ([.json(#"{"response":[]}"#)], .notSignedIn),
            ([.json(#"{"response":[{"id":1,"first_name":"DELETED","deactivated":"deleted"}]}"#)], .notSignedIn),
            ([Self.person, .error(14)], .challengeNeeded),
        ] as [([Reply], Failure.Code)])
    func refused(_ script: [Reply], _ code: Failure.Code) async {
        let http = ScriptedHTTP()
        http.script = script
        let source = makeSource(http, signedIn: false)
        let failure = await failure { () async throws(Failure) in _ = try await source.prove(credential) }
        #expect(failure?.code == code)
    }
}
