/// Decodes the HTML entities VK leaves in artists and titles (vk-api.md §5).
public enum HTMLEntities {
    /// Decodes once: `&amp;amp;` becomes `&amp;`. What is no entity stays as it is.
    public static func decode(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        // On UTF-8: a combining mark after `;` would hide it from a search for characters.
        var rest = text.utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += String(rest[..<start]) ?? ""
            rest = rest[start...]
            let name = rest.dropFirst().prefix(longestName)
            if let end = name.firstIndex(of: UInt8(ascii: ";")), let decoded = meaning(Substring(name[..<end])) {
                result += decoded
                rest = rest[rest.index(after: end)...]
            } else {
                result += "&"
                rest = rest.dropFirst()
            }
        }
        return result + (String(rest) ?? "")
    }

    private static let longestName = 12

    private static func meaning(_ name: Substring) -> String? {
        guard name.utf8.first == UInt8(ascii: "#") else { return named[String(name)] }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        let number = isHex ? digits.dropFirst() : digits
        guard number.first?.isHexDigit == true, let value = UInt32(number, radix: isHex ? 16 : 10) else { return nil }
        // Browsers read 128…159 as Windows-1252, and so do those who write them.
        if (0x80...0x9F).contains(value) { return windows1252[Int(value) - 0x80].map { String($0) } }
        guard value > 0, let scalar = Unicode.Scalar(value) else { return nil }
        return String(Character(scalar))
    }

    private static let windows1252: [Character?] = [
        "€", nil, "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", nil, "Ž", nil, nil, "‘", "’", "“", "”", "•",
        "–", "—", "˜", "™", "š", "›", "œ", nil, "ž", "Ÿ",
    ]

    private static let named: [String: String] = [
        "amp": "&", "quot": "\"", "lt": "<", "gt": ">", "apos": "'", "nbsp": "\u{A0}", "copy": "©", "reg": "®",
        "trade": "™", "hellip": "…", "mdash": "—", "ndash": "–", "laquo": "«", "raquo": "»", "lsquo": "‘",
        "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "lsaquo": "‹", "rsaquo": "›",
        "bull": "•", "middot": "·", "sect": "§", "para": "¶", "deg": "°", "plusmn": "±", "times": "×", "divide": "÷",
        "frac12": "½", "sup2": "²", "sup3": "³", "iexcl": "¡", "iquest": "¿", "cent": "¢", "pound": "£", "yen": "¥",
        "euro": "€", "szlig": "ß", "hearts": "♥", "spades": "♠", "clubs": "♣", "diams": "♦", "larr": "←", "rarr": "→",
        "uarr": "↑", "darr": "↓", "infin": "∞", "shy": "\u{AD}", "zwnj": "\u{200C}", "zwj": "\u{200D}",
        "aacute": "á", "agrave": "à", "acirc": "â", "atilde": "ã", "auml": "ä", "aring": "å", "aelig": "æ",
        "ccedil": "ç", "eacute": "é", "egrave": "è", "ecirc": "ê", "euml": "ë", "iacute": "í", "igrave": "ì",
        "icirc": "î", "iuml": "ï", "ntilde": "ñ", "oacute": "ó", "ograve": "ò", "ocirc": "ô", "otilde": "õ",
        "ouml": "ö", "oslash": "ø", "uacute": "ú", "ugrave": "ù", "ucirc": "û", "uuml": "ü", "yacute": "ý",
        "Aacute": "Á", "Auml": "Ä", "Aring": "Å", "AElig": "Æ", "Ccedil": "Ç", "Eacute": "É", "Ntilde": "Ñ",
        "Oacute": "Ó", "Ouml": "Ö", "Oslash": "Ø", "Uacute": "Ú", "Uuml": "Ü",
    ]
}
