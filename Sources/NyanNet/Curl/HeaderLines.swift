/// Collects the header lines of one answer: interim answers (1xx) are forgotten when the next status line comes.
nonisolated struct HeaderLines {
    private(set) var status = 0
    private(set) var fields: [String: String] = [:]

    /// Takes a line as libcurl hands it over, line end included.
    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        let line = Self.trimmed(String(decoding: bytes, as: UTF8.self)[...])
        if line.hasPrefix("HTTP/") {
            let parts = line.split(separator: " ", maxSplits: 2)
            status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
            fields = [:]
        } else if let colon = line.firstIndex(of: ":") {
            let name = line[..<colon].lowercased()
            fields[name] = String(Self.trimmed(line[line.index(after: colon)...]))
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first.isWhitespace { text = text.dropFirst() }
        while let last = text.last, last.isWhitespace { text = text.dropLast() }
        return text
    }
}
