/// What walking an MP3's frames has shown.
public struct MP3Walk: Sendable, Equatable {
    /// Frames that hold sound; a Xing or VBRI header is not counted.
    public internal(set) var frames = 0
    /// Bytes of those frames.
    public internal(set) var soundBytes: Int64 = 0
    /// Samples per channel of those frames.
    public internal(set) var samples: Int64 = 0
    /// Hertz, of the first frame; 0 when there is none.
    public internal(set) var sampleRate = 0
    /// The Xing, Info or VBRI header, if the stream starts with one.
    public internal(set) var info: MP3InfoHeader?
    /// Bytes of ID3 and APE tags.
    public internal(set) var tagBytes = 0
    /// Bytes before the first frame that are no tag.
    public internal(set) var leadingBytes = 0
    /// How often the chain of frames broke between two frames.
    public internal(set) var breaks = 0
    /// Bytes passed over at those breaks.
    public internal(set) var brokenBytes = 0
    /// Bytes after the last frame that are no tag, such as Lyrics3.
    public internal(set) var trailingBytes = 0
    /// Bytes there are of a last frame that is not whole.
    public internal(set) var truncatedFrame = 0
    /// Bytes a tag announced that were not there.
    public internal(set) var truncatedTag = 0

    var pendingGarbage = 0
    var seconds = 0.0

    /// How long the frames sound, encoder delay and padding included.
    public var duration: Duration { .seconds(seconds) }
    /// How long the sound is once a player has cut delay and padding; `duration` where no header tells them.
    public var trimmedDuration: Duration {
        guard let cut = info?.trim, sampleRate > 0 else { return duration }
        return .seconds(max(0, seconds - Double(cut.delay + cut.padding) / Double(sampleRate)))
    }
}

/// The header frame an encoder puts first to say how long the stream is (LAME tag specification, VBRI).
public struct MP3InfoHeader: Sendable, Equatable {
    public enum Kind: Sendable { case xing, info, vbri }

    public var kind: Kind
    /// Sound frames that follow; nil when not told.
    public var frames: Int?
    /// Bytes of the stream; nil when not told.
    public var bytes: Int?
    /// Samples to cut at the start and the end; nil when no LAME part tells them.
    public var trim: Trim?

    public struct Trim: Sendable, Equatable {
        public var delay: Int
        public var padding: Int
        public init(delay: Int, padding: Int) {
            self.delay = delay
            self.padding = padding
        }
    }

    /// Reads the header out of a stream's first frame; nil when that frame is sound.
    init?(frame: MP3Frame, bytes: UnsafeRawBufferPointer) {
        let places = [4 + frame.sideByteCount, 6 + frame.sideByteCount]
        for place in places where place + 8 <= frame.byteCount {
            switch bytes.word(at: place) {
            case 0x5869_6E67: kind = .xing
            case 0x496E_666F: kind = .info
            default: continue
            }
            readXing(bytes, at: place, end: frame.byteCount)
            return
        }
        guard frame.byteCount >= 36 + 18, bytes.word(at: 36) == 0x5642_5249 else { return nil }
        kind = .vbri
        self.bytes = Int(bytes.word(at: 46))
        frames = Int(bytes.word(at: 50))
    }

    private mutating func readXing(_ source: UnsafeRawBufferPointer, at place: Int, end: Int) {
        let flags = source.word(at: place + 4)
        var position = place + 8
        if flags & 1 != 0, position + 4 <= end {
            frames = Int(source.word(at: position))
            position += 4
        }
        if flags & 2 != 0, position + 4 <= end {
            bytes = Int(source.word(at: position))
            position += 4
        }
        if flags & 4 != 0 { position += 100 }
        if flags & 8 != 0 { position += 4 }
        // The encoder's name (9 bytes), 12 bytes of settings, then twice 12 bits: delay and padding.
        guard position + 24 <= end, source[position] != 0 else { return }
        let packed = source.word(at: position + 20) & 0xFFFFFF
        trim = Trim(delay: Int(packed >> 12), padding: Int(packed & 0xFFF))
    }
}
