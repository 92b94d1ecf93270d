/// How an MP3 begins: the tags before its sound, its first frame, and what an encoder's header frame says.
public struct MP3Head: Sendable, Equatable {
    public enum Reading: Sendable, Equatable {
        /// Too few bytes are there to say.
        case notYet
        case notMP3
        case head(MP3Head)
    }

    /// Bytes of tags before the first frame.
    public let tagBytes: Int64
    /// The first frame: a header frame if `info` is there, else sound.
    public let frame: MP3Frame
    public let info: MP3InfoHeader?

    /// Reads a sound's beginning. `bytes` gives so many bytes at an offset, or nil while they are not all there;
    /// `isAll`: what is not there will not come.
    public static func read(isAll: Bool, _ bytes: (_ offset: Int64, _ count: Int) -> [UInt8]?) -> Reading {
        var offset: Int64 = 0
        // A second tag behind the first does happen; more are no sound's.
        for _ in 0..<4 {
            guard let start = bytes(offset, 10) else { return isAll ? .notMP3 : .notYet }
            guard start.starts(with: "ID3".utf8) else { break }
            guard let length = start.withUnsafeBytes(SoundTag.length) else { return .notMP3 }
            offset += Int64(length)
        }
        guard let word = bytes(offset, 4).map({ $0.withUnsafeBytes { $0.word(at: 0) } }) else {
            return isAll ? .notMP3 : .notYet
        }
        guard let frame = MP3Frame(word: word) else { return .notMP3 }
        guard let body = bytes(offset, frame.byteCount + 4) else { return isAll ? .notMP3 : .notYet }
        return body.withUnsafeBytes { raw in
            // One header may be chance; two in a row, at the right distance, are not.
            guard let next = MP3Frame(word: raw.word(at: frame.byteCount)), next.continues(frame) else {
                return .notMP3
            }
            let whole = UnsafeRawBufferPointer(rebasing: raw[..<frame.byteCount])
            return .head(
                MP3Head(tagBytes: offset, frame: frame, info: MP3InfoHeader(frame: frame, bytes: whole)))
        }
    }

    /// The samples a player cuts from both ends of what it decodes. Where no encoder says, only the front is known: the
    /// field's encoders all put 576 samples before the sound (vk-api.md §4.3: HLS has lost the header that says so).
    public var trim: (delay: Int, padding: Int?) {
        guard let told = info?.trim, told.delay > 0 || told.padding > 0 else { return (Self.usualDelay, nil) }
        return (told.delay, told.padding)
    }

    /// Bytes of the header frame; 0 where the first frame is sound.
    public var headerBytes: Int64 { info == nil ? 0 : Int64(frame.byteCount) }

    /// Samples LAME puts before the sound.
    public static let usualDelay = 576
    /// Samples a decoder adds in front by itself, and lacks at the end.
    public static let decoderDelay = 529

    /// What the header says the sound's length is; nil where it does not. It may lie (field-issues.md B6).
    public var statedLength: Duration? {
        guard let frames = info?.frames, frames > 0 else { return nil }
        let cut = info?.trim.map { $0.delay + $0.padding } ?? 0
        let samples = max(0, Int64(frames) * Int64(frame.sampleCount) - Int64(cut))
        return .nanoseconds(samples * 1_000_000_000 / Int64(frame.sampleRate))
    }

    /// A header frame to stand in for the one that is there or missing. Players cut what it says from the front; its
    /// frame count is beyond the sound, so that none cuts the end early; frames and bytes together state the
    /// bit rate, by which players turn a time into an offset.
    ///
    /// - Parameter size: bytes of the whole sound, if they are known.
    /// - Returns: the bytes of one frame.
    public func frontFrame(size: Int64?) -> [UInt8] {
        // The same kind of frame at 64 kbit/s, long enough for the header at every sample rate, without a checksum.
        let version = UInt32(frame.version.rawValue)
        let rate: UInt32 =
            switch frame.sampleRate << (frame.version == .mpeg1 ? 0 : frame.version == .mpeg2 ? 1 : 2) {
            case 44_100: 0
            case 48_000: 1
            default: 2
            }
        let index: UInt32 = frame.version == .mpeg1 ? 5 : 8
        let word = 0xFFE3_0000 | version << 19 | index << 12 | rate << 10 | (frame.isMono ? 0xC0 : 0)
        guard let made = MP3Frame(word: word) else { return [] }
        var bytes = Self.big(word) + [UInt8](repeating: 0, count: made.byteCount - 4)
        // LAME's part follows the counts, up to the 24 bits of delay and padding.
        let counts: [UInt8]
        if let size, size > Self.mostBytes {
            counts = Self.big(1) + Self.big(0x7FFF_FFFF)
        } else {
            let seconds = Double(Self.mostFrames) * Double(frame.sampleCount) / Double(frame.sampleRate)
            let bytes = UInt32(Double(frame.bitrate) / 8 * seconds)
            counts = Self.big(3) + Self.big(Self.mostFrames) + Self.big(bytes)
        }
        let header = Array("Info".utf8) + counts + Array("LAME3.100".utf8)
        let place = 4 + made.sideByteCount
        bytes.replaceSubrange(place..<place + header.count, with: header)
        let cut = place + header.count + 12
        bytes.replaceSubrange(cut..<cut + 3, with: Self.big(UInt32(trim.delay) << 12).dropFirst())
        return bytes
    }

    /// Fourteen hours at 44.1 kHz, which with the highest bit rate still fits the byte count.
    private static let mostFrames: UInt32 = 2_000_000
    /// As long at the lowest.
    private static let mostBytes: Int64 = 200_000_000

    private static func big(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
}
