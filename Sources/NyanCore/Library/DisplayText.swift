/// Text as a terminal shows it: how many columns it takes, cut and padded to columns, made harmless.
public enum DisplayText {
    /// Columns a terminal gives a text: 2 for wide letters and emoji, 0 for marks and invisible characters.
    public static func columns(_ text: some StringProtocol) -> Int {
        if let quick = text.utf8.withContiguousStorageIfAvailable(narrowCount), let quick { return quick }
        let scalars = text.unicodeScalars
        var count = 0
        var index = scalars.startIndex
        // A narrow sign that what follows may join.
        var last: String.Index?
        while index < scalars.endIndex {
            if isNarrow(scalars[index].value) {
                count += 1
                last = index
                index = scalars.index(after: index)
                continue
            }
            let start = last ?? index
            if last != nil { count -= 1 }
            count += columns(text[start])
            index = text.index(after: start)
            last = nil
        }
        return count
    }

    /// How many signs a text of narrow ones alone has; nil for any other. What most rows of a long listing take.
    private static func narrowCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var count = 0
        var place = 0
        while place < bytes.count {
            var value = UInt32(bytes[place])
            var length = 1
            if value >= 0xE0 {
                guard value == 0xE2, place + 2 < bytes.count else { return nil }
                value = (value & 0xF) << 12 | UInt32(bytes[place + 1] & 0x3F) << 6 | UInt32(bytes[place + 2] & 0x3F)
                length = 3
            } else if value >= 0x80 {
                guard place + 1 < bytes.count else { return nil }
                value = (value & 0x1F) << 6 | UInt32(bytes[place + 1] & 0x3F)
                length = 2
            }
            guard isNarrow(value) else { return nil }
            place += length
            count += 1
        }
        return count
    }

    /// Letters and signs of most titles, which take one column and join nothing: Latin, Greek, Cyrillic, dashes, quotes.
    private static func isNarrow(_ value: UInt32) -> Bool {
        switch value {
        case 0x20..<0x7F, 0xA1..<0xAD, 0xAE..<0x300, 0x370..<0x378, 0x400..<0x483, 0x48A..<0x530, 0x2010..<0x2028: true
        default: false
        }
    }

    /// The text in at most `width` columns; what was cut off is shown by `…`.
    public static func cut(_ text: String, to width: Int) -> String {
        // No text takes more columns than bytes.
        guard text.utf8.count > width, columns(text) > width else { return text }
        guard width > 0 else { return "" }
        var used = 0
        var end = text.startIndex
        for index in text.indices {
            used += columns(text[index])
            if used > width - 1 { break }
            end = text.index(after: index)
        }
        return text[..<end] + "…"
    }

    /// The text in exactly `width` columns: cut, or filled with blanks at its end.
    public static func fitted(_ text: String, to width: Int) -> String {
        let short = cut(text, to: width)
        return short + String(repeating: " ", count: max(0, width - columns(short)))
    }

    /// The text with control, line-separating and bidi-control characters written as escapes, so that a title can
    /// neither move the cursor nor reorder what stands around it (CONTRACT.md §5).
    public static func escaped(_ text: String) -> String {
        // Below the first dangerous sign of two bytes or more (U+0080) lie only ASCII's.
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xD8 || $0 >= 0xE2 }),
            text.unicodeScalars.contains(where: isDangerous)
        else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isDangerous(scalar) {
                result += escape(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default: break
        }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return scalar.value < 0x100
            ? "\\x" + String(repeating: "0", count: 2 - digits.count) + digits
            : "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F: true
        case 0x2028, 0x2029, 0xFFF9...0xFFFB: true
        default: false
        }
    }

    private static func columns(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard scalars.count > 1, let first = scalars.first else { return scalars.first.map(columns) ?? 0 }
        // U+FE0F asks for the coloured, wide form; joined emoji and flags are drawn as one.
        if scalars.contains("\u{FE0F}") { return 2 }
        if first.properties.isEmojiPresentation || first.properties.isEmojiModifierBase { return 2 }
        return scalars.reduce(0) { $0 + columns($1) }
    }

    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x20..<0x7F: return 1
        case 0..<0x20, 0x7F..<0xA0, 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        case 0xA0..<0x300: return 1
        case 0x1F1E6...0x1F1FF: return 1
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return isWide(scalar.value) ? 2 : 1
    }

    /// East Asian Width W and F (UAX #11), emoji aside.
    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= 0x1100 else { return false }
        return wide.contains { $0.contains(value) }
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1B000...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
