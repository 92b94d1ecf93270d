import Testing

@testable import NyanCore

@Suite("HLS playlists") struct HLSPlaylistTests {
    private let url = Secret("https://cs9-8v4.example.net/s/v1/ac/TOKEN/index.m3u8?siren=1")
    private let folder = "https://cs9-8v4.example.net/s/v1/ac/TOKEN/"

    private func media(_ text: String) throws -> HLSPlaylist {
        guard case .media(let playlist) = try HLSDocument(text: text, url: url) else {
            throw HLSPlaylistError.notAPlaylist
        }
        return playlist
    }

    /// The recorded shape: key tag before the sequence, one of three segments locked.
    private static let recorded = """
        #EXTM3U
        #EXT-X-TARGETDURATION:22
        #EXT-X-ALLOW-CACHE:YES
        #EXT-X-PLAYLIST-TYPE:VOD
        #EXT-X-KEY:METHOD=AES-128,URI="key.pub?siren=1"
        #EXT-X-VERSION:3
        #EXT-X-MEDIA-SEQUENCE:57
        #EXTINF:2.000,
        seg-1-a1.ts?siren=1
        #EXT-X-KEY:METHOD=NONE
        #EXTINF:4.5,
        seg-2-a1.ts
        #EXTINF:20,title, with comma
        /abs/seg-3.ts
        #EXT-X-KEY:METHOD=AES-128,URI="https://other.example/key,x.pub",IV=0x0a0B
        #EXTINF:20.000,
        https://cdn.example/seg-4.ts?extra=1
        #EXT-X-ENDLIST
        """

