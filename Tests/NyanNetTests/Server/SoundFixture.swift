import Glibc

/// One sound as VK serves it: MP3 in transport stream segments, one of three encrypted (vk-api.md §4.3), made by ffmpeg
/// and openssl so that neither cipher nor demuxer is judged by itself.
nonisolated struct SoundFixture: Sendable {
    /// What the finished copy must be: ffmpeg's own extraction of the same playlist.
    let sound: [UInt8]
    let segments: Int
    /// The same of the AAC playlist.
    let aac: [UInt8]
    /// EXTINF of each segment.
    let durations: [Double]

    @MainActor private static var making: Task<SoundFixture, any Error>?

    /// Made once per run under `root/hls`, off the main actor; the playlists are `index.m3u8` and the variants beside it.
    @MainActor static func inDirectory(of root: String) async throws -> SoundFixture {
        let making = Self.making ?? Task.detached { try make("\(root)/hls") }
        Self.making = making
        return try await making.value
    }

    private static func make(_ place: String) throws -> SoundFixture {
        mkdir(place, 0o755)
        let quiet = ["ffmpeg", "-nostdin", "-loglevel", "error", "-y"]
        let tune = "aevalsrc='0.3*sin(2*PI*(300+200*t)*t)|0.3*sin(2*PI*(900-9*t)*t)':d=40:s=44100"
        try ChildProcess.run(
            quiet + ["-f", "lavfi", "-i", tune, "-c:a", "libmp3lame", "-b:a", "192k", "\(place)/a.mp3"])
        try ChildProcess.run(
            quiet + [
                "-i", "\(place)/a.mp3", "-map", "0:a", "-c", "copy", "-f", "hls", "-hls_time", "2", "-hls_list_size",
                "0",
                "-hls_segment_filename", "\(place)/plain-%d.ts", "\(place)/plain.m3u8",
            ])
        let durations = try text("\(place)/plain.m3u8").split(separator: "\n").filter { $0.hasPrefix("#EXTINF:") }
            .compactMap { Double($0.dropFirst(8).dropLast()) }
        try encrypt(place, count: durations.count)
        try write(playlist(durations), "\(place)/index.m3u8")
        try write(playlist(durations, shift: 0.5), "\(place)/other.m3u8")
        try write(playlist(durations, shift: 3), "\(place)/short.m3u8")
        try write(playlist(durations.dropLast()), "\(place)/fewer.m3u8")
        try SoundVariants.make(place, durations)
        try write("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9\nindex.m3u8\n", "\(place)/master.m3u8")
        try write("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9\nmaster.m3u8\n", "\(place)/circle.m3u8")
        try write(playlist(durations, isWhole: false), "\(place)/endless.m3u8")
        try ChildProcess.run(
            quiet + [
                "-allowed_extensions", "ALL", "-protocol_whitelist", "file,crypto", "-i", "\(place)/index.m3u8", "-c",
                "copy", "-f", "mp3", "-write_xing", "0", "-id3v2_version", "0", "\(place)/expected.mp3",
            ])
        try makeAAC(place, quiet)
        return SoundFixture(
            sound: try bytes("\(place)/expected.mp3"), segments: durations.count,
            aac: try bytes("\(place)/expected.aac"),
            durations: durations)
    }

    private static func makeAAC(_ place: String, _ quiet: [String]) throws {
        try ChildProcess.run(
            quiet + [
                "-i", "\(place)/a.mp3", "-t", "6", "-c:a", "aac", "-f", "hls", "-hls_time", "2", "-hls_list_size", "0",
                "-hls_segment_filename", "\(place)/aac-%d.ts", "\(place)/aac.m3u8",
            ])
        try ChildProcess.run(quiet + ["-i", "\(place)/aac.m3u8", "-c", "copy", "-f", "adts", "\(place)/expected.aac"])
    }

    /// Segments 0, 3, 6, … are sealed with the key 00…0f and their sequence number, counted from 1.
    private static func encrypt(_ place: String, count: Int) throws {
        try write(String(decoding: Array(UInt8(0)..<16), as: UTF8.self), "\(place)/key.pub")
        for index in 0..<count {
            let plain = "\(place)/plain-\(index).ts"
            guard index.isMultiple(of: 3) else {
                try write(String?.none, "\(place)/seg-\(index + 1).ts", bytes: bytes(plain))
                continue
            }
            try seal(plain, "000102030405060708090a0b0c0d0e0f", iv: index + 1, to: "\(place)/seg-\(index + 1).ts")
        }
    }

    /// `key`: 32 hex digits.
    static func seal(_ plain: String, _ key: String, iv: Int, to path: String) throws {
        let number = String(iv, radix: 16)
        let iv = String(repeating: "0", count: 32 - number.count) + number
        try ChildProcess.run(["openssl", "enc", "-aes-128-cbc", "-K", key, "-iv", iv, "-in", plain, "-out", path])
    }

    private static func playlist(_ durations: some Collection<Double>, shift: Double = 0, isWhole: Bool = true)
        -> String
    {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:22\n#EXT-X-PLAYLIST-TYPE:VOD\n"
        for (index, duration) in durations.enumerated() {
            if index.isMultiple(of: 3) { text += "#EXT-X-KEY:METHOD=AES-128,URI=\"key.pub\"\n" }
            if index % 3 == 1 { text += "#EXT-X-KEY:METHOD=NONE\n" }
            if index == 0 { text += "#EXT-X-VERSION:3\n#EXT-X-MEDIA-SEQUENCE:1\n" }
            text += "#EXTINF:\(duration + shift),\nseg-\(index + 1).ts\n"
        }
        return text + (isWhole ? "#EXT-X-ENDLIST\n" : "")
    }

    private static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    static func bytes(_ path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw ChildProcess.Failed(program: "open") }
        return ChildProcess.readAll(file)
    }

    static func write(_ text: String?, _ path: String, bytes: [UInt8] = []) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw ChildProcess.Failed(program: "open") }
        defer { close(file) }
        let content = text.map { Array($0.utf8) } ?? bytes
        guard Glibc.write(file, content, content.count) == content.count else {
            throw ChildProcess.Failed(program: "write")
        }
    }
}
