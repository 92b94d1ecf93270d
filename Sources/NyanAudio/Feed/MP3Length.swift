internal import NyanCore

/// The length of an MP3: what its header frame states, and what its frames add up to. AAC in ADTS counts as an MP3
/// whose first frame says nothing.
nonisolated enum MP3Length {
    enum Stated {
        /// Too few bytes are there to say.
        case unknownYet
        case notMP3
        /// An MP3 whose first frame says nothing of its length.
        case unstated
        case length(Duration)
    }

    /// Reads the first frame only; any thread.
    static func stated(by source: any ByteSource) -> Stated {
        switch MP3Head.read(isAll: source.isComplete, source.bytes) {
        case .notYet: .unknownYet
        case .notMP3: isADTS(source) ? .unstated : .notMP3
        case .head(let head): head.statedLength.map { .length($0) } ?? .unstated
        }
    }

    private static func isADTS(_ source: any ByteSource) -> Bool {
        guard let start = source.bytes(at: 0, count: Int(min(source.available(from: 0), 1024))) else { return false }
        return SoundSniff.kind(of: start) == .aac && !start.starts(with: "ADIF".utf8)
    }

    /// Counts every frame of a complete MP3; nil if there is none. Reads the whole file; any thread but main.
    static func measured(of source: any ByteSource) -> Duration? {
        if isADTS(source) {
            var frames = ADTSFrames()
            read(source) { frames.feed($0) }
            let length = frames.finish().duration
            return length > .zero ? length : nil
        }
        var frames = MP3Frames()
        read(source) { frames.feed($0) }
        let walk = frames.finish()
        guard walk.sampleRate > 0, walk.frames > 0 else { return nil }
        guard walk.info?.trim == nil else { return walk.trimmedDuration }
        // What the pipeline cuts in front all the same; the end is not known to the sample.
        return walk.duration - .seconds(Double(MP3Head.usualDelay + MP3Head.decoderDelay) / Double(walk.sampleRate))
    }

    private static func read(_ source: any ByteSource, _ body: (UnsafeRawBufferPointer) -> Void) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while case .bytes(let count) = source.read(at: offset, into: buffer) {
            body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
    }

    /// How many bytes of sound are looked at to tell whether its rate is constant.
    private static let sample: Int64 = 128 << 10

    /// Bytes a second of an MP3 whose frames are all of one bit rate, as far as its first `sample` bytes tell and `length`,
    /// if it is known, does not belie them: then a time can be turned into an offset. nil for any other.
    static func constantRate(of source: any ByteSource, beginning head: MP3Head, length: Duration?) -> Double? {
        if head.info?.kind == .xing || head.info?.kind == .vbri { return nil }
        let start = head.tagBytes + head.headerBytes
        let end = start + min(sample, source.available(from: start))
        var offset = start
        var frames = 0
        var bitrate: Int?
        while offset < end, let word = source.bytes(at: offset, count: 4) {
            let big = word.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard let frame = MP3Frame(word: big), frame.continues(head.frame),
                bitrate ?? frame.bitrate == frame.bitrate
            else { return nil }
            bitrate = frame.bitrate
            frames += 1
            offset += Int64(frame.byteCount)
        }
        guard frames > 20 else { return nil }
        let seconds = Double(frames * head.frame.sampleCount) / Double(head.frame.sampleRate)
        let rate = Double(offset - start) / seconds
        guard let size = source.size, let length, length > .seconds(5) else { return rate }
        // Whole seconds are what VK tells of a length; a tag may stand at the end.
        let whole = Double(size - head.tagBytes) / rate
        return abs(whole - length.inSeconds) <= max(1.5, whole * 0.01) ? rate : nil
    }
}
