import NyanCore
import NyanVK
import Testing

@Suite("Resolving")
struct ResolvingTests {
    private func references(_ range: ClosedRange<Int64>) -> [TrackReference] {
        range.map { TrackReference(id: TrackID(owner: 9, audio: $0)) }
    }

    /// Answers `getById` like VK: describes each id, or refuses the batch with 100 if one of `malformed` is in it.
    private func answerByID(malformed: Set<String> = []) -> (SeenRequest) -> Reply {
        { seen in
            let names = (seen.fields["audios"] ?? "").split(separator: ",").map(String.init)
            if !malformed.isDisjoint(with: names) { return .error(100) }
            return array(names.compactMap { TrackReference($0) }.map { audio($0.id.audio, owner: $0.id.owner) })
        }
    }

    @Test("asks with access keys, each id once, and matches answers by id in any order")
    func matching() async throws {
        let http = ScriptedHTTP(array([audio(3, owner: -2), audio(77), audio(1, owner: 9)]))
        let asked = ["9_1", "-2_3", "9_4", "-2_3_abc", "9_1"].compactMap { TrackReference($0) }
        let resolved = try await makeSource(http).resolve(asked)
        #expect(http.seen.map { $0.fields["audios"] } == ["9_1,-2_3_abc,9_4"])
        #expect(Set(resolved.keys) == [TrackID(owner: 9, audio: 1), TrackID(owner: -2, audio: 3)])
        let foreign = try #require(resolved[TrackID(owner: -2, audio: 3)])
        #expect(foreign.track.title == "T3" && foreign.track.accessKey == "abc")
        #expect(foreign.location?.url.revealed == "https://cdn.test/a/index.m3u8?x=1")
        #expect(!"\(resolved)".contains("cdn.test/a"), "the signed address stays secret")
    }

    @Test("takes a bare array or a list with items")
    func forms() async throws {
        for reply in [array([audio(1, owner: 9)]), list([audio(1, owner: 9)])] {
            #expect(try await makeSource(ScriptedHTTP(reply)).resolve(references(1...1)).count == 1)
        }
    }

    @Test("asks for at most a hundred at a time, in order")
    func batches() async throws {
        let http = ScriptedHTTP()
        http.otherwise = answerByID()
        let resolved = try await makeSource(http).resolve(references(1...250))
        #expect(resolved.count == 250)
        #expect(http.seen.map { $0.fields["audios"]?.split(separator: ",").count } == [100, 100, 50])
        #expect(http.seen[0].fields["audios"]?.hasPrefix("9_1,9_2,") == true)
    }

    @Test("asks nothing for no ids")
    func nothing() async throws {
        let http = ScriptedHTTP()
        #expect(try await makeSource(http).resolve([]).isEmpty)
        #expect(http.seen.isEmpty)
    }

    @Test("a malformed id costs only itself, wherever it stands", arguments: [1, 2, 50, 99, 100] as [Int64])
    func malformed(_ place: Int64) async throws {
        let http = ScriptedHTTP()
        http.otherwise = answerByID(malformed: ["9_\(place)"])
        let resolved = try await makeSource(http).resolve(references(1...100))
        #expect(Set(resolved.keys.map(\.audio)) == Set(1...100).subtracting([place]))
        #expect(http.seen.count <= 15)
    }

    @Test("a single malformed id is simply unknown")
    func singleMalformed() async throws {
        #expect(try await makeSource(ScriptedHTTP(.error(100))).resolve(references(1...1)).isEmpty)
    }

    @Test("when everything is refused it is no id's fault: it ends soon, with the refusal")
    func allRefused() async {
        let http = ScriptedHTTP()
        http.otherwise = { _ in .error(100) }
        let source = makeSource(http)
        let references = references(1...100)
        let failure = await failure { () async throws(Failure) in _ = try await source.resolve(references) }
        #expect(failure?.code == .badArgument)
        #expect(http.seen.count == 10)
    }

    @Test("other errors are not split")
    func otherErrors() async {
        let http = ScriptedHTTP(.error(15))
        let source = makeSource(http)
        let references = references(1...4)
        let failure = await failure { () async throws(Failure) in _ = try await source.resolve(references) }
        #expect(failure?.code == .denied)
        #expect(http.seen.count == 1)
    }

    @Test(
        "every kind of address is a location; no address is none, and then the track is unavailable",
        arguments: [
            ("https://cs9.test/p1/ab.mp3?extra=x", true), ("https://cs9.test/s/v1/acmp/TOKEN.mp3?siren=1", true),
            ("https://cs9.test/p1/a/b/index.m3u8?extra=x", true), ("https://psv4.test/audio/ee/t/t/t/index.m3u8", true),
            ("https://cs9.test/sample/x.mp3", false), ("", false),
            ("https://vk.com/mp3/audio_api_unavailable.mp3?extra=A#B", false),
        ])
    func addresses(_ url: String, _ isLocation: Bool) async throws {
        let http = ScriptedHTTP(array([audio(1, owner: 9, url: url)]))
        let resolved = try #require(try await makeSource(http).resolve(references(1...1)).values.first)
        #expect(resolved.location == (isLocation ? Location(url: Secret(url)) : nil))
        #expect(resolved.track.isAvailable == isLocation)
        #expect((resolved.track.unavailableReason == nil) == isLocation)
    }
}
