/// What walking the frames of an AAC stream has shown.
public struct ADTSWalk: Sendable, Equatable {
    /// Header of the first frame; nil when there is none. All others are of its kind.
    public internal(set) var first: ADTSFrame?
    /// Where the first frame stands: behind tags and whatever else comes before.
    public internal(set) var start: Int64 = 0
    /// Length of each frame, header included.
    public internal(set) var sizes: [UInt16] = []
    /// How often the chain of frames broke between two frames.
    public internal(set) var breaks = 0
    /// Bytes passed over at those breaks.
    public internal(set) var brokenBytes = 0
    /// Bytes after the last frame, tags left out.
    public internal(set) var trailingBytes = 0
    /// Bytes there are of a last frame that is not whole.
    public internal(set) var truncatedFrame = 0

    /// How long the frames sound; the encoder's delay, which nothing tells, included.
    public var duration: Duration {
        guard let first else { return .zero }
        return .seconds(Double(sizes.count * first.sampleCount) / Double(first.sampleRate))
    }
}

/// Walks the frames of AAC in ADTS as its bytes come, as `MP3Frames` does for MP3.
///
/// Feed chunks of any size in order, then call `finish()`. Only headers are looked at.
public struct ADTSFrames: Sendable {
    private var walk = ADTSWalk()
    /// Bytes that could not be judged yet: less than `reach` after a feed.
    private var carry: [UInt8] = []
    /// Offset of the first of them.
    private var offset: Int64 = 0
    /// Bytes still to pass over: the rest of a tag.
    private var skip = 0
    /// Bytes passed over since the last frame that belong to nothing.
    private var garbage = 0
    /// Something other than a frame came since the last one.
    private var isBroken = false

    /// The longest frame and the header behind it.
    private static let reach = ADTSFrame.longest + ADTSFrame.shortest

    public init() {}

    public mutating func feed(_ chunk: UnsafeRawBufferPointer) {
        var bytes = carry
        bytes.append(contentsOf: chunk)
        carry = []
        let used = bytes.withUnsafeBytes { pass($0, isEnd: false) }
        carry = Array(bytes[used...])
    }

    public mutating func feed(_ bytes: [UInt8]) { bytes.withUnsafeBytes { feed($0) } }

    /// Judges what is left and gives the result.
    public mutating func finish() -> ADTSWalk {
        let left = carry
        carry = []
        _ = left.withUnsafeBytes { pass($0, isEnd: true) }
        walk.trailingBytes = garbage
        return walk
    }

    /// Walks as far as the bytes allow.
    /// - Returns: how many bytes are judged.
    private mutating func pass(_ bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Int {
        var at = 0
        while at < bytes.count {
            if skip > 0 {
                let step = min(skip, bytes.count - at)
                skip -= step
                at += step
                continue
            }
            let rest = UnsafeRawBufferPointer(rebasing: bytes[at...])
            guard isEnd || rest.count >= Self.reach else { break }
            if let frame = ADTSFrame(rest), fits(frame, rest, isEnd: isEnd) {
                at += take(frame, rest, at: offset + Int64(at))
            } else if let tag = SoundTag.length(at: rest) {
                skip = tag
                isBroken = true
            } else {
                garbage += 1
                isBroken = true
                at += 1
            }
        }
        offset += Int64(at)
        return at
    }

    /// A frame that goes on from the last one needs no proof; any other must be followed by one of its kind.
    private func fits(_ frame: ADTSFrame, _ bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Bool {
        if let first = walk.first {
            guard frame.continues(first) else { return false }
            if !isBroken { return true }
        }
        if bytes.count >= frame.byteCount + ADTSFrame.shortest {
            let next = UnsafeRawBufferPointer(rebasing: bytes[frame.byteCount...])
            return ADTSFrame(next)?.continues(frame) ?? (SoundTag.length(at: next) != nil)
        }
        return isEnd && bytes.count == frame.byteCount
    }

    private mutating func take(_ frame: ADTSFrame, _ bytes: UnsafeRawBufferPointer, at place: Int64) -> Int {
        guard bytes.count >= frame.byteCount else {
            walk.truncatedFrame = bytes.count
            return bytes.count
        }
        if walk.first == nil {
            walk.first = frame
            walk.start = place
        } else if isBroken {
            walk.breaks += 1
            walk.brokenBytes += garbage
        }
        isBroken = false
        garbage = 0
        walk.sizes.append(UInt16(frame.byteCount))
        return frame.byteCount
    }
}
