internal import NyanCore
internal import Synchronization

/// The bytes of a sound as the pipeline is to see them.
///
/// All but MP3 pass as they are. An MP3's header frame is replaced by one of our making, or put in where it is missing:
/// the pipeline then cuts the encoder's delay in front on the very sample, whatever wrote the file, and a frame count
/// that lies cuts nothing short (field-issues.md B6). What is cut at the end is `tail`'s matter.
nonisolated final class FedSound: ByteSource {
    /// What must be cut from the end of the decoded sound.
    enum Tail: Sendable, Equatable {
        case nothing
        /// So many samples.
        case samples(Int)
        /// What lies beyond the position that the file's last page states.
        case beyondOggEnd
        /// Whatever of it is silent beside what was before: nobody has told how much the encoder put there.
        case silence
    }

    /// What a sound is, judged by its first bytes.
    enum Form: Sendable, Equatable {
        /// `hasTags`: an ID3v2 tag comes before its frames.
        case mp3(hasTags: Bool)
        case flac
        /// A kind that GStreamer may know.
        case other
        /// Text, a page or nothing at all.
        case noSound
    }

    /// One place where the bytes differ from the copy's.
    private struct Patch: Sendable {
        var at: Int64 = 0
        /// How many of the copy's bytes are left out there.
        var removed: Int64 = 0
        var inserted: [UInt8] = []
        var tail = Tail.nothing
        var form = Form.other
        /// How an MP3 begins.
        var head: MP3Head?
        var end: Int64 { at + Int64(inserted.count) }
    }

    /// Longer tags are left out: GStreamer's reader holds one three times over (decision 0047), and booklets of scans are less.
    static let longestTag: Int64 = 16 << 20
    /// Bytes behind such a tag in which the sound must begin: padding and a little more may come first.
    static let longestPadding = 16 << 10

    let source: any ByteSource
    private let known: Mutex<Patch?>

    init(_ source: any ByteSource) {
        self.source = source
        known = Mutex(nil)
    }

    /// What to cut at the end; nil while the beginning of the sound is not there.
    var tail: Tail? { patch()?.tail }

    /// nil while the beginning of the sound is not there.
    var form: Form? { patch()?.form }

    /// Where the copy has the byte that the pipeline knows at `offset`.
    func sourceOffset(_ offset: Int64) -> Int64 {
        // While the beginning is not there, that is what is missing.
        guard let patch = patch() else { return source.available(from: 0) }
        if offset < patch.at { return offset }
        return max(offset - patch.end, 0) + patch.at + patch.removed
    }

    var size: Int64? {
        guard let patch = patch(), let size = source.size else { return nil }
        return size - patch.removed + Int64(patch.inserted.count)
    }

    var isComplete: Bool { source.isComplete }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ByteRead {
        guard let patch = patch() else { return .notYet }
        if offset < patch.at {
            let count = Int(min(Int64(buffer.count), patch.at - offset))
            return source.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
        }
        if offset < patch.end {
            let part = patch.inserted[Int(offset - patch.at)...].prefix(buffer.count)
            buffer.copyBytes(from: part)
            return .bytes(part.count)
        }
        return source.read(at: sourceOffset(offset), into: buffer)
    }

    func available(from offset: Int64) -> Int64 {
        guard let patch = patch() else { return 0 }
        guard offset < patch.end else { return source.available(from: sourceOffset(offset)) }
        let behind = patch.end - max(offset, patch.at) + source.available(from: patch.at + patch.removed)
        guard offset < patch.at else { return behind }
        let before = source.available(from: offset)
        return offset + before < patch.at ? before : patch.at - offset + behind
    }

    func observe(_ change: @escaping @Sendable (CopyChange) -> Void) -> Observation { source.observe(change) }

    var isMP3: Bool { patch()?.head != nil }

    /// The offset, as the pipeline counts, of an MP3's frame that sounds at `time`; nil where its rate is not constant, or
    /// too little is known of it. Half a frame early, as the next frame's beginning is looked for from there.
    func offset(of time: Duration, length: Duration?) -> Int64? {
        guard let patch = patch(), let head = patch.head,
            let rate = MP3Length.constantRate(of: source, beginning: head, length: length)
        else { return nil }
        let delay = Double(head.trim.delay + MP3Head.decoderDelay) / Double(head.frame.sampleRate)
        let bytes = (time.inSeconds + delay) * rate
        return patch.end + max(0, Int64(bytes) - Int64(head.frame.byteCount / 2))
    }

    /// How long an Ogg sound is by its last page; nil for any other, and while the end is not there.
    var oggEnd: (count: Int64, rate: Int)? {
        guard let size = source.size, let head = source.bytes(at: sourceOffset(0), count: 64) else { return nil }
        let reach = min(Int(size), OggEnd.reach)
        return source.bytes(at: size - Int64(reach), count: reach).flatMap { OggEnd.samples(head: head, tail: $0) }
    }

    /// The same as a length.
    var oggLength: Duration? {
        oggEnd.map { .nanoseconds($0.count * 1_000_000_000 / Int64($0.rate)) }
    }

    /// Looks at the beginning until it can be judged, then never again: what the pipeline was told stays.
    private func patch() -> Patch? {
        if let found = known.withLock({ $0 }) { return found }
        guard let found = makePatch() else { return nil }
        return known.withLock { known in
            known = known ?? found
            return known
        }
    }

    private func makePatch() -> Patch? {
        switch MP3Head.read(isAll: source.isComplete, source.bytes) {
        case .notYet: return nil
        case .notMP3:
            return makeOther()
        case .head(let head):
            let padding = head.trim.padding
            let kept = head.tagBytes <= Self.longestTag ? head.tagBytes : 0
            var patch = Patch(at: kept, inserted: head.frontFrame(size: source.size))
            patch.removed = head.tagBytes - kept + head.headerBytes
            patch.head = head
            patch.form = .mp3(hasTags: kept > 0)
            patch.tail = padding.map { .samples(max(0, $0 - MP3Head.decoderDelay)) } ?? .silence
            return patch
        }
    }

    /// The bytes of what is no MP3 pass unchanged, but for a tag that is too long.
    private func makeOther() -> Patch? {
        let tags = tagBytes()
        guard tags <= Self.longestTag else { return makeBehind(tags) }
        let there = Int(min(source.available(from: 0), 1024))
        guard there >= 64 || source.isComplete else { return nil }
        guard let start = source.bytes(at: 0, count: there), !start.isEmpty else { return Patch(form: .noSound) }
        return switch SoundSniff.kind(of: start) {
        case .html, .json, .hls: Patch(form: .noSound)
        case .ogg: Patch(tail: .beyondOggEnd)
        case .flac where start.starts(with: "fLaC".utf8): Patch(form: .flac)
        default: Patch()
        }
    }

    /// How long the ID3v2 tags at the beginning are, as far as they can be seen.
    private func tagBytes() -> Int64 {
        var length: Int64 = 0
        for _ in 0..<4 {
            guard let head = source.bytes(at: length, count: 10), head.starts(with: "ID3".utf8),
                let tag = head.withUnsafeBytes(SoundTag.length)
            else { break }
            length += Int64(tag)
        }
        return length
    }

    /// Leaves out tags and whatever lies between them and the sound; no sound where nothing known begins there.
    private func makeBehind(_ tags: Int64) -> Patch? {
        let there = Int(min(source.available(from: tags), Int64(Self.longestPadding)))
        guard there == Self.longestPadding || source.isComplete else { return nil }
        let behind = source.bytes(at: tags, count: there) ?? []
        let found = behind.withUnsafeBytes { bytes -> (at: Int, kind: SoundSniff)? in
            for at in bytes.indices where bytes[at] != 0 {
                let kind = SoundSniff.kind(of: UnsafeRawBufferPointer(rebasing: bytes[at...]))
                // A text is one only at its beginning.
                if [.html, .json, .hls].contains(kind), bytes[..<at].allSatisfy({ $0 == 0 }) { return nil }
                if [.flac, .ogg, .aac, .mp3, .mp4, .wav].contains(kind) { return (at, kind) }
            }
            return nil
        }
        guard let found else { return Patch(form: .noSound) }
        var patch = Patch(removed: tags + Int64(found.at))
        if found.kind == .flac { patch.form = .flac }
        if found.kind == .ogg { patch.tail = .beyondOggEnd }
        return patch
    }
}

extension ByteSource {
    /// `count` bytes at `offset`; nil if they are not all there.
    nonisolated func bytes(at offset: Int64, count: Int) -> [UInt8]? {
        guard available(from: offset) >= Int64(count) else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                guard case .bytes(let more) = read(at: offset + Int64(filled), into: rest) else { return }
                filled += more
            }
        }
        return bytes.count == count ? bytes : nil
    }
}
