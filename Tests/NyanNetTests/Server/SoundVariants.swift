/// Rarer ways to write a playlist of `SoundFixture`'s segments down; each leads to the same sound.
nonisolated enum SoundVariants {
    static func make(_ place: String, _ durations: [Double]) throws {
        try several(place, durations)
        try ranged(place, durations)
        try renditions(place)
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:9\n"
        let end = "#EXTINF:2,\nplain-0.ts\n#EXT-X-ENDLIST\n"
        try SoundFixture.write(head + "#EXT-X-MAP:URI=\"init.bin\"\n" + end, "\(place)/map.m3u8")
        try SoundFixture.write(
            head + "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"key.pub\"\n" + end, "\(place)/sample-aes.m3u8")
    }

    /// Two keys, one with its IV written out, a sequence number beyond 32 bits, a discontinuity, CR LF and a byte-order
    /// mark.
    private static func several(_ place: String, _ durations: [Double]) throws {
        let sequence = 4_294_967_301
        try SoundFixture.seal(
            "\(place)/plain-0.ts", "000102030405060708090a0b0c0d0e0f", iv: sequence, to: "\(place)/far-1.ts")
        try SoundFixture.write("nyand 2nd key 16", "\(place)/second.pub")
        try SoundFixture.seal(
            "\(place)/plain-1.ts", "6e79616e6420326e64206b6579203136", iv: 0x0A0B0C, to: "\(place)/second-2.ts")
        var lines = [
            "\u{FEFF}#EXTM3U", "#EXT-X-KEY:METHOD=AES-128,URI=\"./key.pub\"", "#EXT-X-MEDIA-SEQUENCE:\(sequence)",
        ]
        for (index, duration) in durations.enumerated() {
            switch index {
            case 0: lines += ["#EXTINF:\(duration),", "../hls/far-1.ts"]
            case 1:
                lines += [
                    "#EXT-X-KEY:METHOD=AES-128,URI=\"second.pub\",IV=0x0A0B0C", "#EXTINF:\(duration),", "second-2.ts",
                ]
            default:
                if index == 2 { lines += ["#EXT-X-KEY:METHOD=NONE", "#EXT-X-DISCONTINUITY"] }
                lines += ["#EXTINF:\(duration),", "plain-\(index).ts?siren=1"]
            }
        }
        try SoundFixture.write((lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\r\n"), "\(place)/several.m3u8")
    }

    /// All segments in one file, told apart by ranges, most of which follow the one before.
    private static func ranged(_ place: String, _ durations: [Double]) throws {
        var all: [UInt8] = []
        var text = "#EXTM3U\n"
        for (index, duration) in durations.enumerated() {
            let bytes = try SoundFixture.bytes("\(place)/plain-\(index).ts")
            let offset = index == 0 || index == 7 ? "@\(all.count)" : ""
            text += "#EXTINF:\(duration),\n#EXT-X-BYTERANGE:\(bytes.count)\(offset)\nall.ts\n"
            all += bytes
        }
        try SoundFixture.write(String?.none, "\(place)/all.ts", bytes: all)
        try SoundFixture.write(text + "#EXT-X-ENDLIST\n", "\(place)/ranged.m3u8")
    }

    /// Pictures with the sound beside them.
    private static func renditions(_ place: String) throws {
        let text = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="snd",NAME="Other",URI="nowhere.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="snd",NAME="Main",DEFAULT=YES,URI="index.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=64000
            poor.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=640000,AUDIO="snd"
            pictures.m3u8

            """
        try SoundFixture.write(text, "\(place)/renditions.m3u8")
    }
}
