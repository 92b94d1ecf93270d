import NyanCore
import NyanVK
import Testing

nonisolated private let foreign = TrackReference(id: TrackID(owner: -2001, audio: 55), accessKey: "k3y")

/// A source whose login says whose it is.
private func changer(_ http: ScriptedHTTP) -> VKSource {
    let source = makeSource(http)
    var known = credential
    known.user = 123456
    source.use(known)
    return source
}

/// A reply after which VK may have acted.
struct Lost: Sendable, CustomTestStringConvertible {
    var name: String
    var reply: Reply
    var testDescription: String { name }
}

private nonisolated let losses: [Lost] = [
    Lost(name: "timeout", reply: .failure(Failure(.timeout, "slow"))),
    Lost(name: "reset", reply: .failure(Failure(.network, "reset"))),
    Lost(name: "HTML", reply: .json("<html>")), Lost(name: "half an answer", reply: .json(#"{"response":{"items":["#)),
    Lost(name: "502", reply: .answer(502, "")), Lost(name: "error 1", reply: .error(1)),
    Lost(name: "error 10", reply: .error(10)),
]

@Suite("Changes of the profile")
struct ChangingTests {
    @Test(
        "both forms of the answer to an addition are the copy's id",
        arguments: [
            #"{"errors":[],"errors_count":0,"items":[{"audio_raw_id":"-2001_55","new_audio_id":9,"new_owner_id":123456}]}"#,
            #"{"items":[{"new_audio_id":"9","new_owner_id":"123456"}],"items_count":1}"#,
        ])
    func added(_ answer: String) async throws {
        let http = ScriptedHTTP(.json(#"{"response":\#(answer)}"#))
        #expect(try await changer(http).addOnce(foreign) == .done(TrackID(owner: 123456, audio: 9)))
        #expect(http.seen.map(\.method) == ["audio.add"])
        let fields = http.seen[0].fields
        #expect(fields["owner_id"] == "-2001" && fields["audio_id"] == "55" && fields["access_key"] == "k3y")
    }

    @Test(
        "where only the number is told the copy is the signed-in person's, and nothing more is asked",
        arguments: ["9", "\"9\""])
    func addedNumber(_ answer: String) async throws {
        let http = ScriptedHTTP(.json(#"{"response":\#(answer)}"#))
        http.otherwise = { _ in .failure(Failure(.network, "gone")) }
        #expect(try await changer(http).addOnce(foreign) == .done(TrackID(owner: 123456, audio: 9)))
        #expect(http.seen.map(\.method) == ["audio.add"])
    }

    @Test("a login that does not say whose it is asks before it adds, not after")
    func unknownOwner() async throws {
        let http = ScriptedHTTP(.json(#"{"response":[{"id":77}]}"#), .json(#"{"response":9}"#))
        #expect(try await makeSource(http).addOnce(foreign) == .done(TrackID(owner: 77, audio: 9)))
        #expect(http.seen.map(\.method) == ["users.get", "audio.add"])
        let silent = ScriptedHTTP()
        silent.otherwise = { _ in .error(5) }
        let source = makeSource(silent)
        let failure = await failure { () async throws(Failure) in _ = try await source.addOnce(foreign) }
        #expect(failure?.code == .notSignedIn && !silent.seen.contains { $0.method == "audio.add" })
    }

    @Test(
        "a refusal in the new form is one: nothing was added",
        arguments: [
            #"{"errors":[{"code":15,"description":"denied"}],"errors_count":1,"items":[]}"#,
            #"{"errors":["x"],"items":[]}"#, #"{"errors_count":1,"items_count":0}"#,
        ])
    func refusedInList(_ answer: String) async throws {
        let http = ScriptedHTTP(.json(#"{"response":\#(answer)}"#))
        let source = changer(http)
        let failure = await failure { () async throws(Failure) in _ = try await source.addOnce(foreign) }
        #expect(failure?.code == .denied && failure?.subject == foreign.id && http.seen.count == 1)
    }

    @Test("what was given up on the way may have been done")
    func givenUp() async throws {
        let http = ScriptedHTTP(.failure(Failure(.cancelled, "given up")))
        guard case .lost = try await changer(http).addOnce(foreign) else {
            Issue.record("it was believed")
            return
        }
        #expect(http.seen.count == 1)
    }

    @Test(
        "an addition that lists no copy leaves open what was done",
        arguments: ["{}", "[]", "0", #"{"items":[]}"#, "null"])
    func unreadable(_ answer: String) async throws {
        let http = ScriptedHTTP(.json(#"{"response":\#(answer)}"#))
        guard case .lost(let failure) = try await changer(http).addOnce(foreign) else {
            Issue.record("it was believed")
            return
        }
        #expect(failure.code == .badAnswer && http.seen.count == 1)
    }

    @Test("a lost answer is told as such after one try: nothing is repeated blindly", arguments: losses)
    func lost(_ loss: Lost) async throws {
        let id = TrackID(owner: 123456, audio: 9)
        let calls: [(VKSource) async throws -> Bool] = [
            { if case .lost = try await $0.addOnce(foreign) { true } else { false } },
            { if case .lost = try await $0.deleteOnce(id) { true } else { false } },
            { if case .lost = try await $0.restoreOnce(id) { true } else { false } },
        ]
        for call in calls {
            let http = ScriptedHTTP()
            http.otherwise = { _ in loss.reply }
            #expect(try await call(changer(http)))
            #expect(http.seen.count == 1)
        }
    }

    @Test("what VK refused was not done; only what came too fast is asked again")
    func refused() async throws {
        for (code, meaning) in [(9, Failure.Code.serverBusy), (14, .challengeNeeded), (15, .denied), (104, .notFound)] {
            let http = ScriptedHTTP(.error(code))
            let source = changer(http)
            let failure = await failure { () async throws(Failure) in _ = try await source.addOnce(foreign) }
            #expect(failure?.code == meaning && http.seen.count == 1)
        }
        let http = ScriptedHTTP(.error(6), .json(#"{"response":{"items":[{"new_audio_id":9,"new_owner_id":1}]}}"#))
        #expect(try await changer(http).addOnce(foreign) == .done(TrackID(owner: 1, audio: 9)))
        #expect(http.seen.count == 2)
    }

    @Test(
        "both forms of the answer to a removal mean that it is done",
        arguments: ["1", #"{"audio_ids":["123456_9"]}"#])
    func deleted(_ answer: String) async throws {
        let http = ScriptedHTTP(.json(#"{"response":\#(answer)}"#))
        guard case .done = try await changer(http).deleteOnce(TrackID(owner: 123456, audio: 9)) else {
            Issue.record("it was not believed")
            return
        }
        #expect(http.seen[0].method == "audio.delete" && http.seen[0].fields["audio_id"] == "9")
    }

    @Test("a restored track is described; after VK's time it is too late, which is said")
    func restored() async throws {
        let id = TrackID(owner: 123456, audio: 9)
        let http = ScriptedHTTP(.json(#"{"response":\#(audio(9))}"#), .json(#"{"response":1}"#), .error(202))
        let source = changer(http)
        guard case .done(let track) = try await source.restoreOnce(id) else {
            Issue.record("it was not believed")
            return
        }
        #expect(track?.id == id && track?.title == "T9")
        #expect(try await source.restoreOnce(id) == .done(nil))
        let failure = await failure { () async throws(Failure) in _ = try await source.restoreOnce(id) }
        #expect(failure?.code == .notFound && failure?.message.contains("too late") == true)
        #expect(failure?.message.contains("add it again") == true)
    }
}
