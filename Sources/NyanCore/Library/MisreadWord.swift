/// What one word of a misread text says about its encoding.
enum MisreadWord {
    /// High letters among ASCII ones, such as `Beyoncé`.
    case western
    /// Cyrillic, capitals as windows-1251 has them: `Êèíî`.
    case windows1251
    /// Cyrillic, all capital or all small: which is which the other words tell.
    case cyrillic
    /// The same the other way round: KOI8-R.
    case koi8r
    /// High letters that fit Western languages as well.
    case doubtful
    /// ASCII only.
    case plain

    /// Runs of letters; a byte beyond ASCII below 0xC0 belongs to a word only where windows-1251 has a letter there.
    static func words(in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split { !isLetter($0) }
    }

    init(_ word: ArraySlice<UInt8>) {
        let high = word.filter { $0 >= 0x80 }
        guard !high.isEmpty else {
            self = .plain
            return
        }
        guard high.count == word.count else {
            // `¿Qué` and `Nº`: signs beside ASCII letters, no letters.
            self = .western
            return
        }
        self = Self.judge(high)
    }

    private static func judge(_ word: [UInt8]) -> MisreadWord {
        if word.count == 1 || word.allSatisfy(northern.contains) || isOneLetter(word) { return .doubtful }
        if word.count == 2 { return pairs.contains(String(word.map(CyrillicBytes.lowered))) ? .windows1251 : .doubtful }
        let capitals = word.map(CyrillicBytes.isCapital)
        let rest = capitals.dropFirst()
        if capitals.allSatisfy({ $0 }) || !capitals.contains(true) { return .cyrillic }
        if capitals[0] && !rest.contains(true) { return .windows1251 }
        if !capitals[0] && rest.allSatisfy({ $0 }) { return .koi8r }
        return .doubtful
    }

    /// `Ééé`: a cry in any language.
    private static func isOneLetter(_ word: [UInt8]) -> Bool {
        guard let first = word.first else { return true }
        return word.allSatisfy { $0 & 0xDF == first & 0xDF }
    }

    /// Letters of German and the Nordic languages, which stand alone and side by side: `ÆØÅ`, `Öö`.
    private static let northern: Set<UInt8> = [
        0xC4, 0xC5, 0xC6, 0xD6, 0xD8, 0xDC, 0xDF, 0xE4, 0xE5, 0xE6, 0xF6, 0xF8, 0xFC,
    ]

    /// Words of two letters are too short to tell by their shape: `Þú` is Icelandic, `Мы` is not.
    private static let pairs: Set<String> = Set(
        """
        ад бы во вы да до ее её ей ею ёж еж же за из им их ко ли мы на не ни но ну об он от по си со та те то ту ты уж ум \
        хо че эй эх юг яд як її їх аж ще
        """.split(separator: " ").map(String.init))

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0xC0...0xFF: true
        default: CyrillicBytes.smallLetters.contains(byte) || CyrillicBytes.capitals.contains(byte)
        }
    }
}

/// Cyrillic in one byte a letter.
enum CyrillicBytes {
    /// 0x80 to 0xFF; 0x98 means nothing.
    static let windows1251: [Unicode.Scalar] = Array(
        """
        ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{98}™љ›њќћџ\u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї°±Ііґµ¶·ё№є»јЅѕї\
        АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя
        """.unicodeScalars)

    static let koi8r: [Unicode.Scalar] = Array(
        """
        ─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u{A0}⌡°²·÷═║╒ё╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡Ё╢╣╤╥╦╧╨╩╪╫╬©\
        юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ
        """.unicodeScalars)

    /// Letters of windows-1251 below 0xC0 that Russian, Ukrainian and Belarusian words have.
    static let capitals: Set<UInt8> = [0xA1, 0xA5, 0xA8, 0xAA, 0xAF, 0xB2]
    static let smallLetters: Set<UInt8> = [0xA2, 0xB3, 0xB4, 0xB8, 0xBA, 0xBF]

    static func isCapital(_ byte: UInt8) -> Bool { (0xC0...0xDF).contains(byte) || capitals.contains(byte) }

    /// The small letter that windows-1251 has for a byte.
    static func lowered(_ byte: UInt8) -> Character {
        guard byte >= 0x80 else { return Character(Unicode.Scalar(byte)) }
        return Character(String(windows1251[Int(byte) - 0x80]).lowercased())
    }
}
