/// Reads a media playlist line by line. IVs are made at the end: the key tag comes before the sequence number.
struct HLSReader {
    private struct Lock: Equatable {
        var url: String
        var iv: [UInt8]?
    }
    private struct Row {
        var url: String
        var duration: Double
        var lock: Lock?
        var range: Range<Int64>?
    }

    /// More than any sound has: a day in four-second segments.
    private static let segmentLimit = 21_600

    private let url: String
    private var rows: [Row] = []
    private var sequence: UInt64 = 0
    private var isEnded = false
    private var lock: Lock?
    private var duration: Double?
    private var range: (length: Int64, offset: Int64?)?

    init(url: String) { self.url = url }

    mutating func read(_ line: Substring) throws(HLSPlaylistError) {
        guard !line.isEmpty, !isEnded else { return }
        guard line.hasPrefix("#") else { return try addSegment(line) }
        let name = line.prefix { $0 != ":" }
        let value = line.dropFirst(name.count + 1)
        switch name {
        case "#EXTINF":
            guard let seconds = Double(value.prefix { $0 != "," }.trimmedBlanks), seconds.isFinite,
                (0...86_400).contains(seconds)
            else { throw .badTag("EXTINF") }
            duration = seconds
        case "#EXT-X-KEY": lock = try readKey(HLSAttributes(value))
        case "#EXT-X-MEDIA-SEQUENCE":
            guard let number = UInt64(value.trimmedBlanks) else { throw .badTag("EXT-X-MEDIA-SEQUENCE") }
            sequence = number
        case "#EXT-X-BYTERANGE": range = try readRange(value)
        case "#EXT-X-MAP": throw .unsupported("EXT-X-MAP")
        // The server itself says that a segment is missing.
        case "#EXT-X-GAP": throw .incomplete
        case "#EXT-X-ENDLIST": isEnded = true
        default: break
        }
    }

    func playlist() throws(HLSPlaylistError) -> HLSPlaylist {
        guard isEnded else { throw .incomplete }
        guard !rows.isEmpty else { throw .empty }
        let segments = rows.enumerated().map { index, row in
            let key = row.lock.map { lock in
                HLSPlaylist.Key(url: Secret(lock.url), iv: lock.iv ?? Self.iv(sequence &+ UInt64(index)))
            }
            return HLSPlaylist.Segment(url: Secret(row.url), duration: row.duration, key: key, range: row.range)
        }
        return HLSPlaylist(segments: segments)
    }

    private mutating func addSegment(_ line: Substring) throws(HLSPlaylistError) {
        guard let duration else { throw .badTag("segment without EXTINF") }
        guard rows.count < Self.segmentLimit else { throw .unsupported("a playlist of this length") }
        guard let address = URLReference.resolve(line, against: url) else { throw .badAddress }
        var part: Range<Int64>?
        if let range {
            // Without an offset the part follows the previous one of the same resource (RFC 8216 §4.3.2.2).
            let previous = rows.last.flatMap { $0.url == address ? $0.range?.upperBound : nil }
            guard let start = range.offset ?? previous else { throw .badTag("EXT-X-BYTERANGE") }
            let (end, overflow) = start.addingReportingOverflow(range.length)
            guard !overflow else { throw .badTag("EXT-X-BYTERANGE") }
            part = start..<end
        }
        rows.append(Row(url: address, duration: duration, lock: lock, range: part))
        self.duration = nil
        range = nil
    }

    private func readKey(_ attributes: HLSAttributes) throws(HLSPlaylistError) -> Lock? {
        switch attributes["METHOD"] {
        case "NONE": return nil
        case "AES-128": break
        case .some(let method): throw .unsupported("encryption \(method.prefix(20))")
        case nil: throw .badTag("EXT-X-KEY")
        }
        if let format = attributes["KEYFORMAT"], format != "identity" { throw .unsupported("keys of another kind") }
        guard let reference = attributes["URI"] else { throw .badTag("EXT-X-KEY") }
        guard let address = URLReference.resolve(reference, against: url) else { throw .badAddress }
        guard let text = attributes["IV"] else { return Lock(url: address, iv: nil) }
        guard let iv = Self.iv(text) else { throw .badTag("IV") }
        return Lock(url: address, iv: iv)
    }

    private func readRange(_ value: Substring) throws(HLSPlaylistError) -> (length: Int64, offset: Int64?) {
        let parts = value.split(separator: "@", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let length = Int64(parts[0].trimmedBlanks), length > 0 else {
            throw .badTag("EXT-X-BYTERANGE")
        }
        guard parts.count == 2 else { return (length, nil) }
        guard let offset = Int64(parts[1].trimmedBlanks), offset >= 0 else { throw .badTag("EXT-X-BYTERANGE") }
        return (length, offset)
    }

    /// The sequence number as 16 bytes, big-endian.
    private static func iv(_ number: UInt64) -> [UInt8] {
        [UInt8](repeating: 0, count: 8) + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    /// `0x` and up to 32 hex digits, filled with zeros on the left.
    private static func iv(_ text: Substring) -> [UInt8]? {
        guard text.hasPrefix("0x") || text.hasPrefix("0X") else { return nil }
        let digits = text.dropFirst(2).map(\.hexDigitValue)
        guard (1...32).contains(digits.count), !digits.contains(nil) else { return nil }
        let nibbles = [Int](repeating: 0, count: 32 - digits.count) + digits.compactMap { $0 }
        return stride(from: 0, to: 32, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }
    }
}

/// A tag's `NAME=value,NAME="quoted, value"` list.
struct HLSAttributes {
    private var values: [Substring: Substring] = [:]

    init(_ text: Substring) {
        var rest = text.trimmedBlanks
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].trimmedBlanks
            rest = rest[rest.index(after: equals)...]
            let isQuoted = rest.first == "\""
            if isQuoted { rest = rest.dropFirst() }
            let end: Character = isQuoted ? "\"" : ","
            let value = rest.prefix { $0 != end }
            values[name] = isQuoted ? value : value.trimmedBlanks
            rest = rest[value.endIndex...]
            if isQuoted { rest = rest.drop { $0 != "," } }
            rest = rest.dropFirst()
        }
    }

    subscript(name: Substring) -> Substring? { values[name] }
}

extension Substring {
    /// Without blanks and tabs at both ends.
    var trimmedBlanks: Substring {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
