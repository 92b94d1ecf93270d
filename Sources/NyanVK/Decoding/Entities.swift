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
        "amp": "&", "quot": "\"", "lt": "<", "gt": ">", "apos": "'", "nbsp": "\u{A0}", "copy": "©", "reg": "®",
        "trade": "™", "hellip": "…", "mdash": "—", "ndash": "–", "laquo": "«", "raquo": "»", "lsquo": "‘",
        "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "lsaquo": "‹", "rsaquo": "›",
        "bull": "•", "middot": "·", "sect": "§", "para": "¶", "deg": "°", "plusmn": "±", "times": "×", "divide": "÷",
        "frac12": "½", "sup2": "²", "sup3": "³", "iexcl": "¡", "iquest": "¿", "cent": "¢", "pound": "£", "yen": "¥",
        "euro": "€", "szlig": "ß", "hearts": "♥", "spades": "♠", "clubs": "♣", "diams": "♦", "star": "☆",
        "larr": "←", "rarr": "→", "uarr": "↑", "darr": "↓", "infin": "∞", "shy": "\u{AD}", "zwnj": "\u{200C}",
        "zwj": "\u{200D}", "aacute": "á", "agrave": "à", "acirc": "â", "atilde": "ã", "auml": "ä", "aring": "å",
        "aelig": "æ", "ccedil": "ç", "eacute": "é", "egrave": "è", "ecirc": "ê", "euml": "ë", "iacute": "í",
        "igrave": "ì", "icirc": "î", "iuml": "ï", "ntilde": "ñ", "oacute": "ó", "ograve": "ò", "ocirc": "ô",
        "otilde": "õ", "ouml": "ö", "oslash": "ø", "uacute": "ú", "ugrave": "ù", "ucirc": "û", "uuml": "ü",
        "yacute": "ý", "Aacute": "Á", "Auml": "Ä", "Aring": "Å", "AElig": "Æ", "Ccedil": "Ç", "Eacute": "É",
        "Ntilde": "Ñ", "Oacute": "Ó", "Ouml": "Ö", "Oslash": "Ø", "Uacute": "Ú", "Uuml": "Ü",
    ]
}
