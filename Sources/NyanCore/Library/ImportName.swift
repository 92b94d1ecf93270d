/// What a file's name says of its track, where the tag says nothing: `Artist - Title.mp3`.
public struct ImportName: Sendable, Equatable {
    public var artist = ""
    public var title: String

    /// `path`: in UTF-8, or in the windows-1251 of an old collection.
    public init(_ path: [UInt8]) {
        let name = path.suffix(from: path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex)
        var stem = ComposedText.compose(Self.text(Array(name)))
        if let dot = stem.unicodeScalars.lastIndex(of: "."), dot > stem.startIndex { stem = String(stem[..<dot]) }
        // `01. ` and `07 - ` are places on a record.
        let digits = stem.prefix { $0.isASCII && $0.isNumber }
        if (1...3).contains(digits.count) {
            let rest = stem[digits.endIndex...]
            for mark in [". ", " - ", ".", "_"] where rest.hasPrefix(mark) && rest.count > mark.count {
                stem = String(rest.dropFirst(mark.count))
                break
            }
        }
        title = stem
        guard let dash = Self.dash(in: stem) else { return }
        artist = Self.trimmed(stem[..<dash.lowerBound])
        title = Self.trimmed(stem[dash.upperBound...])
    }

    private static func text(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let latin = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        return MisreadText.repaired(latin)
    }

    /// The first ` - ` with something on both sides.
    private static func dash(in text: String) -> Range<String.Index>? {
        var index = text.startIndex
        while let found = text[index...].firstIndex(where: { $0 == "-" || $0 == "–" || $0 == "—" }) {
            let next = text.index(after: found)
            if found > text.startIndex, text[text.index(before: found)] == " ", next < text.endIndex, text[next] == " ",
                !trimmed(text[..<found]).isEmpty, !trimmed(text[next...]).isEmpty
            {
                return found..<next
            }
            index = next
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "_" }
        while text.last == " " || text.last == "_" { text.removeLast() }
        return String(text)
    }
}
