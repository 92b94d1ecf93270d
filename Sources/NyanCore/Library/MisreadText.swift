/// Texts of old tags that were written in one encoding and read in another.
///
/// ID3v1, and ID3v2 frames that call themselves Latin-1, are often windows-1251 (also KOI8-R, or UTF-8): `Êèíî` is
/// `Кино`. A text is put right only where its words say so; Western words (`Motörhead`, `Sigur Rós`), and whatever
/// holds a letter that no single byte has, stay as they are.
public enum MisreadText {
    /// What a text's bytes are, as far as its words tell.
    enum Reading: Equatable {
        /// As it is read now.
        case right
        case windows1251, koi8r, utf8
        /// Words that fit both, such as `ÿ`: the file's other texts decide.
        case doubtful
    }

    /// Whether some of these texts are Cyrillic that was misread, so that the doubtful ones beside it are as well.
    public static func isCyrillic(_ texts: [String]) -> Bool {
        texts.map(reading).contains { $0 == .windows1251 || $0 == .koi8r }
    }

    /// The text as it was meant; unchanged where nothing speaks against it.
    /// `amongCyrillic`: other texts of the same file were misread (`isCyrillic`).
    public static func repaired(_ text: String, amongCyrillic: Bool = false) -> String {
        guard let bytes = bytes(text) else { return text }
        switch reading(bytes) {
        case .right: return text
        case .utf8: return String(decoding: bytes, as: UTF8.self)
        case .windows1251: return decoded(bytes, CyrillicBytes.windows1251)
        case .koi8r: return decoded(bytes, CyrillicBytes.koi8r)
        case .doubtful: return amongCyrillic ? decoded(bytes, CyrillicBytes.windows1251) : text
        }
    }

    static func reading(_ text: String) -> Reading { bytes(text).map(reading) ?? .right }

    /// The bytes that were read as Latin-1; nil where there are none beyond ASCII, or a letter that Latin-1 lacks.
    private static func bytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var isPlain = true
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            if byte >= 0x80 { isPlain = false }
            bytes.append(byte)
        }
        return isPlain ? nil : bytes
    }

    private static func reading(_ bytes: [UInt8]) -> Reading {
        // Bytes that happen to be whole characters of UTF-8 are no other text.
        if String(validating: bytes, as: UTF8.self) != nil { return .utf8 }
        var votes: [MisreadWord: Int] = [:]
        for word in MisreadWord.words(in: bytes) { votes[MisreadWord(word), default: 0] += word.count }
        let western = votes[.western] ?? 0
        let windows1251 = votes[.windows1251] ?? 0
        let koi8r = votes[.koi8r] ?? 0
        let cyrillic = windows1251 + koi8r + (votes[.cyrillic] ?? 0)
        // A Latin letter among Cyrillic ones is a slip; a Cyrillic word among Western ones would be a marvel.
        if cyrillic > western * 2 { return koi8r > windows1251 ? .koi8r : .windows1251 }
        return western > 0 || votes[.doubtful] == nil ? .right : .doubtful
    }

    /// ASCII and controls stay.
    private static func decoded(_ bytes: [UInt8], _ table: [Unicode.Scalar]) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(byte < 0x80 ? Unicode.Scalar(byte) : table[Int(byte) - 0x80]) }
        return String(scalars)
    }
}
