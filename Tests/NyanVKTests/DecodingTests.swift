import NyanCore
import NyanVK
import Testing

@Suite("Tracks as VK really sends them")
struct DecodingTests {
    /// The page that comes of these items.
    private func page(_ items: String...) async throws -> TrackPage {
        try await makeSource(ScriptedHTTP(list(items))).profilePage(owner: nil, offset: 0, count: 200)
    }

    private func track(_ item: String) async throws -> Track {
        try #require(try await page(item).tracks.first)
    }

    @Test("a full object of today becomes a track")
    func fullObject() async throws {
        let track = try await track(
            """
            {"artist":"Исполнитель","id":456239321,"owner_id":123456,"title":"Песня &amp; друг","duration":214,
            "access_key":"3fa1c0ffee","ads":{"content_id":"1_2","duration":"214"},"is_explicit":true,
            "track_code":"a1b2c3","date":1724851200,"url":"https://cdn.test/s/v1/ac/TOKEN/index.m3u8?siren=1",
            "album":{"id":4550144,"title":"Альбом &#9829;","owner_id":-2000550144,"access_key":"77aa","thumb":
            {"width":300,"height":300,"photo_34":"https://c.test/34","photo_300":"https://c.test/300"}},
            "main_artists":[{"name":"Исполнитель","domain":"i","id":"i"}],"genre_id":21,"content_restricted":0}
            """)
        #expect(
            track
                == Track(
                    id: TrackID(owner: 123456, audio: 456_239_321), accessKey: "3fa1c0ffee", artist: "Исполнитель",
                    title: "Песня & друг", album: "Альбом ♥", duration: 214, isExplicit: true,
                    coverURL: "https://c.test/300", date: 1_724_851_200))
    }

    @Test("numbers as texts, booleans as 0 and 1, null and wrong types read as well as they can")
    func oddTypes() async throws {
        let track = try await track(
            """
            {"id":"12","owner_id":"-2001550144","artist":null,"title":17,"duration":"214","url":false,"date":"1724851200",
            "is_explicit":1,"album":[],"thumb":false,"access_key":null,"content_restricted":null,"subtitle":[]}
            """)
        #expect(track.id == TrackID(owner: -2_001_550_144, audio: 12))
        #expect(track.artist == "" && track.title == "17" && track.duration == 214 && track.date == 1_724_851_200)
        #expect(track.isExplicit && track.isAvailable)
        #expect(track.album == nil && track.coverURL == nil && track.accessKey == nil)
    }

    @Test("only the identity is needed")
    func bareIdentity() async throws {
        let track = try await track(#"{"id":1,"owner_id":2}"#)
        #expect(track == Track(id: TrackID(owner: 2, audio: 1), artist: "", title: ""))
    }

    @Test(
        "one bad item is left out, counted, and costs no other",
        arguments: [
            "null", "false", "[]", "7", "\"x\"", "{}", #"{"id":5}"#, #"{"id":0,"owner_id":1}"#,
            #"{"id":5,"owner_id":0}"#, #"{"id":"x","owner_id":1}"#, #"{"id":99999999999999999999,"owner_id":1}"#,
            #"{"id":-5,"owner_id":1}"#, #"{"id":1.5e300,"owner_id":1}"#,
        ])
    func badItem(_ bad: String) async throws {
        let page = try await page(audio(1), bad, audio(3))
        #expect(page.tracks.map(\.id.audio) == [1, 3])
        #expect(page.itemCount == 3)
        #expect(page.count == 3)
    }

    @Test(
        "a title cut within an emoji, or bytes that are no UTF-8, cost no page",
        arguments: [
            (#"x\ud83d"#, "x\u{FFFD}"), (#"x\udE00y"#, "x\u{FFFD}y"), (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"),
            (#"\\ud83d\ud83d"#, "\\ud83d\u{FFFD}"), (#"\ud83d\n"#, "\u{FFFD} "),
        ])
    func halfSurrogates(_ title: String, _ shown: String) async throws {
        let track = try await track(#"{"id":1,"owner_id":2,"title":"\#(title)"}"#)
        #expect(track.title.unicodeScalars.elementsEqual(shown.unicodeScalars))
    }

    @Test("bytes of another charset cost no page")
    func wrongCharset() async throws {
        let head = Array(#"{"response":{"count":2,"items":[{"id":1,"owner_id":2,"title":""#.utf8)
        let tail = Array((#""},"# + audio(2) + "]}}").utf8)
        let http = ScriptedHTTP(.bytes(head + [0xCF, 0xE5, 0xF1] + tail))
        let page = try await makeSource(http).profilePage(owner: nil, offset: 0, count: 200)
        #expect(page.tracks.map(\.id.audio) == [1, 2])
        #expect(page.tracks.first?.title.hasPrefix("\u{FFFD}") == true)
    }

    @Test("texts stay what they are: emoji, right-to-left marks, decomposed letters, slashes, 500 letters")
    func textsKept() async throws {
        let long = String(repeating: "ж", count: 500)
        for title in ["🎵👩‍👩‍👧", "\u{202E}abc\u{200F}", "и\u{306}", "../a/b", ".x", " pad ", long] {
            let track = try await track(#"{"id":1,"owner_id":2,"title":"\#(title)"}"#)
            #expect(track.title.unicodeScalars.elementsEqual(title.unicodeScalars))
        }
    }

    @Test(
        "a subtitle follows the title in parentheses",
        arguments: [
            ("Song", #""Remix &amp; Co""#, "Song (Remix & Co)"), ("Song", #""(Live)""#, "Song (Live)"),
            ("", #""Remix""#, "Remix"), ("Song", #""""#, "Song"), ("Song", "null", "Song"),
        ])
    func subtitle(_ title: String, _ subtitle: String, _ shown: String) async throws {
        let track = try await track(#"{"id":1,"owner_id":2,"title":"\#(title)","subtitle":\#(subtitle)}"#)
        #expect(track.title == shown)
    }

    @Test(
        "the cover is the one of 600 pixels, else 300, else the largest there is",
        arguments: [
            (#"{"photo_300":"https://c/300","photo_600":"https://c/600"}"#, "https://c/600"),
            (#"{"photo_34":"https://c/3","photo_600":"https://c/600","photo_1200":"https://c/12"}"#, "https://c/600"),
            (#"{"photo_300":"https://c/300","photo_1200":"https://c/1200"}"#, "https://c/300"),
            (#"{"photo_34":"https://c/34","photo_135":"https://c/135"}"#, "https://c/135"),
            (#"{"photo_600":"","photo_68":"https://c/68"}"#, "https://c/68"),
            (#"{"sizes":[{"src":"https://c/s","width":"80"},{"url":"https://c/m","width":160},null]}"#, "https://c/m"),
            (#"{"photo_600":"file:///etc/passwd"}"#, nil), (#"{"width":300}"#, nil), ("[]", nil), ("null", nil),
        ] as [(String, String?)])
    func covers(_ thumb: String, _ cover: String?) async throws {
        let ofAlbum = try await track(#"{"id":1,"owner_id":2,"album":{"title":"x","thumb":\#(thumb)}}"#)
        #expect(ofAlbum.coverURL == cover)
        let own = try await track(#"{"id":1,"owner_id":2,"thumb":\#(thumb)}"#)
        #expect(own.coverURL == cover)
    }

    @Test("an access key that cannot be written in an id is left out")
    func oddAccessKey() async throws {
        let track = try await track(audio(1, #","access_key":"a_b,c""#))
        #expect(track.accessKey == nil)
    }

    @Test(
        "is unavailable only when VK restricts it and gives no sound, or gives its notice",
        arguments: [
            ("https://cdn.test/a.mp3", 0, true), ("https://cdn.test/a.mp3", 6, true), ("", 0, true), ("", 1, false),
            ("", 6, false), ("https://vk.com/mp3/audio_api_unavailable.mp3", 0, false),
            ("https://vk.com/mp3/audio_api_unavailable.mp3?extra=abc#DG", 0, true),
        ])
    func availability(_ url: String, _ restricted: Int, _ isAvailable: Bool) async throws {
        let item = audio(1, url: url, #","content_restricted":\#(restricted)"#)
        let track = try #require(try await page(item, audio(2)).tracks.first)
        #expect(track.isAvailable == isAvailable)
        #expect((track.unavailableReason == nil) == isAvailable)
    }
}
