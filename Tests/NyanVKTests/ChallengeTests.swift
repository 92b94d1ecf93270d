import NyanCore
import NyanVK
import Testing

/// Answers questions from a script and remembers them.
final class ScriptedKeeper: ChallengeKeeper {
    /// What the person answers, in order; an answer beyond them is a refusal.
    var answers: [ChallengeAnswer]
    private(set) var asked: [Challenge] = []
    private(set) var methods: [String] = []
    private(set) var calls: Set<ObjectIdentifier> = []
    /// Logins that went to VK.
    private(set) var logins: [ObjectIdentifier] = []
    /// Calls that have ended, with their failures.
    private(set) var ends: [Failure?] = []
    /// Called with each question, before it is answered.
    var onAsk: () -> Void = {}

    init(_ answers: ChallengeAnswer...) { self.answers = answers }

    func passed(_ method: String, by call: ParkedCall) async throws(Failure) { methods.append(method) }

    func meet(
        _ challenge: Challenge, of method: String, by call: ParkedCall
    ) async throws(Failure) -> ChallengeAnswer {
        asked.append(challenge)
        calls.insert(ObjectIdentifier(call))
        onAsk()
        guard !answers.isEmpty else { throw Failure(.challengeNeeded, "nobody answered") }
        return answers.removeFirst()
    }

    func begins(login call: ParkedCall) { logins.append(ObjectIdentifier(call)) }

    func ended(_ call: ParkedCall, _ failure: Failure?) { ends.append(failure) }
}

private nonisolated let captcha = """
    ,"captcha_sid":"77","captcha_img":"https://api.vk.ru/captcha.php?sid=77","captcha_ts":1790000000.5,"captcha_attempt":1
    """

/// An error of VK's and the question that is made of it.
nonisolated struct Asked: Sendable, CustomTestStringConvertible {
    var code: Int
    var more: String
    var challenge: Challenge
    var testDescription: String { "\(code) \(challenge.kind)" }
}

private nonisolated let table = [
    Asked(
        code: 14, more: captcha,
        challenge: Challenge(
            .picture, sid: "77", address: "https://api.vk.ru/captcha.php?sid=77",
            echo: [FormField("captcha_ts", "1790000000.5"), FormField("captcha_attempt", "1")])),
    Asked(
        code: 14,
        more: captcha
            + #","redirect_uri":"https://id.vk.com/not_robot_captcha?a=1","remixstlid":"9000000000000000000""#,
        challenge: Challenge(
            .robotCheck, sid: "77", address: "https://id.vk.com/not_robot_captcha?a=1",
            echo: [
                FormField("captcha_ts", "1790000000.5"), FormField("captcha_attempt", "1"),
                FormField("remixstlid", "9000000000000000000"),
            ])),
    Asked(
        code: 17, more: #","redirect_uri":"https://oauth.vk.com/validate?x=1""#,
        challenge: Challenge(.validation, address: "https://oauth.vk.com/validate?x=1")),
    Asked(
        code: 24, more: #","confirmation_text":"Really\u001b[2J\n do it?""#,
        challenge: Challenge(.confirmation, words: "Really[2J do it?")),
    Asked(code: 24, more: "", challenge: Challenge(.confirmation)),
    Asked(
        code: 25, more: "",
        challenge: Challenge(
            .deed, words: "VK protects the account from this client: allow it under VK ID, Security, suspicious apps")),
    Asked(
        code: 3301, more: #","redirect_uri":"https://evil.test/""#,
        challenge: Challenge(.deed, words: "VK wants your phone confirmed")),
    Asked(code: 11500, more: "", challenge: Challenge(.deed, words: "VK wants this action confirmed")),
]

@Suite("A call that VK answers with a question")
struct ChallengeCallTests {
    private func page(_ source: VKSource) async -> Failure? {
        await failure { () async throws(Failure) in _ = try await source.profilePage(owner: nil, offset: 40, count: 20)
        }
    }

    @Test("asks the person in words and with addresses that may be shown", arguments: table)
    func asks(_ row: Asked) async {
        let http = ScriptedHTTP(.error(row.code, words: "VK words", more: row.more))
        let keeper = ScriptedKeeper(.again)
        let source = makeSource(http)
        source.challengeKeeper = keeper
        #expect(await page(source) == nil)
        #expect(keeper.asked == [row.challenge])
        #expect(http.seen.count == 2 && http.seen[0].fields == http.seen[1].fields)
        #expect(keeper.ends == [nil])
    }

    @Test("goes on with all its parameters and the answer's")
    func repeats() async {
        let http = ScriptedHTTP(.error(14, more: captcha), .error(14, more: captcha))
        let keeper = ScriptedKeeper(
            .fields([FormField("captcha_sid", "77"), FormField("captcha_key", "a b")]),
            .fields([FormField("success_token", "t")]))
        let source = makeSource(http)
        source.challengeKeeper = keeper
        #expect(await page(source) == nil)
        let own = http.seen[0].fields
        #expect(own["offset"] == "40" && own["access_token"] == token)
        #expect(http.seen[1].fields == own.merging(["captcha_sid": "77", "captcha_key": "a b"]) { $1 })
        #expect(http.seen[2].fields == own.merging(["success_token": "t"]) { $1 }, "an answer goes once")
        #expect(keeper.calls.count == 1 && keeper.ends.count == 1)
    }

    @Test("keeps neither the line nor the pace while it is parked")
    func lineIsFree() async {
        let http = ScriptedHTTP(.error(14, more: captcha), list([audio(1)]), list([audio(2)]))
        let keeper = GateKeeper()
        let source = makeSource(http)
        source.challengeKeeper = keeper
        let parked = Task { await page(source) }
        for await _ in keeper.asked { break }
        let other = try? await source.search("x", count: 5, byArtist: false)
        #expect(other?.map(\.id.audio) == [1])
        keeper.answer(.again)
        #expect(await parked.value == nil && http.seen.count == 3)
    }

