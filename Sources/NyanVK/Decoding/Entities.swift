/// Decodes HTML entities once: `&amp;amp;` becomes `&amp;` (vk-api.md §5). What is no known entity stays as it is.
nonisolated enum Entities {
    /// The longest body looked for between `&` and `;`, in characters.
    private static let longestBody = 10

    static func decode(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var decoded = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let start = rest.firstIndex(of: "&") {
            decoded += rest[..<start]
            rest = rest[start...]
            let body = rest.dropFirst().prefix(longestBody).prefix { $0 != ";" && $0 != "&" }
            if body.endIndex < rest.endIndex, rest[body.endIndex] == ";", let scalar = scalar(named: String(body)) {
                decoded.append(scalar)
                rest = rest[rest.index(after: body.endIndex)...]
            } else {
                decoded.append("&")
                rest = rest.dropFirst()
            }
        }
        return String(decoded + rest)
    }

    private static func scalar(named body: String) -> Unicode.Scalar? {
        guard body.hasPrefix("#") else { return named[body] }
        let isHex = body.hasPrefix("#x") || body.hasPrefix("#X")
        let digits = body.dropFirst(isHex ? 2 : 1)
        guard !digits.isEmpty, digits.allSatisfy(\.isHexDigit), let code = UInt32(digits, radix: isHex ? 16 : 10) else {
            return nil
        }
        // HTML reads 128…159 as Windows-1252, and old tags are full of such apostrophes and dashes.
        if (128...159).contains(code) { return windows1252[Int(code - 128)] }
        return code == 0 ? "\u{FFFD}" : Unicode.Scalar(code)
    }

    private static let windows1252 = Array(
        ("€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}" + "\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ").unicodeScalars)

    private static let named: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "laquo": "«", "raquo": "»",
        "ldquo": "“", "rdquo": "”", "lsquo": "‘", "rsquo": "’", "bdquo": "„", "ndash": "–", "mdash": "—",
        "hellip": "…", "middot": "·", "bull": "•", "copy": "©", "reg": "®", "trade": "™", "deg": "°", "times": "×",
        "hearts": "♥", "star": "☆", "frac12": "½", "eacute": "é", "egrave": "è", "agrave": "à", "ccedil": "ç",
        "ouml": "ö", "auml": "ä", "uuml": "ü", "szlig": "ß", "ntilde": "ñ", "aring": "å", "oslash": "ø",
    ]
}
