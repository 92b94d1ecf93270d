/// The segments of one sound, in order, ready to be fetched (vk-api.md §4.3, RFC 8216).
public struct HLSPlaylist: Sendable, Equatable {
    /// What opens an encrypted segment: AES-128-CBC with PKCS#7 padding.
    public struct Key: Sendable, Equatable {
        /// Where the 16 raw bytes are.
        public var url: Secret
        /// 16 bytes: as given, or the segment's media sequence number.
        public var iv: [UInt8]
        public init(url: Secret, iv: [UInt8]) {
            self.url = url
            self.iv = iv
        }
    }

    public struct Segment: Sendable, Equatable {
        public var url: Secret
        /// Seconds as EXTINF says.
        public var duration: Double
        /// nil = not encrypted.
        public var key: Key?
        /// The part of the resource this segment is; nil = all of it.
        public var range: Range<Int64>?
        public init(url: Secret, duration: Double, key: Key? = nil, range: Range<Int64>? = nil) {
            self.url = url
            self.duration = duration
            self.key = key
            self.range = range
        }
    }

    public var segments: [Segment]
    public init(segments: [Segment]) { self.segments = segments }

    /// EXTINF seconds of each segment: what a fresh playlist is compared by (`SegmentProgress.durations`).
    public var durations: [Double] { segments.map(\.duration) }
    /// Seconds of the whole sound.
    public var length: Double { segments.reduce(0) { $0 + $1.duration } }
}

/// A playlist as fetched: segments, or the place of a playlist that has them.
public enum HLSDocument: Sendable, Equatable {
    case media(HLSPlaylist)
    /// The sound of the variant of the highest BANDWIDTH. What is fetched from there must be `.media`: forbid recursion.
    case master(best: Secret)

    /// Reads a playlist. `url` is where it was fetched from, after redirects: references resolve against it, its query
    /// is not inherited.
    public init(_ bytes: some Collection<UInt8>, url: Secret) throws(HLSPlaylistError) {
        // Bytes that are no UTF-8 become U+FFFD, which no tag and no valid URL holds.
        self = try Self(text: String(decoding: bytes, as: UTF8.self), url: url)
    }

    public init(text: String, url: Secret) throws(HLSPlaylistError) {
        // CR LF is one Character in Swift: split on scalars' bytes instead.
        let lines = text.utf8.drop { Array("\u{FEFF}".utf8).contains($0) }
            .split { $0 == 0x0A || $0 == 0x0D }
            .map { Substring($0).trimmedBlanks }
            .filter { !$0.isEmpty }
        guard lines.first?.hasPrefix("#EXTM3U") == true else { throw .notAPlaylist }
        if lines.contains(where: { $0.hasPrefix("#EXT-X-STREAM-INF:") }) {
            self = .master(best: try HLSMaster.best(lines, url: url))
        } else {
            var reader = HLSReader(url: url.revealed)
            for line in lines { try reader.read(line) }
            self = .media(try reader.playlist())
        }
    }
}

/// Why a playlist cannot be used. Holds no URL.
public enum HLSPlaylistError: Error, Sendable, Equatable {
    /// It does not start with `#EXTM3U`: an error page, or rubbish.
    case notAPlaylist
    case empty
    /// No ENDLIST: cut short, or a live stream.
    case incomplete
    /// A segment without a duration, or a tag whose value cannot be read.
    case badTag(String)
    /// An address that is no http or https URL.
    case badAddress
    /// A feature we do not know, such as `EXT-X-MAP` or `SAMPLE-AES`.
    case unsupported(String)

    /// The same for outside; a cut or broken list may be whole at the next try.
    public var failure: Failure {
        switch self {
        case .notAPlaylist: Failure(.badAnswer, "VK sent something that is no playlist.", retry: .later)
        case .empty: Failure(.badAnswer, "The playlist of this sound is empty.", retry: .later)
        case .incomplete: Failure(.badAnswer, "The playlist of this sound is cut short.", retry: .later)
        case .badTag(let tag): Failure(.badAnswer, "The playlist of this sound has a broken \(tag).", retry: .later)
        case .badAddress: Failure(.badAnswer, "The playlist of this sound has a broken address.", retry: .later)
        case .unsupported(let what): Failure(.unsupported, "This sound needs \(what), which is not supported.")
        }
    }
}