    @Test("ends with what it was told when nobody answers")
    func unanswered() async {
        let http = ScriptedHTTP(.error(14, more: captcha))
        let keeper = ScriptedKeeper()
        let source = makeSource(http)
        source.challengeKeeper = keeper
        #expect(await page(source)?.message == "nobody answered")
        #expect(http.seen.count == 1 && keeper.ends.map { $0?.code } == [.challengeNeeded])
    }

    @Test("is not sent when the login changed while it was parked")
    func loggedOut() async {
        let http = ScriptedHTTP(.error(14, more: captcha))
        let keeper = ScriptedKeeper(.again)
        let source = makeSource(http)
        source.challengeKeeper = keeper
        keeper.onAsk = { source.use(nil) }
        #expect(await page(source)?.code == .cancelled && http.seen.count == 1)
    }

    @Test(
        "asks nobody where there is nothing to look at",
        arguments: [
            #","captcha_sid":"77","captcha_img":"https://evil.test/captcha.php""#,
            #","captcha_sid":"77""#, #","captcha_img":"https://api.vk.ru/captcha.php""#, "",
            captcha.replacing("https", with: "http"),
        ])
    func nothingToSee(_ more: String) async {
        let http = ScriptedHTTP(.error(14, more: more))
        let keeper = ScriptedKeeper(.again)
        let source = makeSource(http)
        source.challengeKeeper = keeper
        let failure = await page(source)
        #expect(failure?.code == .challengeNeeded && failure?.message.contains("evil") == false)
        #expect(keeper.asked.isEmpty && http.seen.count == 1)
    }

    @Test("goes on with another token where VK gave one, which is proved and kept first")
    func newToken() async {
        let more = #","redirect_uri":"https://oauth.vk.com/validate""#
        let http = ScriptedHTTP(.error(17, more: more))
        let keeper = ScriptedKeeper(.token(Secret("fresh"), user: 5, expires: nil))
        let source = makeSource(http)
        source.challengeKeeper = keeper
        source.takeCredential = { [weak source] credential async throws(Failure) in
            #expect(credential.user == 5)
            source?.use(credential)
        }
        #expect(await page(source) == nil)
        #expect(http.seen.map { $0.fields["access_token"] } == [token, "fresh"])
        #expect(keeper.ends == [nil, nil])
    }

    @Test("with another token lets those that waited for the same go on once it is in use")
    func waitingForToken() async {
        let more = #","redirect_uri":"https://oauth.vk.com/validate""#
        let http = ScriptedHTTP(.error(17, more: more), .error(17, more: more))
        let keeper = PairKeeper()
        let source = makeSource(http)
        var mine = credential
        mine.user = 5
        source.use(mine)
        source.challengeKeeper = keeper
        source.takeCredential = { [weak source] credential async throws(Failure) in
            for _ in 0..<100 { await Task.yield() }
            source?.use(credential)
        }
        async let first = page(source)
        async let second = page(source)
        #expect(await (first, second) == (nil, nil))
        #expect(http.seen.map { $0.fields["access_token"] } == [token, token, "fresh", "fresh"])
    }

    @Test("does not take another account's token")
    func foreignToken() async {
        let http = ScriptedHTTP(.error(17, more: #","redirect_uri":"https://oauth.vk.com/validate""#))
        let keeper = ScriptedKeeper(.token(Secret("fresh"), user: 6, expires: nil))
        let source = makeSource(http)
        source.challengeKeeper = keeper
        var mine = credential
        mine.user = 5
        source.use(mine)
        source.takeCredential = { _ async throws(Failure) in Issue.record("taken") }
        #expect(await page(source)?.code == .denied && http.seen.count == 1)
    }
}

/// Gives the first of two a token as soon as the second waits, and lets the second go when the first has ended.
private final class PairKeeper: ChallengeKeeper {
    private var first: (call: ParkedCall, waiter: CheckedContinuation<ChallengeAnswer, Never>)?
    private var second: CheckedContinuation<ChallengeAnswer, Never>?

    func passed(_ method: String, by call: ParkedCall) async throws(Failure) {}

    func meet(
        _ challenge: Challenge, of method: String, by call: ParkedCall
    ) async throws(Failure) -> ChallengeAnswer {
        await withCheckedContinuation { waiter in
            if let first {
                second = waiter
                first.waiter.resume(returning: .token(Secret("fresh"), user: 5, expires: nil))
            } else {
                first = (call, waiter)
            }
        }
    }

    func begins(login call: ParkedCall) {}

    func ended(_ call: ParkedCall, _ failure: Failure?) {
        guard call === first?.call else { return }
        second?.resume(returning: .released)
        second = nil
    }
}

/// Holds the one question until the test answers it.
private final class GateKeeper: ChallengeKeeper {
    let asked: AsyncStream<Void>
    private let tell: AsyncStream<Void>.Continuation
    private var waiter: CheckedContinuation<ChallengeAnswer, Never>?

    init() { (asked, tell) = AsyncStream.makeStream() }

    func passed(_ method: String, by call: ParkedCall) async throws(Failure) {}

    func meet(
        _ challenge: Challenge, of method: String, by call: ParkedCall
    ) async throws(Failure) -> ChallengeAnswer {
        await withCheckedContinuation {
            waiter = $0
            tell.yield()
        }
    }

    func begins(login call: ParkedCall) {}

    func ended(_ call: ParkedCall, _ failure: Failure?) {}

    func answer(_ answer: ChallengeAnswer) { waiter?.resume(returning: answer) }
}
