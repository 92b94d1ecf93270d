import NyanCore
import NyanVK
import Testing

@Suite("Playlists of VK")
struct PlaylistTests {
    private let id = PlaylistID(owner: 123456, number: 17)

    @Test("a page asks for its owner, offset and count, 100 at most, and reads what VK sends however odd")
    func page() async throws {
        let items = [
            #"{"id":17,"owner_id":123456,"type":0,"title":"A &amp; B","count":3,"description":"d","access_key":"ab"}"#,
            #"{"id":"4550144","owner_id":"-2000550144","title":"Album","count":"12","photo":null,"is_following":true}"#,
            #"{"id":18,"owner_id":123456,"title":"Copy","count":1,"original":{"owner_id":5,"playlist_id":6}}"#,
            #"{"id":6,"owner_id":5,"title":"X","followed":{"owner_id":123456,"playlist_id":19},"original":[]}"#,
            #"{"id":-21,"owner_id":123456,"title":"Mix of the day"}"#,
            #"{"title":"nobody's"}"#, "null",
        ]
        let http = ScriptedHTTP(
            .json(#"{"response":{"count":9,"items":[\#(items.joined(separator: ","))],"next_from":"x"}}"#))
        let page = try await makeSource(http).playlistPage(owner: 123456, offset: 100, count: 500)
        let fields = try #require(http.seen.first?.fields)
        #expect(http.seen.first?.method == "audio.getPlaylists")
        #expect(fields["owner_id"] == "123456" && fields["offset"] == "100" && fields["count"] == "100")
        #expect(page.count == 9 && page.itemCount == 7 && page.playlists.count == 5)
        #expect(
            page.playlists[0] == Playlist(id: id, accessKey: "ab", title: "A & B", about: "d", count: 3))
        #expect(page.playlists.map(\.isFollowed) == [false, true, true, true, false])
        #expect(page.playlists[1].id == PlaylistID(owner: -2_000_550_144, number: 4_550_144))
        #expect(page.playlists[1].count == 12)
        #expect(page.playlists[3].follow == PlaylistID(owner: 123456, number: 19))
        #expect(page.playlists[4].id.isGenerated)
    }

    @Test(
        "a page that does not say how long the list is, is no answer",
        arguments: [#"{"items":[]}"#, "1", "false", #"[{"id":1,"owner_id":2,"title":"x"}]"#])
    func unreadable(_ response: String) async {
        let http = ScriptedHTTP()
        http.otherwise = { _ in .json(#"{"response":\#(response)}"#) }
        let source = makeSource(http)
        let failure = await failure { () async throws(Failure) in
            _ = try await source.playlistPage(owner: nil, offset: 0, count: 100)
        }
        #expect(failure?.code == .badAnswer)
    }

    @Test("tracks are asked for by album_id with the key, and the placeholder is refused")
    func tracks() async throws {
        let http = ScriptedHTTP(list([audio(1), audio(2)], count: 5), list([placeholderItem]))
        let source = makeSource(http)
        let reference = PlaylistReference(id: PlaylistID(owner: -5, number: 17), accessKey: "ab")
        let page = try await source.playlistTracks(reference, offset: 0, count: 200)
        #expect(page.count == 5 && page.tracks.count == 2)
        let fields = try #require(http.seen.first?.fields)
        #expect(http.seen.first?.method == "audio.get")
        #expect(fields["owner_id"] == "-5" && fields["album_id"] == "17" && fields["access_key"] == "ab")
        let failure = await failure { () async throws(Failure) in
            _ = try await source.playlistTracks(reference, offset: 0, count: 200)
        }
        #expect(failure?.code == .clientRefused)
    }

    @Test("a description keeps the key it was asked with")
    func description() async throws {
        let http = ScriptedHTTP(.json(#"{"response":{"id":17,"owner_id":-5,"title":"T","count":2}}"#))
        let found = try await makeSource(http).playlist(
            PlaylistReference(id: PlaylistID(owner: -5, number: 17), accessKey: "ab"))
        #expect(found.accessKey == "ab" && found.count == 2)
        #expect(http.seen[0].method == "audio.getPlaylistById" && http.seen[0].fields["playlist_id"] == "17")
    }

    @Test(
        "a refusal is told in words, and a missing method is a missing feature and no useless account",
        arguments: [
            (3, Failure.Code.unsupported, "VK keeps playlists from this login's client"),
            (23, .unsupported, "VK keeps playlists"), (15, .denied, "VK does not open this playlist"),
            (104, .notFound, "VK knows no such playlist"), (201, .denied, "VK does not open this playlist"),
            (300, .denied, "full"), (14, .challengeNeeded, "captcha"), (5, .notSignedIn, "log in"),
        ])
    func refusals(_ code: Int, _ meaning: Failure.Code, _ words: String) async {
        let source = makeSource(ScriptedHTTP(.error(code)))
        let failure = await failure { () async throws(Failure) in
            _ = try await source.playlist(PlaylistReference(id: id))
        }
        #expect(failure?.code == meaning)
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    }

    @Test("what makes another playlist or adds tracks is not sent again by itself; the rest is")
    func once() async throws {
        let source: (ScriptedHTTP) -> any PlaylistSource = { makeSource($0) }
        let lost = Failure(.timeout, "late", retry: .later)
        let track = [TrackReference(id: TrackID(owner: 1, audio: 2), accessKey: "k")]
        for call in 0...1 {
            let http = ScriptedHTTP(.failure(lost))
            let failure = await failure { () async throws(Failure) in
                if call == 0 {
                    _ = try await source(http).createPlaylist("T", owner: 5)
                } else {
                    try await source(http).add(track, to: id)
                }
            }
            #expect(failure?.isLostAnswer == true && http.seen.count == 1)
        }
        let busy = ScriptedHTTP(.error(6), .json(#"{"response":{"id":9,"owner_id":5,"title":"T"}}"#))
        #expect(try await source(busy).createPlaylist("T", owner: 5).id.number == 9, "too fast is not done")
        #expect(busy.seen.count == 2 && busy.seen[0].fields["title"] == "T" && busy.seen[0].fields["owner_id"] == "5")
        let again = ScriptedHTTP(.failure(lost), .json(#"{"response":1}"#))
        try await source(again).delete(id)
        #expect(again.seen.map(\.method) == ["audio.deletePlaylist", "audio.deletePlaylist"])
    }

    @Test("changes name the playlist and the tracks, and take any form of yes")
    func changes() async throws {
        let http = ScriptedHTTP(
            .json(#"{"response":1}"#), .json(#"{"response":[{"audio_id":7}]}"#), .json(#"{"response":1}"#))
        let source = makeSource(http)
        let tracks = [TrackReference(id: TrackID(owner: 1, audio: 2)), TrackReference("-5_6_key")].compactMap { $0 }
        try await source.rename(Playlist(id: id, title: "old", about: "words"), to: "new")
        try await source.add(tracks, to: id)
        try await source.remove(tracks, from: id)
        #expect(
            http.seen.map(\.method) == ["audio.editPlaylist", "audio.addToPlaylist", "audio.removeFromPlaylist"])
        #expect(http.seen.allSatisfy { $0.fields["owner_id"] == "123456" && $0.fields["playlist_id"] == "17" })
        #expect(http.seen[0].fields["title"] == "new" && http.seen[0].fields["description"] == "words")
        #expect(http.seen[1].fields["audio_ids"] == "1_2,-5_6_key")
        #expect(http.seen[2].fields["audio_ids"] == "1_2,-5_6_key")
    }
}

@Suite("Recommendations, lyrics and the status of VK")
struct FeatureTests {
    @Test("recommended tracks are merged from items and audios, each once")
    func recommendations() async throws {
        let http = ScriptedHTTP(
            .json(
                #"{"response":{"count":3,"items":[\#(audio(1)),\#(audio(2))],"audios":[\#(audio(2)),\#(audio(3))]}}"#),
            .json(#"{"response":{"count":1,"audios":[\#(audio(4))]}}"#), array([audio(5)]))
        let source = makeSource(http)
        #expect(try await source.recommendations(like: nil, count: 500).map(\.id.audio) == [1, 2, 3])
        #expect(http.seen[0].fields["count"] == "100" && http.seen[0].fields["target_audio"] == nil)
        let like = TrackReference("-5_6_key")
        #expect(try await source.recommendations(like: like, count: 10).map(\.id.audio) == [4])
        #expect(http.seen[1].fields["target_audio"] == "-5_6")
        #expect(try await source.recommendations(like: nil, count: 10).map(\.id.audio) == [5])
    }

    @Test(
        "lyrics are read in every form",
        arguments: [
            (#"{"lyrics_id":5,"text":"one &amp; two\nthree"}"#, [(nil, "one & two"), (nil, "three")], nil),
            (
                #"{"md5":"x","credits":"By &quot;me&quot;","lyrics":{"language":"ru","text":["a","","b"]}}"#,
                [(nil, "a"), (nil, ""), (nil, "b")], "By \"me\""
            ),
            (
                #"{"md5":"x","lyrics":{"timestamps":[{"begin":2000,"end":3000,"line":"b"},"#
                    + #"{"begin":0,"end":2000,"line":"a"},{"begin":"3000","line":null},{"line":"lost"}]}}"#,
                [(0, "a"), (2000, "b"), (3000, "")], nil
            ),
            (#"{"md5":"x","lyrics":{"text":"a\nb","timestamps":[]}}"#, [(nil, "a"), (nil, "b")], nil),
        ] as [(String, [(Int?, String)], String?)])
    func lyrics(_ response: String, _ lines: [(Int?, String)], _ credits: String?) async throws {
        let http = ScriptedHTTP(.json(#"{"response":\#(response)}"#))
        let found = try await makeSource(http).lyrics(of: TrackReference(id: TrackID(owner: 1, audio: 2)))
        #expect(found?.lines == lines.map { Lyrics.Line(begin: $0.0, text: $0.1) })
        #expect(found?.credits == credits)
        #expect(http.seen[0].fields["audio_id"] == "1_2")
    }

    @Test(
        "no lyrics are nil, not a failure",
        arguments: [.error(104), .json(#"{"response":{"md5":"x","lyrics":{"text":[" ",""]}}}"#)] as [Reply])
    func noLyrics(_ reply: Reply) async throws {
        let source = makeSource(ScriptedHTTP(reply))
        #expect(try await source.lyrics(of: TrackReference(id: TrackID(owner: 1, audio: 2))) == nil)
    }

    @Test("an old version of the API is asked by the number of the words")
    func oldLyrics() async throws {
        let http = ScriptedHTTP(
            .error(100), array([audio(2, owner: 1, #","lyrics_id":77"#)]),
            .json(#"{"response":{"lyrics_id":77,"text":"la"}}"#))
        let found = try await makeSource(http).lyrics(of: TrackReference(id: TrackID(owner: 1, audio: 2)))
        #expect(found?.lines == [Lyrics.Line(text: "la")])
        #expect(http.seen.map(\.method) == ["audio.getLyrics", "audio.getById", "audio.getLyrics"])
        #expect(http.seen[2].fields["lyrics_id"] == "77")
        let none = makeSource(ScriptedHTTP(.error(100), array([audio(2, owner: 1)])))
        #expect(try await none.lyrics(of: TrackReference(id: TrackID(owner: 1, audio: 2))) == nil)
    }

    @Test("the status names a track or none, and refusals are told apart from trouble")
    func status() async throws {
        let http = ScriptedHTTP(.json(#"{"response":[123]}"#), .json(#"{"response":[]}"#), .error(221), .error(3))
        let source = makeSource(http)
        try await source.setBroadcast(TrackID(owner: 1, audio: 2))
        try await source.setBroadcast(nil)
        #expect(http.seen.map(\.method) == ["audio.setBroadcast", "audio.setBroadcast"])
        #expect(http.seen[0].fields["audio"] == "1_2" && http.seen[1].fields["audio"] == nil)
        for code in [Failure.Code.denied, .unsupported] {
            let failure = await failure { () async throws(Failure) in try await source.setBroadcast(nil) }
            #expect(failure?.code == code)
        }
    }
}
