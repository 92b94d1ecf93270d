/// What some bytes are, judged by content and never by name or Content-Type (vk-api.md §4.1).
public enum SoundSniff: String, Sendable {
    case mp3, hls, html, json, flac, ogg, aac, mp4, wav
    /// MPEG transport stream: a segment of an HLS playlist.
    case mpegTS
    case unknown

    /// Judges the first bytes of something; 1 KiB is plenty, 16 bytes mostly enough (189 for MPEG-TS).
    public static func kind(of prefix: UnsafeRawBufferPointer) -> SoundSniff {
        if let text = textKind(prefix) { return text }
        guard prefix.count >= 4 else { return .unknown }
        if prefix.starts(with: "ID3".utf8) { return kindBehindTag(prefix) }
        if prefix.starts(with: "fLaC".utf8) { return .flac }
        if prefix.starts(with: "OggS".utf8) { return .ogg }
        if prefix.starts(with: "ADIF".utf8) { return .aac }
        if prefix.starts(with: "RIFF".utf8), prefix.count >= 12, prefix[8..<12].elementsEqual("WAVE".utf8) {
            return .wav
        }
        if prefix.count >= 8, prefix[4..<8].elementsEqual("ftyp".utf8) { return .mp4 }
        if prefix.count >= 188, prefix[0] == 0x47, prefix.count == 188 || prefix[188] == 0x47 { return .mpegTS }
        // ADTS: twelve sync bits, layer 0; MPEG audio has layer 1 to 3 in the same place.
        if prefix[0] == 0xFF, prefix[1] & 0xF6 == 0xF0 { return .aac }
        return isFrames(prefix) ? .mp3 : .unknown
    }

    public static func kind(of prefix: [UInt8]) -> SoundSniff { prefix.withUnsafeBytes { kind(of: $0) } }

    /// A playlist, a page or a JSON answer; a byte-order mark and blanks may come first.
    private static func textKind(_ bytes: UnsafeRawBufferPointer) -> SoundSniff? {
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        text = text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        if text.starts(with: "#EXTM3U".utf8) { return .hls }
        if text.first == UInt8(ascii: "<") { return .html }
        if text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") { return .json }
        return nil
    }

    /// An ID3v2 tag mostly means MP3; if the sound behind it is in sight, that decides.
    private static func kindBehindTag(_ bytes: UnsafeRawBufferPointer) -> SoundSniff {
        guard let tag = SoundTag.length(at: bytes), tag + 4 <= bytes.count else { return .mp3 }
        let behind = kind(of: UnsafeRawBufferPointer(rebasing: bytes[tag...]))
        return behind == .flac || behind == .aac ? behind : .mp3
    }

    /// A frame header, and behind the frame another one if it is in sight.
    private static func isFrames(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let frame = MP3Frame(word: bytes.word(at: 0)) else { return false }
        guard bytes.count >= frame.byteCount + 4 else { return true }
        return MP3Frame(word: bytes.word(at: frame.byteCount))?.continues(frame) ?? false
    }
}
