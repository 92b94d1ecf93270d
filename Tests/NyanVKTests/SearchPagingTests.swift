import NyanCore
import NyanVK
import Testing

/// A server that finds numbered tracks, and gives out what `page` lets it.
private func finds(_ total: Int, atMost cap: Int = 300, count: Int? = nil, leavingOut: Int = 0) -> ScriptedHTTP {
    let http = ScriptedHTTP()
    http.otherwise = { seen in
        let offset = Int(seen.fields["offset"] ?? "0") ?? 0
        let asked = min(Int(seen.fields["count"] ?? "30") ?? 30, cap)
        let rows = (offset..<max(offset, min(offset + asked, total))).filter { leavingOut == 0 || $0 % leavingOut != 0 }
        return list(rows.map { audio(Int64($0 + 1)) }, count: count ?? total)
    }
    return http
}

@Suite("A search page by page")
struct SearchPagingTests {
    @Test(
        "goes on until it has as many as were asked for",
        arguments: [(1, 1), (300, 1), (301, 2), (700, 3), (1000, 4)])
    func asFarAsAsked(_ count: Int, _ requests: Int) async throws {
        let http = finds(5000)
        let found = try await makeSource(http).search("x", count: count, byArtist: false)
        #expect(found.map(\.id.audio) == (1...count).map { Int64($0) })
        #expect(http.seen.count == requests)
        #expect(http.seen.allSatisfy { Int($0.fields["count"] ?? "") ?? 999 <= 300 })
    }

    @Test("a thousand is the most", arguments: [1001, 100_000])
    func ceiling(_ count: Int) async throws {
        #expect(try await makeSource(finds(5000)).search("x", count: count, byArtist: false).count == 1000)
    }

    @Test("fewer than asked for is not the end: VK gives small pages, and leaves rows out of them")
    func shortPages() async throws {
        #expect(try await makeSource(finds(400, atMost: 30)).search("x", count: 350, byArtist: false).count == 350)
        let holes = try await makeSource(finds(400, leavingOut: 2)).search("x", count: 150, byArtist: false)
        #expect(holes.count == 150 && Set(holes.map(\.id)).count == 150)
    }

    @Test("an empty page is the end, whatever VK counts")
    func end() async throws {
        let http = finds(40, count: 9000)
        #expect(try await makeSource(http).search("x", count: 500, byArtist: true).count == 40)
        #expect(http.seen.count == 2 && http.seen.allSatisfy { $0.fields["performer_only"] == "1" })
    }

    @Test("a server that gives the same page for ever is left")
    func bounded() async throws {
        let http = ScriptedHTTP()
        http.otherwise = { _ in list([audio(1), audio(2)], count: 1_000_000) }
        #expect(try await makeSource(http).search("x", count: 1000, byArtist: false).count == 2)
        #expect(http.seen.count <= 20)
    }
}

@Suite("Texts as people see them")
struct ShownTextTests {
    private func track(_ members: String) async throws -> Track {
        let http = ScriptedHTTP(list([#"{"id":1,"owner_id":2,\#(members)}"#, audio(5)]))
        return try #require(
            try await makeSource(http).profilePage(owner: nil, offset: 0, count: 200).tracks.first)
    }

    @Test(
        "control characters are gone, line breaks are spaces, and what looks odd but is none stays",
        arguments: [
            (#"a\u0000b\u0007c"#, "abc"), (#"a\nb\tc\r\nd"#, "a b c  d"), (#"\u001b[31mred"#, "[31mred"),
            (#"x\u0085y\u009bz"#, "x yz"), (#"x\u2028y"#, "x y"), (#"&#10;x&#27;"#, " x"), (#"del\u007f"#, "del"),
            (#"👩‍👩‍👧\u202Eabc"#, "👩‍👩‍👧\u{202E}abc"), (#"&amp;amp;"#, "&amp;"), ("", ""),
        ])
    func cleaned(_ raw: String, _ shown: String) async throws {
        let found = try await track(#""title":"\#(raw)","artist":"\#(raw)","album":{"title":"\#(raw)x"}"#)
        for text in [found.title, found.artist] { #expect(text.unicodeScalars.elementsEqual(shown.unicodeScalars)) }
        #expect(found.album?.unicodeScalars.elementsEqual((shown + "x").unicodeScalars) == true)
    }

    @Test("a title of 500 letters and a blank subtitle change nothing")
    func whole() async throws {
        let long = String(repeating: "ж🎵", count: 250)
        #expect(try await track(#""title":"\#(long)","subtitle":"  ""#).title == long)
    }

    @Test(
        "a list leaves open what comes without an address, as a sample or as a notice, and says why where it knows",
        arguments: [
            ("https://cdn.test/a.mp3", 0, false, nil), ("", 0, true, nil), ("", 2, true, "reason 2"),
            ("https://cs9.test/sample/s/v1/x.mp3?siren=1", 0, true, "sample"),
            ("https://vk.com/mp3/audio_api_unavailable.mp3", 0, true, "notice"),
            ("https://vk.com/mp3/audio_api_unavailable.mp3?extra=a#b", 0, true, nil),
            ("https://cs9.test/p1/x.mp3?from=/sample/", 0, false, nil),
        ] as [(String, Int, Bool, String?)])
    func doubtful(_ url: String, _ restricted: Int, _ isOpen: Bool, _ word: String?) async throws {
        let http = ScriptedHTTP(list([audio(1, url: url, #","content_restricted":\#(restricted)"#), audio(2)]))
        let page = try await makeSource(http).profilePage(owner: nil, offset: 0, count: 200)
        #expect(page.doubtful.map(\.audio) == (isOpen ? [1] : []))
        #expect((page.tracks[0].unavailableReason == nil) == (word == nil))
        if let word { #expect(page.tracks[0].unavailableReason?.contains(word) == true) }
    }
}
