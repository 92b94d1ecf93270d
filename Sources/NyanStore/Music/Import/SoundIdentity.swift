import CGLib
import CTag
import Glibc
import NyanCore

/// Reads a file that may become a copy in My Music: whether it is whole sound, and which.
struct SoundIdentity {
    let file: SoundFile
    let kind: SoundSniff

    /// Bytes, as WAV has at most. What is larger is a disk's picture, or a hole; it would be read for minutes.
    static let largest = 4 << 30

    /// Of a file that has no id yet.
    static let nobody = TrackID(owner: 0, audio: 0)

    /// - Throws: in words why this is nothing to keep.
    init(_ candidate: ImportCandidate) throws(Failure) {
        // Not blocking: it may be a pipe.
        let path = candidate.path.cPath
        let descriptor = retrying { Int(Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) }
        guard let descriptor else { throw .file(errno, "open", candidate.shown) }
        let open = OpenFile(taking: Int32(descriptor), path: candidate.shown)
        var facts = stat()
        guard fstat(open.descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw Failure(.badArgument, "it is no ordinary file")
        }
        guard facts.st_size > 0 else { throw Failure(.damagedSound, "it is empty") }
        guard facts.st_size <= Self.largest else { throw Failure(.unsupported, "it is larger than 4 GiB") }
        file = SoundFile(open, id: Self.nobody)
        kind = try Self.kind(of: file)
    }

    private static func kind(of file: SoundFile) throws(Failure) -> SoundSniff {
        let head = try file.bytes(at: 0, 4096)
        var kind = SoundSniff.kind(of: head)
        if head.starts(with: "ID3".utf8) {
            // Its cover may be longer than what was read.
            let behind = try file.bytes(at: try file.sound().lowerBound, 4096)
            let other = SoundSniff.kind(of: behind)
            kind = other == .flac || other == .aac ? other : .mp3
        }
        switch kind {
        case .mp3, .flac, .ogg, .mp4, .wav: return kind
        // The frame walk knows better: junk may stand before the first frame.
        case .unknown where head.contains(0xFF): return .mp3
        case .html, .json, .hls: throw Failure(.damagedSound, "it is a text and no sound")
        case .aac where !head.starts(with: "ADIF".utf8): return .aac
        default: throw Failure(.unsupported, "nyand does not know this kind of sound")
        }
    }

    /// What TagLib is told; nil for what it is not to open.
    static func tagKind(_ kind: SoundSniff) -> ctag_kind {
        switch kind {
        case .flac: CTAG_FLAC
        case .ogg: CTAG_OGG
        case .mp4: CTAG_MP4
        case .wav: CTAG_WAV
        default: CTAG_MPEG
        }
    }

    /// The same file under a path in ASCII, whatever its name is in.
    var tagPath: String { "/proc/self/fd/\(file.file.descriptor)" }

    /// The track as its tag and, where that says nothing, its name describe it.
    func describe(_ candidate: ImportCandidate) throws(Failure) -> ImportedSound {
        if let complaint = try ContainerEnd.complaint(file, kind) { throw Failure(.damagedSound, complaint) }
        guard let tags = Tags.identify(tagPath, kind) else {
            throw Failure(.damagedSound, "it is damaged: its structure cannot be read")
        }
        let (sum, length) = try judge(tags)
        guard length > 0 else { throw Failure(.damagedSound, "there is no sound in it") }
        let texts = [tags.title, tags.artist, tags.album ?? ""]
        let isCyrillic = MisreadText.isCyrillic(texts)
        let named = ImportName(candidate.path)
        func text(_ text: String) -> String? {
            let good = ComposedText.compose(MisreadText.repaired(text, amongCyrillic: isCyrillic))
            return good.allSatisfy(\.isWhitespace) ? nil : good
        }
        let title = text(tags.title)
        let track = Track(
            id: tags.trackID ?? TrackID(owner: 0, audio: sum),
            artist: text(tags.artist) ?? (title == nil ? named.artist : ""),
            title: title ?? named.title, album: tags.album.flatMap(text), duration: Int((length + 500) / 1000))
        return ImportedSound(candidate: candidate, kind: kind, track: track, isCyrillic: isCyrillic)
    }

