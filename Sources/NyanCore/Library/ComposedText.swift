/// Composes letters and their marks into one scalar where Unicode has one: `и` + `◌̆` → `й`.
///
/// Covers Latin, Greek, Cyrillic, kana and Hangul, which is what titles and file names hold; the rest stays as it
/// is. The standard library has no public NFC, but its `Character` compares canonically: a dictionary keyed by the
/// composed letters finds their decomposed forms too.
public enum ComposedText {
    /// The text with every known pair composed; a text that has none comes back unchanged.
    public static func compose(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.value >= 0x300 && isMark($0) }) else { return text }
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for character in text { append(character, to: &result) }
        return result
    }

    private static func append(_ character: Character, to result: inout String) {
        guard character.unicodeScalars.count > 1 else {
            result.append(character)
            return
        }
        let scalars = ordered(character.unicodeScalars)
        // A mark joins the letter unless one of its own class or higher stands between them (Unicode §3.11).
        var letter = scalars[0]
        var kept = String.UnicodeScalarView()
        var highest: UInt8 = 0
        for mark in scalars.dropFirst() {
            let rank = mark.properties.canonicalCombiningClass.rawValue
            if kept.isEmpty || rank > highest, let joined = join(letter, mark) {
                letter = joined
            } else {
                kept.append(mark)
                highest = rank
            }
        }
        result.unicodeScalars.append(letter)
        result.unicodeScalars.append(contentsOf: kept)
    }

    /// Marks in canonical order: by combining class, equal ones as they came.
    private static func ordered(_ scalars: String.UnicodeScalarView) -> [Unicode.Scalar] {
        var list = Array(scalars)
        let rank = { (scalar: Unicode.Scalar) in scalar.properties.canonicalCombiningClass.rawValue }
        for index in list.indices.dropFirst() {
            var place = index
            while place > 0, rank(list[place]) != 0, rank(list[place - 1]) > rank(list[place]) {
                list.swapAt(place, place - 1)
                place -= 1
            }
        }
        return list
    }

    /// A scalar that may join the one before it: a combining mark, a kana voicing mark, a Hangul vowel or final.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.canonicalCombiningClass != .notReordered || (0x1161...0x11C2).contains(scalar.value)
    }

    /// The one scalar for a letter and a mark; nil when there is none.
    private static func join(_ letter: Unicode.Scalar, _ mark: Unicode.Scalar) -> Unicode.Scalar? {
        if let syllable = syllable(letter.value, mark.value) { return syllable }
        return composed[Character(String(String.UnicodeScalarView([letter, mark])))]
    }

    /// A Hangul lead and vowel, or a syllable without a final and a final (Unicode §3.12).
    private static func syllable(_ head: UInt32, _ tail: UInt32) -> Unicode.Scalar? {
        switch (head, tail) {
        case (0x1100...0x1112, 0x1161...0x1175):
            Unicode.Scalar(0xAC00 + (head - 0x1100) * 588 + (tail - 0x1161) * 28)
        case (0xAC00...0xD7A3, 0x11A8...0x11C2) where (head - 0xAC00) % 28 == 0:
            Unicode.Scalar(head + tail - 0x11A7)
        default: nil
        }
    }

    private static let composed: [Character: Unicode.Scalar] = {
        let ranges: [ClosedRange<UInt32>] = [
            0xC0...0x17F, 0x1A0...0x21B, 0x226...0x233, 0x386...0x3D4, 0x400...0x4F9, 0x1E00...0x1F6F,
            0x1F80...0x1FFC, 0x3041...0x30FF,
        ]
        var table: [Character: Unicode.Scalar] = [:]
        for scalar in ranges.joined().compactMap(Unicode.Scalar.init) {
            let letter = Character(scalar)
            // Twins such as the Greek oxia and tonos are canonically equal: the first one stands for both.
            if table[letter] == nil { table[letter] = scalar }
        }
        return table
    }()
}
