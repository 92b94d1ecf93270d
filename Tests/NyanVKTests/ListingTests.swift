import NyanCore
import NyanVK
import Testing

@Suite("Listings")
struct ListingTests {
    @Test("a page asks for its owner, offset and count and counts what VK counts")
    func page() async throws {
        let http = ScriptedHTTP(list([audio(3), audio(2)], count: 450))
        let page = try await makeSource(http).profilePage(owner: -77, offset: 200, count: 200)
        #expect(page.count == 450 && page.itemCount == 2)
        #expect(page.tracks.map(\.id.audio) == [3, 2])
        let fields = try #require(http.seen.first?.fields)
        #expect(fields["owner_id"] == "-77" && fields["offset"] == "200" && fields["count"] == "200")
    }

    @Test("the signed-in person's page names no owner")
    func ownPage() async throws {
        let http = ScriptedHTTP()
        _ = try await makeSource(http).profilePage(owner: nil, offset: 0, count: 200)
        #expect(http.seen.first?.fields["owner_id"] == nil)
    }

    @Test(
        "odd forms of a page",
        arguments: [
            (#"{"count":"5","items":[]}"#, 5), (#"{"count":5}"#, 5), (#"{"count":5,"items":false}"#, 5),
            (#"{"count":5,"items":null}"#, 5), ("[]", 0), (#"{"count":0,"items":[],"profiles":[],"next_from":""}"#, 0),
        ])
    func oddPages(_ response: String, _ count: Int) async throws {
        let source = makeSource(ScriptedHTTP(.json(#"{"response":\#(response)}"#)))
        let page = try await source.profilePage(owner: nil, offset: 0, count: 200)
        #expect(page == TrackPage(count: count, tracks: [], itemCount: 0))
    }

    @Test("a page that does not say how long the list is, is no answer: a sync must not take the rest for gone")
    func lengthMissing() async {
        for reply in [array([audio(1)]), .json(#"{"response":{"items":[\#(audio(1))]}}"#)] {
            let source = makeSource(ScriptedHTTP(reply))
            let failure = await failure { () async throws(Failure) in
                _ = try await source.profilePage(owner: nil, offset: 0, count: 200)
            }
            #expect(failure?.code == .badAnswer)
        }
    }

    @Test("a search asks with completion, for at most 300, and for artists only when told")
    func search() async throws {
        let http = ScriptedHTTP(list([audio(1), audio(2), audio(1)]), list([]), list([]))
        let source = makeSource(http)
        let found = try await source.search("мумий & тролль", count: 1000, byArtist: false)
        #expect(found.map(\.id.audio) == [1, 2], "each once")
        _ = try await source.search("x", count: 0, byArtist: true)
        #expect(http.seen[0].method == "audio.search")
        #expect(http.seen[0].fields["q"] == "мумий & тролль")
        #expect(http.seen[0].fields["auto_complete"] == "1" && http.seen[0].fields["count"] == "300")
        #expect(http.seen[0].fields["performer_only"] == nil)
        #expect(http.seen[1].fields["performer_only"] == "1" && http.seen[1].fields["count"] == "1")
    }

    @Test("a search for nothing is not made", arguments: ["", " \n"])
    func emptySearch(_ text: String) async {
        let http = ScriptedHTTP()
        let source = makeSource(http)
        let failure = await failure { () async throws(Failure) in
            _ = try await source.search(text, count: 10, byArtist: false)
        }
        #expect(failure?.code == .badArgument)
        #expect(http.seen.isEmpty)
    }
}

@Suite("The placeholder track")
struct PlaceholderTests {
    @Test(
        "as the whole answer means that token and User-Agent do not match",
        arguments: [
            placeholderItem, placeholderItem.replacing("\"owner_id\":100", with: "\"owner_id\":\"100\""),
            placeholderItem.replacing("https://vk.com/mp3/audio_api_unavailable.mp3", with: ""),
            audio(5, url: "https://vk.ru/mp3/audio_api_unavailable.mp3"),
        ])
    func wholeAnswer(_ item: String) async {
        let source = makeSource(ScriptedHTTP(list([item]), list([item])))
        let page = await failure { () async throws(Failure) in
            _ = try await source.profilePage(owner: nil, offset: 0, count: 200)
        }
        let search = await failure { () async throws(Failure) in
            _ = try await source.search("x", count: 10, byArtist: false)
        }
        for failure in [page, search] {
            #expect(failure?.code == .clientRefused)
            #expect(failure?.message.contains("token and User-Agent do not match") == true)
        }
    }

    @Test("at getById is the same refusal, as an array or as a list")
    func getById() async {
        for reply in [array([placeholderItem]), list([placeholderItem])] {
            let source = makeSource(ScriptedHTTP(reply))
            let failure = await failure { () async throws(Failure) in
                _ = try await source.resolve([TrackReference(id: TrackID(owner: 5, audio: 6))])
            }
            #expect(failure?.code == .clientRefused)
        }
    }

    @Test("for every track of a list is the same refusal; for one of them only that one is unavailable")
    func withinList() async throws {
        let fake = "https://vk.com/mp3/audio_api_unavailable.mp3"
        let source = makeSource(
            ScriptedHTTP(list([audio(1, url: fake), audio(2, url: fake)]), list([audio(1), audio(2, url: fake)])))
        let all = await failure { () async throws(Failure) in
            _ = try await source.profilePage(owner: nil, offset: 0, count: 200)
        }
        #expect(all?.code == .clientRefused)
        let page = try await source.profilePage(owner: nil, offset: 0, count: 200)
        #expect(page.tracks.map(\.isAvailable) == [true, false])
    }

    @Test("as the last page of a longer list is only that track's")
    func lastPage() async throws {
        let item = audio(1, url: "https://vk.com/mp3/audio_api_unavailable.mp3")
        let source = makeSource(ScriptedHTTP(list([item], count: 401)))
        let page = try await source.profilePage(owner: nil, offset: 400, count: 200)
        #expect(page.tracks.map(\.isAvailable) == [false])
    }

    @Test("for the one track that was asked for makes that track unavailable")
    func oneResolved() async throws {
        let item = audio(6, owner: 5, url: "https://vk.com/mp3/audio_api_unavailable.mp3")
        let id = TrackID(owner: 5, audio: 6)
        let resolved = try await makeSource(ScriptedHTTP(array([item]))).resolve([TrackReference(id: id)])
        #expect(resolved[id]?.track.isAvailable == false)
        #expect(resolved[id]?.location == nil)
    }
}
