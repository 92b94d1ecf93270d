import NyanCore

/// Collects the header lines of one answer: interim answers (1xx) are forgotten when the next status line comes.
nonisolated struct HeaderLines {
    /// Bytes of all the lines of one request, interim answers and trailers included; servers' own limits are at 16 KiB.
    private static let most = 128 << 10

    private var bytes = 0
    /// More lines came than any server has to say.
    var isTooLong: Bool { bytes > Self.most }

    private(set) var status = 0
    /// HTTP/1, where a body may end by closing the connection.
    private var isFirstHTTP = true
    private(set) var fields: [String: String] = [:]
    /// Cookies are the account (vk-api.md §1.7): kept apart from what may be looked at.
    private(set) var setCookies: [Secret] = []

    /// Takes a line as libcurl hands it over, line end included.
    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        self.bytes += bytes.count
        guard !isTooLong else { return }
        let line = Self.trimmed(String(decoding: bytes, as: UTF8.self)[...])
        if line.hasPrefix("HTTP/") {
            let parts = line.split(separator: " ", maxSplits: 2)
            isFirstHTTP = line.hasPrefix("HTTP/1") || line.hasPrefix("HTTP/0")
            status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
            fields = [:]
            setCookies = []
        } else if let colon = line.firstIndex(of: ":") {
            let name = line[..<colon].lowercased()
            let value = String(Self.trimmed(line[line.index(after: colon)...]))
            if name == "set-cookie" { setCookies.append(Secret(value)) } else { fields[name] = value }
        }
    }

    /// Whether the body's end is said by a length, by chunks, or by a later HTTP's frames.
    var isEndAnnounced: Bool {
        !isFirstHTTP || fields["content-length"] != nil
            || fields["transfer-encoding"]?.lowercased().hasSuffix("chunked") == true
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first.isWhitespace { text = text.dropFirst() }
        while let last = text.last, last.isWhitespace { text = text.dropLast() }
        return text
    }
}
