/// Text folded for searching: what people type for one another is equal (field-issues.md D2, D3).
///
/// Lower case of any script, ё like е, composed and decomposed forms alike, Latin and Greek letters without their
/// marks (Björk = bjork), ß like ss. Cyrillic й and Ukrainian ї stay what they are: other letters, not marks. Store
/// and query must both be folded.
public enum FoldedText {
    public static func fold(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        var result = String.UnicodeScalarView()
        for scalar in ComposedText.compose(text.lowercased()).unicodeScalars {
            switch scalar.value {
            case 0..<0x80: result.append(scalar)
            case 0xDF: result.append(contentsOf: "ss".unicodeScalars)
            case 0x451: result.append("\u{435}")
            // Marks that found no letter to join, soft hyphens, joiners and byte-order marks are not typed.
            case 0x300...0x36F, 0xAD, 0x200B...0x200F, 0x2060, 0xFE0E, 0xFE0F, 0xFEFF: break
            case 0x2018, 0x2019, 0x2BC: result.append("'")
            case 0x2010...0x2015, 0x2212: result.append("-")
            case 0xA0: result.append(" ")
            default:
                if let plain = plain[scalar] {
                    result.append(contentsOf: plain.unicodeScalars)
                } else {
                    result.append(scalar)
                }
            }
        }
        return String(result)
    }

    /// Marked letters and the plain ones they are typed as. Unicode's names tell: `LATIN SMALL LETTER O WITH STROKE`.
    private static let plain: [Unicode.Scalar: String] = {
        var table: [Unicode.Scalar: String] = ["æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "ð": "d"]
        let ranges: [ClosedRange<UInt32>] = [0xE0...0x24F, 0x1E00...0x1EFF]
        for scalar in ranges.joined().compactMap(Unicode.Scalar.init) {
            let words = scalar.properties.name?.split(separator: " ") ?? []
            guard words.count > 5, words[0] == "LATIN", words[1] == "SMALL", words[2] == "LETTER",
                words[3].utf8.count == 1, words[4] == "WITH"
            else { continue }
            table[scalar] = words[3].lowercased()
        }
        for (marked, letter) in zip("άέήίόύώϊϋΐΰς", "αεηιουωιυιυσ") {
            if let scalar = marked.unicodeScalars.first { table[scalar] = String(letter) }
        }
        return table
    }()
}
