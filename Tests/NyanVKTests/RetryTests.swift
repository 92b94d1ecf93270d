import NyanCore
import NyanVK
import Testing

/// An answer that is worth another try, and what it is called when it stays.
nonisolated struct Passing: Sendable, CustomTestStringConvertible {
    var name: String
    var reply: @Sendable @MainActor () -> Reply
    var code: Failure.Code
    var testDescription: String { name }
}

private nonisolated let passing: [Passing] = [
    Passing(name: "error 1", reply: { .error(1) }, code: .serverBusy),
    Passing(name: "error 6", reply: { .error(6) }, code: .serverBusy),
    Passing(name: "error 10", reply: { .error(10) }, code: .serverBusy),
    Passing(name: "error 32", reply: { .error(32) }, code: .serverBusy),
    Passing(name: "error 36", reply: { .error(36) }, code: .serverBusy),
    Passing(name: "HTTP 500", reply: { .answer(500, "oops") }, code: .serverBusy),
    Passing(name: "HTTP 503", reply: { .answer(503, "") }, code: .serverBusy),
    Passing(name: "no network", reply: { .failure(Failure(.network, "no route")) }, code: .network),
    Passing(name: "timeout", reply: { .failure(Failure(.timeout, "slow")) }, code: .timeout),
    Passing(name: "HTML", reply: { .json("<html><body>hello</body></html>") }, code: .badAnswer),
    Passing(name: "comment", reply: { .json("<!--") }, code: .badAnswer),
    Passing(name: "empty body", reply: { .json("") }, code: .badAnswer),
    Passing(name: "half JSON", reply: { .json(#"{"response":{"count":3,"items":[{"id":1,"#) }, code: .badAnswer),
    Passing(name: "no response", reply: { .json("{}") }, code: .badAnswer),
    Passing(name: "null response", reply: { .json(#"{"response":null}"#) }, code: .badAnswer),
    Passing(name: "false for a list", reply: { .json(#"{"response":false}"#) }, code: .badAnswer),
    Passing(name: "a number for a list", reply: { .json(#"{"response":1}"#) }, code: .badAnswer),
    Passing(name: "an object that is no list", reply: { .json(#"{"response":{"a":1}}"#) }, code: .badAnswer),
]

@Suite("Trouble that passes")
struct RetryTests {
    @Test("is overcome by trying again", arguments: passing)
    func overcome(_ trouble: Passing) async throws {
        let http = ScriptedHTTP(trouble.reply(), trouble.reply(), list([audio(1)]))
        let page = try await makeSource(http).profilePage(owner: nil, offset: 0, count: 200)
        #expect(page.tracks.map(\.id.audio) == [1])
        #expect(http.seen.count == 3)
        #expect(Set(http.seen.map(\.fields)).count == 1, "the same request each time")
    }

    @Test("is given up after five tries, in words that fit", arguments: passing)
    func bounded(_ trouble: Passing) async {
        let http = ScriptedHTTP()
        http.otherwise = { _ in trouble.reply() }
        let source = makeSource(http)
        let failure = await failure { () async throws(Failure) in
            _ = try await source.profilePage(owner: nil, offset: 0, count: 200)
        }
        #expect(failure?.code == trouble.code)
        #expect(http.seen.count == 5)
    }

    @Test("is told at once where nothing came for a whole try, and at the second connection that broke")
    func told() async throws {
        let told = Told()
        for (code, calls) in [(Failure.Code.timeout, [2]), (.network, [3]), (.serverBusy, [])] {
            let reply = Reply.failure(Failure(code, "trouble"))
            let http = ScriptedHTTP(reply, reply, list([audio(1)]))
            let source = makeSource(http)
            told.before = []
            source.metNoNetwork = { _ in told.before.append(http.seen.count + 1) }
            _ = try? await source.profilePage(owner: nil, offset: 0, count: 200)
            #expect(Array(told.before.prefix(1)) == calls, "\(code)")
        }
    }

    /// Before which of the requests trouble was told.
    private final class Told { var before: [Int] = [] }

    @Test("ends as offline once offline mode is on: nothing is asked again, nothing is begun", arguments: passing)
    func offline(_ trouble: Passing) async {
        let http = ScriptedHTTP()
        http.otherwise = { _ in trouble.reply() }
        let source = makeSource(http)
        http.onRequest = { [weak source] _ in
            source?.requireNetwork = { () throws(Failure) in throw Failure(.offline, "offline mode is on") }
        }
        for _ in 0..<2 {
            let failure = await failure { () async throws(Failure) in
                _ = try await source.profilePage(owner: nil, offset: 0, count: 200)
            }
            #expect(failure?.code == .offline && http.seen.count == 1)
        }
    }

    @Test("is waited out 1 s, 1.5, 2.25, 3.375 with up to a tenth more")
    func troubleDelays() async {
        let naps = await naps(after: .error(10))
        #expect(naps.count == 4)
        for (nap, base) in zip(naps, [1, 1.5, 2.25, 3.375]) {
            #expect(nap >= .seconds(base) && nap <= .seconds(base * 1.1))
        }
        #expect(Set(naps.map { $0 / .seconds(1) }).isDisjoint(with: [1, 1.5]), "jitter is added")
    }

    @Test("of too many calls a second is waited out 1 s, 1.2, 1.44, 1.728")
    func rateDelays() async {
        let naps = await naps(after: .error(6))
        #expect(naps.count == 4)
        for (nap, base) in zip(naps, [1, 1.2, 1.44, 1.728]) {
            #expect(nap >= .seconds(base) && nap <= .seconds(base * 1.1))
        }
    }

    private func naps(after reply: Reply) async -> [Duration] {
        let http = ScriptedHTTP()
        http.otherwise = { _ in reply }
        let clock = TestClock()
        let source = makeSource(http, clock: clock)
        _ = await failure { () async throws(Failure) in _ = try await source.search("x", count: 1, byArtist: false) }
        return clock.naps
    }

    @Test("too many calls a second holds every caller, not only the one who was told")
    func rateHoldsAll() async throws {
        let clock = TestClock()
        let http = ScriptedHTTP(.error(6))
        var starts: [Duration] = []
        http.onRequest = { _ in starts.append(clock.now) }
        let source = makeSource(http, clock: clock)
        let callers = ["a", "b"].map { text in
            Task.immediate { try await source.search(text, count: 1, byArtist: false) }
        }
        for caller in callers { _ = try await caller.value }
        #expect(http.seen.count == 3)
        #expect(starts[1] - starts[0] >= .seconds(1))
    }

    @Test("a response under a status of failure is not believed")
    func responseUnderFailure() async throws {
        let body = #"{"response":{"count":0,"items":[]}}"#
        let http = ScriptedHTTP(.answer(502, body), list([audio(1)]))
        #expect(try await makeSource(http).profilePage(owner: nil, offset: 0, count: 200).count == 1)
    }

    @Test("an error in VK's words counts whatever the HTTP status", arguments: [200, 400, 401, 500])
    func wordsBeforeStatus(_ status: Int) async {
        let http = ScriptedHTTP(.answer(status, #"{"error":{"error_code":15,"error_msg":"Access denied"}}"#))
        let source = makeSource(http)
        let failure = await failure { () async throws(Failure) in
            _ = try await source.profilePage(owner: 5, offset: 0, count: 200)
        }
        #expect(failure?.code == .denied)
        #expect(http.seen.count == 1)
    }

    @Test("a server that asks to wait for no number at all is waited for a minute", arguments: ["nan", "-nan", "x"])
    func noNumber(_ text: String) async {
        let http = ScriptedHTTP(.answer(429, "", headers: ["retry-after": text]))
        let source = makeSource(http)
        let failure = await failure { () async throws(Failure) in
            _ = try await source.search("x", count: 1, byArtist: false)
        }
        #expect(failure?.retry == .after(seconds: 60))
    }

    @Test(
        "an HTTP status of the last word is not tried again",
        arguments: [
            (429, Failure.Code.serverBusy), (403, .denied), (418, .denied), (404, .badAnswer), (413, .badAnswer),
        ])
    func finalStatus(_ status: Int, _ code: Failure.Code) async {
        let http = ScriptedHTTP(.answer(status, "<html>", headers: ["retry-after": "17"]))
        let source = makeSource(http)
        let failure = await failure { () async throws(Failure) in
            _ = try await source.search("x", count: 1, byArtist: false)
        }
        #expect(failure?.code == code)
        #expect(failure?.retry == (status == 429 ? .after(seconds: 17) : .never))
        #expect(http.seen.count == 1)
    }

    @Test("offline mode is no trouble of the network: it is not tried again")
    func offline() async {
        let http = ScriptedHTTP(.failure(Failure(.offline, "offline mode")))
        let source = makeSource(http)
        let failure = await failure { () async throws(Failure) in
            _ = try await source.search("x", count: 1, byArtist: false)
        }
        #expect(failure?.code == .offline)
        #expect(http.seen.count == 1)
    }
}