    @Test("The recorded shape gives segments, keys and sequence IVs", arguments: ["\n", "\r\n", "\n\n"])
    func readsRecordedShape(lineEnd: String) throws {
        let text = Self.recorded.split(separator: "\n").joined(separator: lineEnd)
        let playlist = try media(text)
        #expect(playlist.durations == [2, 4.5, 20, 20])
        #expect(playlist.length == 46.5)
        #expect(
            playlist.segments.map(\.url.revealed) == [
                folder + "seg-1-a1.ts?siren=1", folder + "seg-2-a1.ts", "https://cs9-8v4.example.net/abs/seg-3.ts",
                "https://cdn.example/seg-4.ts?extra=1",
            ])
        let zeros = [UInt8](repeating: 0, count: 14)
        #expect(playlist.segments[0].key?.url.revealed == folder + "key.pub?siren=1")
        #expect(playlist.segments[0].key?.iv == zeros + [0, 57])
        #expect(playlist.segments[1].key == nil && playlist.segments[2].key == nil)
        #expect(playlist.segments[3].key?.url.revealed == "https://other.example/key,x.pub")
        #expect(playlist.segments[3].key?.iv == zeros + [0x0A, 0x0B])
    }

    @Test("Every segment counts for the sequence, locked or not") func countsSequence() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-MEDIA-SEQUENCE:255
            #EXTINF:1,
            a
            #EXT-X-KEY:METHOD=AES-128,URI="k"
            #EXTINF:1,
            b
            #EXT-X-ENDLIST
            """)
        #expect(playlist.segments[1].key?.iv == [UInt8](repeating: 0, count: 14) + [1, 0])
    }

    @Test("Parts of one file are followed") func followsByteRanges() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXTINF:1,
            #EXT-X-BYTERANGE:100@50
            all.ts
            #EXTINF:1,
            #EXT-X-BYTERANGE:20
            all.ts
            #EXT-X-ENDLIST
            """)
        #expect(playlist.segments.map(\.range) == [50..<150, 150..<170])
    }

    @Test("A master playlist names its best variant and does not recurse") func choosesBest() throws {
        let document = try HLSDocument(
            text: """
                #EXTM3U
                #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2,x"
                low.m3u8
                #EXT-X-STREAM-INF:PROGRAM-ID=1, BANDWIDTH=320000
                ../high.m3u8?x=1
                #EXT-X-STREAM-INF:BANDWIDTH=128000
                mid.m3u8
                """, url: url)
        #expect(document == .master(best: Secret("https://cs9-8v4.example.net/s/v1/ac/high.m3u8?x=1")))
    }

    @Test(
        "What cannot be played whole is refused with its reason",
        arguments: [
            ("", HLSPlaylistError.notAPlaylist), ("<html>", .notAPlaylist), ("#EXTM3U\n#EXT-X-ENDLIST", .empty),
            ("#EXTM3U\n#EXTINF:1,\na", .incomplete), ("#EXTM3U\na\n#EXT-X-ENDLIST", .badTag("segment without EXTINF")),
            ("#EXTM3U\n#EXTINF:x,\na\n#EXT-X-ENDLIST", .badTag("EXTINF")),
            ("#EXTM3U\n#EXTINF:nan,\na\n#EXT-X-ENDLIST", .badTag("EXTINF")),
            ("#EXTM3U\n#EXTINF:-1,\na\n#EXT-X-ENDLIST", .badTag("EXTINF")),
            ("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:-1\n", .badTag("EXT-X-MEDIA-SEQUENCE")),
            ("#EXTM3U\n#EXT-X-MAP:URI=\"i\"\n", .unsupported("EXT-X-MAP")),
            ("#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"", .unsupported("encryption SAMPLE-AES")),
            ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128", .badTag("EXT-X-KEY")),
            ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0xzz", .badTag("IV")),
            ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x\(String(repeating: "0", count: 33))", .badTag("IV")),
            ("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST", .badAddress),
            ("#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:5\na\n#EXT-X-ENDLIST", .badTag("EXT-X-BYTERANGE")),
            (
                "#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:5@9223372036854775807\na\n#EXT-X-ENDLIST",
                .badTag("EXT-X-BYTERANGE")
            ),
            ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n", .empty),
            ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nfile:///x.m3u8\n", .badAddress),
            ("#EXTM3U\n#EXTINF:1,\n#EXT-X-GAP\na\n#EXT-X-ENDLIST", .incomplete),
            ("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:18446744073709551616\n", .badTag("EXT-X-MEDIA-SEQUENCE")),
            ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,KEYFORMAT=\"x\",URI=\"k\"", .unsupported("keys of another kind")),
            ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"file:///k\"", .badAddress),
            (
                "#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:5@0\na\n#EXTINF:1,\n#EXT-X-BYTERANGE:5\nb\n#EXT-X-ENDLIST",
                .badTag("EXT-X-BYTERANGE")
            ),
        ])
    func refuses(text: String, reason: HLSPlaylistError) {
        #expect(throws: reason) { _ = try HLSDocument(text: text, url: url) }
        #expect(!reason.failure.message.isEmpty)
    }

    @Test("Bytes that are no text, and a byte-order mark, are survived") func survivesBytes() throws {
        #expect(throws: HLSPlaylistError.notAPlaylist) { _ = try HLSDocument([0xFF, 0xD8, 0, 1], url: url) }
        let text = "\u{FEFF}#EXTM3U\n#EXTINF:1,\na\n#EXT-X-ENDLIST\n"
        #expect(try HLSDocument(Array(text.utf8), url: url) == .media(media(text)))
    }

    @Test("Damaged playlists never crash the reader") func survivesDamage() {
        var random = SeededNumbers(seed: 11)
        for _ in 0..<2_000 {
            var bytes = Array(Self.recorded.utf8)
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: 8..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            let document = try? HLSDocument(bytes, url: url)
            if case .media(let playlist)? = document { #expect(playlist.segments.allSatisfy { $0.duration >= 0 }) }
        }
    }

    /// RFC 3986 §5.4.1 and §5.4.2, with http for other schemes.
    @Test(
        "References resolve as RFC 3986 says",
        arguments: [
            ("http:h", nil), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"),
            (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
            ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
            (".g", "http://a/b/c/.g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
            ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
            ("HTTPS://h/x", "https://h/x"), ("ftp://h/x", nil), ("file:///x", nil), ("data:x", nil), ("a b", nil),
            ("a:b", nil), ("1:b", "http://a/b/c/1:b"),
        ])
    func resolves(reference: String, expected: String?) {
        #expect(URLReference.resolve(reference, against: "http://a/b/c/d;p?q") == expected)
    }
}
