/// What becomes of each character in a file name.
enum FileNameCharacters {
    /// More scalars in one character than any script needs: stacked marks made to break layouts.
    private static let scalarLimit = 12

    /// The character as it may stand in a name: itself, a stand-in, a blank, or nothing.
    static func safe(_ character: Character) -> String {
        if let ascii = character.asciiValue {
            // Swift counts CR LF as one character with the value of LF.
            return ascii < 0x20 || ascii == 0x7F ? " " : standIn(ascii) ?? String(character)
        }
        if character.isWhitespace { return " " }
        var scalars = String.UnicodeScalarView()
        let isEmoji = character.unicodeScalars.first.map { $0.value > 0xFF && $0.properties.isEmoji } ?? false
        var previous: Unicode.Scalar?
        for scalar in character.unicodeScalars.prefix(scalarLimit) {
            // Signs also stand behind a letter such as U+0D4E, or under a mark, and are one character with it.
            if scalar.isASCII, let stand = standIn(UInt8(scalar.value)) {
                scalars.append(contentsOf: stand.unicodeScalars)
            } else if isKept(scalar, after: previous, inEmoji: isEmoji) {
                scalars.append(scalar)
            }
            previous = scalar
        }
        return String(scalars)
    }

    /// For the characters FAT, NTFS or a path refuse (field-issues.md C9).
    private static func standIn(_ ascii: UInt8) -> String? {
        switch ascii {
        case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: ":"), UInt8(ascii: "|"): "-"
        case UInt8(ascii: "?"), UInt8(ascii: "*"): "_"
        case UInt8(ascii: "\""): "'"
        case UInt8(ascii: "<"): "("
        case UInt8(ascii: ">"): ")"
        default: nil
        }
    }

    private static func isKept(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?, inEmoji: Bool) -> Bool {
        switch scalar.value {
        case 0xFE0E, 0xFE0F, 0x200D:
            if inEmoji { return true }
            return scalar.value == 0x200D && shapes(previous)
        case 0x200C: return shapes(previous)
        case 0xE0000...0xE0FFF: return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            return false
        default:
            return !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Joiners shape Arabic and Indic words; anywhere else they only make equal names differ.
    private static func shapes(_ previous: Unicode.Scalar?) -> Bool {
        previous.map { (0x600...0xDFF).contains($0.value) } ?? false
    }

    /// Device names that Windows shares refuse, with or without an extension.
    static func isReservedOnWindows(_ stem: String) -> Bool {
        let name = String(stem.unicodeScalars.prefix { $0 != "." }).uppercased()
        if ["CON", "PRN", "AUX", "NUL"].contains(name) { return true }
        guard name.count == 4, name.hasPrefix("COM") || name.hasPrefix("LPT") else { return false }
        return name.last.map { ("1"..."9").contains($0) } ?? false
    }
}
