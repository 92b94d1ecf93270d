/// Walks the frames of an MP3 as its bytes come: counts them, skips tags, and notices where the chain breaks.
///
/// Feed chunks of any size in order, then call `finish()`. Costs a few header reads per frame; 10 MB take some
/// milliseconds. Only headers are looked at: damage inside a frame that leaves the chain whole is not seen.
public struct MP3Frames: Sendable {
    /// What is known so far; complete after `finish()`.
    public private(set) var walk = MP3Walk()

    /// Bytes of the last chunk that could not be judged yet: less than `reach`.
    private var carry: [UInt8] = []
    /// Bytes still to pass over: the rest of a tag.
    private var skip = 0
    /// The last good frame; nil before the first.
    private var last: MP3Frame?
    /// In the middle of a run of bytes that belong to nothing.
    private var isLost = false
    /// Samples at the current rate, not yet turned into seconds.
    private var samplesAtRate: Int64 = 0

    /// The longest frame (1441 bytes) and the header behind it.
    private static let reach = 1441 + 4
    /// How much of a new chunk joins the carried bytes: enough to get past them.
    private static let joint = 4 * reach

    public init() {}

    public mutating func feed(_ chunk: UnsafeRawBufferPointer) {
        var chunk = chunk[...]
        if carry.count + chunk.count < Self.reach {
            carry.append(contentsOf: chunk)
            return
        }
        if !carry.isEmpty {
            var joined = carry
            joined.append(contentsOf: chunk.prefix(Self.joint))
            let used = joined.withUnsafeBytes { pass($0, isEnd: false) }
            guard used >= carry.count else {
                // Only a small chunk leaves carried bytes unjudged, and then all of it was joined.
                carry = Array(joined[used...])
                return
            }
            chunk = chunk.dropFirst(used - carry.count)
            carry = []
        }
        let rest = UnsafeRawBufferPointer(rebasing: chunk)
        let used = pass(rest, isEnd: false)
        carry = Array(rest[used...])
    }

    public mutating func feed(_ bytes: [UInt8]) { bytes.withUnsafeBytes { feed($0) } }

    /// Judges what is left and gives the result.
    public mutating func finish() -> MP3Walk {
        let left = carry
        carry = []
        _ = left.withUnsafeBytes { pass($0, isEnd: true) }
        settleSamples()
        walk.truncatedTag = skip
        skip = 0
        return walk
    }

    /// Walks as far as the bytes allow.
    /// - Returns: how many bytes are judged; the rest must come again in front of what follows.
    private mutating func pass(_ bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Int {
        var position = 0
        while position < bytes.count {
            if skip > 0 {
                let step = min(skip, bytes.count - position)
                skip -= step
                position += step
                continue
            }
            let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
            guard isEnd || rest.count >= Self.reach else { break }
            if isLost {
                position += search(rest, isEnd: isEnd)
            } else if let frame = MP3Frame(word: rest.word(at: 0)), accepts(frame, rest, isEnd: isEnd) {
                position += take(frame, rest)
            } else if let tag = SoundTag.length(at: rest) {
                walk.tagBytes += tag
                skip = tag
            } else {
                lose()
            }
        }
        return position
    }

    /// A frame that fits the last one needs no proof; any other must be followed by one that fits it.
    private func accepts(_ frame: MP3Frame, _ bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Bool {
        if !isLost, let last, frame.continues(last) { return true }
        if bytes.count >= frame.byteCount + 4 {
            let next = UnsafeRawBufferPointer(rebasing: bytes[frame.byteCount...])
            return MP3Frame(word: next.word(at: 0)).map { $0.continues(frame) } ?? (SoundTag.length(at: next) != nil)
        }
        return isEnd && bytes.count == frame.byteCount
    }

    /// Counts a frame; the very first may be a Xing or VBRI header, which holds no sound.
    private mutating func take(_ frame: MP3Frame, _ bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes.count >= frame.byteCount else {
            walk.truncatedFrame = bytes.count
            return bytes.count
        }
        if let last, !frame.continues(last) { settleSamples() }
        let isFirst = last == nil
        last = frame
        if isFirst, let header = MP3InfoHeader(frame: frame, bytes: bytes) {
            walk.info = header
            walk.sampleRate = frame.sampleRate
            return frame.byteCount
        }
        if walk.frames == 0 { walk.sampleRate = frame.sampleRate }
        walk.frames += 1
        walk.soundBytes += Int64(frame.byteCount)
        samplesAtRate += Int64(frame.sampleCount)
        return frame.byteCount
    }

    private mutating func settleSamples() {
        guard let last else { return }
        walk.samples += samplesAtRate
        walk.seconds += Double(samplesAtRate) / Double(last.sampleRate)
        samplesAtRate = 0
    }

    private mutating func lose() {
        isLost = true
        walk.pendingGarbage = 0
    }

    /// Looks for the next frame or tag.
    /// - Returns: how many bytes were passed over; stops short of the end so that a frame across it is not missed.
    private mutating func search(_ bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Int {
        var position = 0
        while position < bytes.count, isEnd || bytes.count - position >= Self.reach {
            let byte = bytes[position]
            // 0xFF starts a frame; I, T and A start the tags.
            if byte == 0xFF || byte == 0x49 || byte == 0x54 || byte == 0x41 {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
                if byte == 0xFF {
                    if let frame = MP3Frame(word: rest.word(at: 0)), accepts(frame, rest, isEnd: isEnd) { break }
                } else if SoundTag.length(at: rest) != nil {
                    break
                }
            }
            position += 1
        }
        walk.pendingGarbage += position
        let isFound = position < bytes.count && (isEnd || bytes.count - position >= Self.reach)
        if isFound {
            isLost = false
            let startsFrame = bytes[position] == 0xFF
            if walk.frames == 0 && walk.info == nil {
                walk.leadingBytes += walk.pendingGarbage
            } else if startsFrame {
                walk.breaks += 1
                walk.brokenBytes += walk.pendingGarbage
            } else {
                walk.trailingBytes += walk.pendingGarbage
            }
            walk.pendingGarbage = 0
        } else if isEnd {
            isLost = false
            walk.trailingBytes += walk.pendingGarbage
            walk.pendingGarbage = 0
        }
        return position
    }
}
