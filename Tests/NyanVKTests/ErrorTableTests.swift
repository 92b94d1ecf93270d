import NyanCore
import NyanVK
import Testing

@testable import enum NyanVK.VKErrorTable

/// One error answer and what must come of it.
nonisolated struct Refusal: Sendable, CustomTestStringConvertible {
    var code: Int
    var meaning: Failure.Code
    var retry = Failure.Retry.never
    init(_ code: Int, _ meaning: Failure.Code, _ retry: Failure.Retry = .never) {
        self.code = code
        self.meaning = meaning
        self.retry = retry
    }
    var testDescription: String { "\(code) is \(meaning.rawValue)" }
}

nonisolated let refusals: [Refusal] =
    [2, 3, 11, 20, 21, 23, 34, 35].map { Refusal($0, .clientRefused) }
    + [4, 5, 27, 28, 1114, 1116, 1117, 1118, 3609].map { Refusal($0, .notSignedIn) }
    + [7, 15, 22, 30, 37, 38, 39, 40, 41, 42, 103, 105, 106, 200, 201, 203, 204].map { Refusal($0, .denied) }
    + [220, 221, 260, 270, 300, 301, 302, 500, 600, 603, 3610, 3611, 77777].map { Refusal($0, .denied) }
    + [14, 17, 24, 25, 1110, 1112, 1113, 3300, 3301, 3302, 3303, 3304, 3305, 11500].map {
        Refusal($0, .challengeNeeded)
    }
    + [16, 100, 101, 113, 114, 118, 119, 121, 123, 125, 129, 150].map { Refusal($0, .badArgument) }
    + [8, 12, 13, 9999].map { Refusal($0, .internal) } + [18, 19].map { Refusal($0, .unavailableTrack) }
    + [104, 202].map { Refusal($0, .notFound) } + [Refusal(33, .unsupported)]
    + [
        Refusal(9, .serverBusy, .after(seconds: 300)), Refusal(29, .serverBusy, .after(seconds: 3600)),
        Refusal(43, .serverBusy, .after(seconds: 600)), Refusal(601, .serverBusy, .after(seconds: 86400)),
        Refusal(1105, .serverBusy, .after(seconds: 7200)),
    ]

@Suite("VK's error numbers")
struct ErrorTableTests {
    @Test("each ends the call at once with its meaning and its number", arguments: refusals)
    func meanings(_ refusal: Refusal) async {
        let http = ScriptedHTTP(.error(refusal.code, words: "anything"))
        let source = makeSource(http)
        let failure = await failure { () async throws(Failure) in
            _ = try await source.profilePage(owner: 5, offset: 0, count: 200)
        }
        #expect(failure?.code == refusal.meaning)
        #expect(failure?.retry == refusal.retry)
        #expect(failure?.message.hasSuffix("(VK error \(refusal.code))") == true)
        #expect(http.seen.count == 1)
    }

    @Test(
        "error 5 says why the token is refused",
        arguments: [
            (1130, "User authorization failed", "another network address"),
            (0, "User authorization failed: access_token was given to another ip address.", "another network address"),
            (1117, "", "expired"), (0, "User authorization failed: access_token has expired.", "expired"),
            (0, "User authorization failed: invalid session.", "ended this session"),
            (0, "User authorization failed: user revoke access for this token.", "revoked"),
            (0, "User authorization failed: invalid access_token (4).", "copied whole"),
            (0, "You should specify sig param for nohttps requests", "nohttps"),
            (0, "User authorization failed: no access_token passed.", "no token"),
            (0, "something new", "does not accept the token"),
        ])
    func authorization(_ subcode: Int, _ words: String, _ expected: String) async {
        let http = ScriptedHTTP(.error(5, subcode: subcode, words: words))
        let source = makeSource(http)
        let failure = await failure { () async throws(Failure) in _ = try await source.resolve([]) }
        #expect(failure == nil, "nothing to ask for")
        let refused = await NyanVKTests.failure { () async throws(Failure) in
            _ = try await source.search("x", count: 1, byArtist: false)
        }
        #expect(refused?.code == .notSignedIn)
        #expect(refused?.message.contains(expected) == true)
    }

    @Test("error 5 with ban_info says that the account is blocked")
    func ban() async {
        let http = ScriptedHTTP(.error(5, words: "invalid session", more: #","ban_info":{"member_name":"x"}"#))
        let source = makeSource(http)
        let failure = await failure { () async throws(Failure) in
            _ = try await source.search("x", count: 1, byArtist: false)
        }
        #expect(failure?.message.contains("blocked this account") == true)
    }

    @Test("a client that lost its music is named so, with the way out")
    func kate() async {
        let source = makeSource(ScriptedHTTP(.error(3, words: "Unknown method passed")))
        let failure = await failure { () async throws(Failure) in
            _ = try await source.profilePage(owner: nil, offset: 0, count: 200)
        }
        #expect(failure?.message == "This token's client no longer has music at VK; log in another way (VK error 3)")
    }

    @Test("are read from numbers, texts and nonsense alike")
    func oddErrors() async {
        for (body, code) in [
            (#"{"error":{"error_code":"15"}}"#, Failure.Code.denied), (#"{"error":"invalid_client"}"#, .denied),
            (#"{"error":[]}"#, .denied), (#"{"error":{"error_code":15},"response":[]}"#, .denied),
        ] {
            let source = makeSource(ScriptedHTTP(.json(body)))
            let failure = await failure { () async throws(Failure) in
                _ = try await source.search("x", count: 1, byArtist: false)
            }
            #expect(failure?.code == code)
        }
    }

    @Test("no message or description of any failure holds the token, whatever VK repeats", arguments: refusals)
    func secrecy(_ refusal: Refusal) async throws {
        let escaped = token.replacing("/", with: "\\/")
        let echo =
            #","request_params":[{"key":"access_token","value":"\#(escaped)"}],"error_text":"\#(escaped)","#
            + #""confirmation_text":"\#(escaped)","redirect_uri":"https://id.vk.test/?session_token=\#(escaped)""#
        let source = makeSource(ScriptedHTTP(.error(refusal.code, words: escaped, more: echo)))
        let failure = try #require(
            await failure { () async throws(Failure) in _ = try await source.search("x", count: 1, byArtist: false) })
        #expect(failure.code == refusal.meaning)
        for text in [failure.message, "\(failure)", String(reflecting: failure)] {
            #expect(!text.contains("SeCrEt") && !text.contains("session_token"))
        }
    }
}
