import CTag
import NyanCore

/// The beginning of an MP4 file that holds one AAC stream (ISO 14496-12, 14496-14): `ftyp`, `moov` with the tags, and the
/// header of `mdat`. The frames follow without their ADTS headers (docs/decisions/0019).
struct M4AHead {
    /// What a player may read at once: about a second.
    private static let framesInChunk = 43
    /// Sizes and offsets are 32 bits.
    private static let most: Int64 = 4_000_000_000

    private let walk: ADTSWalk
    private let first: ADTSFrame
    /// Bytes of the frames without headers.
    let soundBytes: Int64

    /// - Throws: `.unsupported` for what AAC in MP4 cannot say by its usual two bytes.
    init(_ walk: ADTSWalk, id: TrackID) throws(Failure) {
        guard let first = walk.first, first.channelCode > 0, first.blockCount == 1 else {
            throw Failure(.unsupported, "This kind of AAC cannot be kept as a file.", subject: id)
        }
        self.walk = walk
        self.first = first
        soundBytes = walk.sizes.reduce(0) { $0 + Int64($1) } - Int64(walk.sizes.count * first.headerByteCount)
        guard soundBytes < Self.most, walk.sizes.count <= Int(UInt32.max) / max(1, first.sampleCount) else {
            throw Failure(.unsupported, "The sound is too long for an MP4 file.", subject: id)
        }
    }

    /// The bytes before the frames. `id3`: an ID3v2 tag whose words are taken over.
    func render(id3: [UInt8], id: TrackID) throws(Failure) -> [UInt8] {
        let type = Self.box("ftyp", Array("M4A ".utf8), [0, 0, 0, 0], Array("M4A mp42isom".utf8))
        // TagLib puts the tags into the empty `udta` at the end; only then is known where the frames begin.
        let plain = type + movie(base: 0)
        var count = 0
        guard let rendered = ctag_m4a_render(plain, plain.count, id3, id3.count, &count) else {
            throw Failure(.internal, "cannot make the file's tags", subject: id)
        }
        defer { ctag_free(rendered) }
        let tagged = Array(UnsafeBufferPointer(start: rendered, count: count))
        let untagged = type + movie(base: UInt32(tagged.count + 8))
        // The lengths of `moov` and `udta` are TagLib's.
        let (lengthEnd, tagsBegin) = (type.count + 4, untagged.count - 8)
        var bytes = Array(tagged[..<lengthEnd])
        bytes += untagged[lengthEnd..<tagsBegin]
        bytes += tagged[tagsBegin...]
        return bytes + Self.big(UInt32(soundBytes + 8)) + Array("mdat".utf8)
    }

    // The atoms, from the outermost on.

    private var rate: UInt32 { UInt32(first.sampleRate) }
    private var samples: UInt32 { UInt32(walk.sizes.count * first.sampleCount) }
    /// No rotation, no scaling.
    private static let matrix: [UInt8] = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].flatMap { big($0) }

    private func movie(base: UInt32) -> [UInt8] {
        let rest = Self.big(0x10000) + [1, 0, 0, 0] + Self.zeros(8) + Self.matrix + Self.zeros(24) + Self.big(2)
        let header = Self.box("mvhd", Self.zeros(12), Self.big(rate), Self.big(samples), rest)
        return Self.box("moov", header, track(base: base), Self.box("udta"))
    }

    private func track(base: UInt32) -> [UInt8] {
        // Flags: enabled, in the movie. Volume 1.
        let header = Self.box(
            "tkhd", [0, 0, 0, 3], Self.zeros(8), Self.big(1), Self.zeros(4), Self.big(samples), Self.zeros(12),
            [1, 0, 0, 0], Self.matrix, Self.zeros(8))
        let media = Self.box("mdhd", Self.zeros(12), Self.big(rate), Self.big(samples), [0x55, 0xC4, 0, 0])
        let handler = Self.box("hdlr", Self.zeros(8), Array("soun".utf8), Self.zeros(12), Array("nyand\0".utf8))
        let place = Self.box("dinf", Self.box("dref", Self.zeros(4), Self.big(1), Self.box("url ", [0, 0, 0, 1])))
        let information = Self.box("minf", Self.box("smhd", Self.zeros(8)), place, table(base: base))
        return Self.box("trak", header, Self.box("mdia", media, handler, information))
    }

    private func table(base: UInt32) -> [UInt8] {
        let count = walk.sizes.count
        let (chunks, left) = count.quotientAndRemainder(dividingBy: Self.framesInChunk)
        // Runs of chunks: number of the first, frames in each, description 1.
        var runs: [[UInt8]] = []
        if chunks > 0 { runs.append(Self.big(1) + Self.big(UInt32(Self.framesInChunk)) + Self.big(1)) }
        if left > 0 { runs.append(Self.big(UInt32(chunks + 1)) + Self.big(UInt32(left)) + Self.big(1)) }
        var sizes: [UInt8] = []
        var places: [UInt8] = []
        sizes.reserveCapacity(4 * count)
        var place = base
        for (number, size) in walk.sizes.enumerated() {
            if number.isMultiple(of: Self.framesInChunk) { places += Self.big(place) }
            let bare = UInt32(size) - UInt32(first.headerByteCount)
            sizes += Self.big(bare)
            place += bare
        }
        return Self.box(
            "stbl", description,
            Self.box("stts", Self.zeros(4), Self.big(1), Self.big(UInt32(count)), Self.big(UInt32(first.sampleCount))),
            Self.box("stsc", Self.zeros(4), Self.big(UInt32(runs.count)), runs.flatMap { $0 }),
            Self.box("stsz", Self.zeros(8), Self.big(UInt32(count)), sizes),
            Self.box("stco", Self.zeros(4), Self.big(UInt32(places.count / 4)), places))
    }

    /// What the frames are: in `mp4a` for players that look no deeper, and in the two bytes a decoder is set up by.
    private var description: [UInt8] {
        let setup = UInt16(first.objectType) << 11 | UInt16(first.rateIndex) << 7 | UInt16(first.channelCode) << 3
        let seconds = Double(samples) / Double(rate)
        let bitrate = UInt32(min(Double(soundBytes) * 8 / max(seconds, 0.001), 4e9))
        let specific = [0x05, 2, UInt8(setup >> 8), UInt8(setup & 0xFF)]
        // Kind: MPEG-4 audio; a stream of sound, 6 KiB buffer; highest and mean bit rate.
        let decoder: [UInt8] = [0x40, 0x15, 0, 0x18, 0] + Self.big(bitrate) + Self.big(bitrate) + specific
        let stream = [0, 0, 0] + [0x04, UInt8(decoder.count)] + decoder + [0x06, 1, 2]
        let esds = Self.box("esds", Self.zeros(4), [0x03, UInt8(stream.count)] + stream)
        let channels: UInt8 = first.channelCode == 7 ? 8 : first.channelCode
        let hertz = rate > 0xFFFF ? 0 : rate << 16
        let entry = Self.box(
            "mp4a", Self.zeros(6), [0, 1], Self.zeros(8), [0, channels, 0, 16], Self.zeros(4), Self.big(hertz), esds)
        return Self.box("stsd", Self.zeros(4), Self.big(1), entry)
    }

    private static func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
        let content = parts.flatMap { $0 }
        return big(UInt32(content.count + 8)) + Array(type.utf8) + content
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private static func big(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
}
