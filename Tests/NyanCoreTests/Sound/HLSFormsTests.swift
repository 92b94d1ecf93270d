import Testing

@testable import NyanCore

/// How the same list may be written (vk-api.md §4.3).
@Suite("The forms of HLS playlists") struct HLSFormsTests {
    private let url = Secret("https://h.example/s/v1/ac/T/index.m3u8?siren=1")

    private func media(_ lines: [String], lineEnd: String = "\n") throws -> HLSPlaylist? {
        let text = (["#EXTM3U"] + lines + ["#EXT-X-ENDLIST", ""]).joined(separator: lineEnd)
        guard case .media(let playlist) = try HLSDocument(Array(text.utf8), url: url) else { return nil }
        return playlist
    }

    @Test(
        "Without an IV the sequence number is it, sixteen bytes, big-endian",
        arguments: [
            ("0", [0, 0, 0, 0, 0, 0, 0, 0]), ("1", [0, 0, 0, 0, 0, 0, 0, 1]), ("57", [0, 0, 0, 0, 0, 0, 0, 57]),
            (" 255 ", [0, 0, 0, 0, 0, 0, 0, 255]), ("4294967296", [0, 0, 0, 1, 0, 0, 0, 0]),
            ("18446744073709551615", [255, 255, 255, 255, 255, 255, 255, 255]),
        ] as [(String, [UInt8])], [true, false])
    func sequence(row: (String, [UInt8]), isKeyFirst: Bool) throws {
        let (key, sequence) = ("#EXT-X-KEY:METHOD=AES-128,URI=\"k\"", "#EXT-X-MEDIA-SEQUENCE:\(row.0)")
        let head = isKeyFirst ? [key, "#EXT-X-VERSION:3", sequence] : [sequence, key]
        let playlist = try media(head + ["#EXTINF:1,", "a"])
        #expect(playlist?.segments[0].key?.iv == [UInt8](repeating: 0, count: 8) + row.1)
    }

    @Test("Without a sequence number counting begins at zero, and the number after the greatest is zero")
    func sequenceEnds() throws {
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\""
        let plain = try media([key, "#EXTINF:1,", "a", "#EXTINF:1,", "b"])
        #expect(plain?.segments.map { $0.key?.iv.last } == [0, 1])
        let last = try media([key, "#EXT-X-MEDIA-SEQUENCE:18446744073709551615", "#EXTINF:1,", "a", "#EXTINF:1,", "b"])
        #expect(last?.segments[1].key?.iv == [UInt8](repeating: 0, count: 16))
    }

    @Test("An IV that is written out counts, for every segment until the next key")
    func explicitIV() throws {
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0X000102030405060708090A0B0C0D0E0F"
        let playlist = try media(["#EXT-X-MEDIA-SEQUENCE:9", key, "#EXTINF:1,", "a", "#EXTINF:1,", "b"])
        #expect(playlist?.segments.map { $0.key?.iv } == [Array(0..<16), Array(0..<16)])
    }

