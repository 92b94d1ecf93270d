// Lyrics as a file's tag holds them.
extension Lyrics {
    /// All lines as one text.
    public var text: String { lines.map(\.text).joined(separator: "\n") }

    /// ISO 639-2 of the language, as far as the letters tell; `XXX` = unknown, as ID3v2 writes it.
    public var language: String {
        var cyrillic = 0
        var letters = 0
        var marks: Set<Unicode.Scalar> = []
        for scalar in text.lowercased().unicodeScalars where scalar.properties.isAlphabetic {
            letters += 1
            guard (0x400...0x4FF).contains(scalar.value) else { continue }
            cyrillic += 1
            marks.insert(scalar)
        }
        guard cyrillic * 2 > letters else { return "XXX" }
        if marks.contains("ў") { return "bel" }
        return marks.isDisjoint(with: ["і", "ї", "є"]) ? "rus" : "ukr"
    }
}
