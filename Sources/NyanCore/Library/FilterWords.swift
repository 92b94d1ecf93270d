/// What a person typed to find tracks, as the words that each must begin a word of artist, title or album, in any order.
///
/// Case, ё and е, accents and composed forms do not matter (`FoldedText`), nor do apostrophes (`dont` = `don't`). Words
/// of scripts that are written without spaces, and signs such as emoji, may stand anywhere.
public struct FilterWords: Sendable, Equatable {
    /// Latin, Greek and Cyrillic words and numbers: letters and digits only.
    public private(set) var prefixes: [String] = []
    /// Words of other scripts and pictures, folded.
    public private(set) var pieces: [String] = []
    /// Punctuation as it was typed, where there was nothing else (a band is called `!!!`); otherwise it is no word.
    public private(set) var signs: [String] = []

    public init(_ text: String) {
        for token in Self.tokens(text) {
            if token.isPlain { prefixes.append(token.text) } else { pieces.append(token.text) }
        }
        guard prefixes.isEmpty, pieces.isEmpty else { return }
        signs = text.split { $0.isWhitespace || ($0.utf8.first ?? 0) < 0x20 }.map(String.init)
    }

    /// Nothing was typed: everything is meant.
    public var isEmpty: Bool { prefixes.isEmpty && pieces.isEmpty && signs.isEmpty }

    /// The form in which a text is searched: its folded words with spaces between them.
    public static func folded(_ text: String) -> String { tokens(text).map(\.text).joined(separator: " ") }

    /// Whether a track has every word.
    public func match(_ track: Track) -> Bool {
        if isEmpty { return true }
        let text = "\(track.artist)\n\(track.title)\n\(track.album ?? "")"
        guard signs.isEmpty else { return signs.allSatisfy { Self.has($0, in: text) } }
        let tokens = Self.tokens(text)
        return prefixes.allSatisfy { prefix in
            tokens.contains { $0.isPlain && $0.text.utf8.starts(with: prefix.utf8) }
        }
            && pieces.allSatisfy { piece in tokens.contains { !$0.isPlain && Self.has(piece, in: $0.text) } }
    }

    /// By bytes: `String.contains` would not find a part of what is drawn as one.
    private static func has(_ part: String, in text: String) -> Bool {
        let bytes = text.utf8
        return bytes.indices.contains { bytes[$0...].starts(with: part.utf8) }
    }

    private struct Token {
        var text: String
        var isPlain: Bool
    }

    private enum Kind { case plain, other, between }

    private static func tokens(_ text: String) -> [Token] {
        var tokens: [Token] = []
        var last = Kind.between
        for scalar in FoldedText.fold(text).unicodeScalars where scalar != "'" {
            let kind = kind(scalar)
            if kind != .between {
                if kind != last { tokens.append(Token(text: "", isPlain: kind == .plain)) }
                tokens[tokens.count - 1].text.unicodeScalars.append(scalar)
            }
            last = kind
        }
        return tokens
    }

    /// `plain` is what SQLite's word index takes for letters too, whose Unicode is an old one (6.1).
    private static func kind(_ scalar: Unicode.Scalar) -> Kind {
        switch scalar.value {
        case 0x30...0x39, 0x61...0x7A, 0x41...0x5A, 0x430...0x45F: return .plain
        case 0..<0x80: return .between
        default: break
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
            return (0xAA...0x527).contains(scalar.value) && scalar.value != 0x37F ? .plain : .other
        case .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark, .otherSymbol,
            .privateUse, .format, .modifierSymbol:
            return .other
        default: return .between
        }
    }
}