    @Test("Several keys, and none between them, each for the segments behind it")
    func keys() throws {
        let playlist = try media([
            "#EXTINF:1,", "a", "#EXT-X-KEY:METHOD=AES-128,URI=\"k1?x=1\"", "#EXTINF:1,", "b", "#EXTINF:1,", "c",
            "#EXT-X-KEY:METHOD=NONE", "#EXTINF:1,", "d", "#EXT-X-DISCONTINUITY",
            "#EXT-X-KEY:METHOD=AES-128,URI=\"/k2\"",
            "#EXTINF:1,", "e",
        ])
        let folder = "https://h.example/s/v1/ac/T/"
        #expect(
            playlist?.segments.map { $0.key?.url.revealed }
                == [nil, folder + "k1?x=1", folder + "k1?x=1", nil, "https://h.example/k2"])
        #expect(playlist?.segments.map { $0.key?.iv.last } == [nil, 1, 2, nil, 4])
    }

    @Test(
        "Addresses of segments and keys in every form", arguments: ["\n", "\r\n", "\r"],
        [
            ("seg-1.ts", "https://h.example/s/v1/ac/T/seg-1.ts"),
            ("seg-1.ts?siren=1&a=/../b", "https://h.example/s/v1/ac/T/seg-1.ts?siren=1&a=/../b"),
            ("./seg-1.ts", "https://h.example/s/v1/ac/T/seg-1.ts"),
            ("../U/seg-1.ts", "https://h.example/s/v1/ac/U/seg-1.ts"),
            ("/p1/seg-1.ts", "https://h.example/p1/seg-1.ts"),
            ("//cdn.example/seg-1.ts?extra=A~b_c-", "https://cdn.example/seg-1.ts?extra=A~b_c-"),
            ("http://cdn.example:81/seg-1.ts#x", "http://cdn.example:81/seg-1.ts"),
            ("?part=1", "https://h.example/s/v1/ac/T/index.m3u8?part=1"),
        ])
    func addresses(lineEnd: String, form: (String, String)) throws {
        let lines = ["#EXT-X-KEY:METHOD=AES-128,URI=\"\(form.0)\"", "#EXTINF:1.5,title", form.0]
        let playlist = try media(lines, lineEnd: lineEnd)
        #expect(playlist?.segments.map(\.url.revealed) == [form.1])
        #expect(playlist?.segments[0].key?.url.revealed == form.1)
    }

    @Test("Tags that mean nothing to a sound are passed over")
    func otherTags() throws {
        let playlist = try media([
            "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-START:TIME-OFFSET=0", "# a comment",
            "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z", "#EXT-X-BITRATE:128", "#EXTINF:3", "a",
        ])
        #expect(playlist?.durations == [3])
    }

    @Test("Nothing behind the end of a list counts")
    func behindTheEnd() throws {
        let text = "#EXTM3U\n#EXTINF:1,\na\n#EXT-X-ENDLIST\n#EXTINF:1,\nb\n#EXT-X-MAP:URI=\"i\"\n"
        guard case .media(let playlist) = try HLSDocument(text: text, url: url) else { return }
        #expect(playlist.segments.count == 1)
    }

    private static let renditions = [
        "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"a\",URI=\"text.m3u8\"",
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"1, other\",URI=\"other.m3u8\"",
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"2\",DEFAULT=YES,URI=\"/main.m3u8?x=1\"",
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"b\",NAME=\"3\",URI=\"first.m3u8\"",
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"c\",NAME=\"4\",DEFAULT=YES",
    ]

    @Test(
        "A master list leads to the sound of its best variant, wherever that is",
        arguments: [
            ("BANDWIDTH=9,AUDIO=\"a\"", "/main.m3u8?x=1"), ("BANDWIDTH=9,AUDIO=\"b\"", "/s/v1/ac/T/first.m3u8"),
            ("BANDWIDTH=9,AUDIO=\"c\"", "/s/v1/ac/T/v.m3u8"), ("BANDWIDTH=9,AUDIO=\"none\"", "/s/v1/ac/T/v.m3u8"),
            ("BANDWIDTH=9", "/s/v1/ac/T/v.m3u8"), ("BANDWIDTH=8,AUDIO=\"a\"", "/s/v1/ac/T/equal.m3u8"),
            ("AUDIO=\"a\"", "/s/v1/ac/T/equal.m3u8"),
        ])
    func master(attributes: String, path: String) throws {
        let lines =
            ["#EXTM3U", "#EXT-X-STREAM-INF:BANDWIDTH=8,CODECS=\"mp4a.40.34,x\"", "equal.m3u8"] + Self.renditions
            + ["#EXT-X-STREAM-INF:" + attributes, "v.m3u8", "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=99,URI=\"i.m3u8\""]
        let document = try HLSDocument(text: lines.joined(separator: "\r\n"), url: url)
        #expect(document == .master(best: Secret("https://h.example" + path)))
    }
}