    /// - Returns: the sum that makes the id, and milliseconds of sound.
    private func judge(_ tags: Tags.Identified) throws(Failure) -> (sum: Int64, length: Int) {
        switch kind {
        case .mp3: return try walk()
        case .aac: return (try sum(try file.sound()), Self.milliseconds(try file.verifyAAC(expected: nil).duration))
        default: return (try sum(0..<file.size), tags.length)
        }
    }

    private static func milliseconds(_ length: Duration) -> Int {
        Int(length.components.seconds) * 1000 + Int(length.components.attoseconds / 1_000_000_000_000_000)
    }

    /// Walks an MP3's frames and sums what lies between its tags, so that tags may change and the id stays.
    /// - Returns: the sum, and milliseconds of sound.
    private func walk() throws(Failure) -> (sum: Int64, length: Int) {
        var frames = MP3Frames()
        let sum = try sum(try file.sound()) { frames.feed($0) }
        let walk = frames.finish()
        if let problem = SoundCheck.problem(walk, expected: nil) { throw problem }
        return (sum, Self.milliseconds(walk.trimmedDuration))
    }

    /// MD5 of these bytes, cut to a positive number of 63 bits: against accidents, as no enemy gains by it.
    private func sum(
        _ range: Range<Int64>, _ look: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(Failure) -> Int64 {
        guard let checksum = g_checksum_new(G_CHECKSUM_MD5) else { throw Failure(.internal, "there is no memory") }
        defer { g_checksum_free(checksum) }
        try file.read(range) { bytes throws(Failure) in
            g_checksum_update(checksum, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
            look(bytes)
        }
        var digest = [UInt8](repeating: 0, count: 16)
        var count = digest.count
        g_checksum_get_digest(checksum, &digest, &count)
        return max(1, Int64(digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } >> 1))
    }

    /// The id that a file has by its bytes alone.
    func soundID() throws(Failure) -> TrackID {
        TrackID(owner: 0, audio: try sum(kind == .mp3 || kind == .aac ? try file.sound() : 0..<file.size))
    }
}

/// Whether a file ends where its head says.
enum ContainerEnd {
    /// nil where nothing is missing, and where the kind does not tell.
    static func complaint(_ file: SoundFile, _ kind: SoundSniff) throws(Failure) -> String? {
        let end: Int64? =
            switch kind {
            case .mp4: try boxes(file)
            case .wav: try chunk(file)
            default: nil
            }
        guard let end, end > file.size else { return nil }
        return "it is cut off: \(file.size) of \(end) bytes are there"
    }

    /// The end of an MP4's last box: each begins with its length, big-endian; 1 = the length follows, 0 = to the end.
    private static func boxes(_ file: SoundFile) throws(Failure) -> Int64? {
        var place: Int64 = 0
        while place < file.size {
            let head = try file.bytes(at: place, 16)
            guard head.count >= 8 else { return nil }
            var length = head[0..<4].reduce(Int64(0)) { $0 << 8 | Int64($1) }
            if length == 0 { return nil }
            if length == 1 {
                guard head.count == 16, head[8] < 0x80 else { return nil }
                length = head[8..<16].reduce(0) { $0 << 8 | Int64($1) }
            }
            guard length >= 8, place < Int64.max - length else { return nil }
            place += length
        }
        return place
    }

    /// The end of a WAV's outermost chunk; writers that could not go back leave it 0 or all ones.
    private static func chunk(_ file: SoundFile) throws(Failure) -> Int64? {
        let head = try file.bytes(at: 4, 4)
        let length = head.reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return length == 0 || length >= 0xFFFF_FF00 ? nil : length + 8
    }
}
