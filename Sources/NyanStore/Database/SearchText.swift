import CGLib
import NyanCore

/// Texts made alike for searching: case, ё and е, composed and decomposed letters and Latin accents do not matter.
///
/// SQLite and FTS5 fold neither Cyrillic nor ё (swift-facts.md §7, field-issues.md D2, D3), so both sides are folded
/// here, when a track is written and when it is looked for.
enum SearchText {
    /// What is searched of a track: artist, title and album.
    static func folded(_ track: Track) -> String {
        folded("\(track.artist)\n\(track.title)\n\(track.album ?? "")")
    }

    /// The words a person typed, each of which must be found; none for a blank text. Pure punctuation (the dash between
    /// artist and title) is no word unless there is nothing else.
    static func words(_ text: String) -> [String] {
        let words = folded(text).split { $0.isWhitespace }.map(String.init)
        let real = words.filter { $0.contains { $0.isLetter || $0.isNumber } }
        return real.isEmpty ? words : real
    }

    static func folded(_ text: String) -> String {
        if let plain = foldedPlain(text) { return plain }
        // GLib's texts end at a NUL, which a title may hold.
        var text = text.utf8.contains(0) ? String(text.filter { $0 != "\0" }) : text
        let decomposed: String? = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                guard let folded = g_utf8_casefold(characters.baseAddress, characters.count) else { return nil }
                defer { g_free(folded) }
                guard let normal = g_utf8_normalize(folded, -1, G_NORMALIZE_ALL) else { return nil }
                defer { g_free(normal) }
                return String(cString: normal)
            }
        }
        guard let decomposed else { return text.lowercased() }
        return composed(withoutMarks(decomposed))
    }

    /// Puts letters and their remaining marks together again: и must not be found inside й.
    private static func composed(_ text: String) -> String {
        guard let normal = g_utf8_normalize(text, -1, G_NORMALIZE_ALL_COMPOSE) else { return text }
        defer { g_free(normal) }
        return String(cString: normal)
    }

    /// The quick way for texts of ASCII and composed Cyrillic letters, which most are; nil for any other.
    private static func foldedPlain(_ text: String) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            var value = scalar.value
            switch value {
            case 0x41...0x5A: value += 0x20
            case 0x01..<0x80: break
            case 0x400...0x40F: value += 0x50
            case 0x410...0x42F: value += 0x20
            case 0x430...0x45F: break
            default: return nil
            }
            if value == 0x451 { value = 0x435 }
            if value < 0x80 {
                bytes.append(UInt8(value))
            } else {
                bytes.append(UInt8(0xC0 | value >> 6))
                bytes.append(UInt8(0x80 | value & 0x3F))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Drops combining marks, except from Cyrillic letters, where й is not и; ё still becomes е.
    private static func withoutMarks(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var base: UInt32 = 0
        for scalar in text.unicodeScalars {
            let isMark = scalar.properties.canonicalCombiningClass != .notReordered
            if !isMark {
                base = scalar.value
            } else if !(0x400...0x52F).contains(base) || (base == 0x435 && scalar.value == 0x308) {
                continue
            }
            result.append(scalar)
        }
        return String(result)
    }
}
