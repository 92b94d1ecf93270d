/// A file-name template taken apart: literal text and fields in braces.
struct FileNameTemplate {
    enum Field: String { case artist, title, album, id }
    private enum Part {
        case literal(String)
        case field(Field)
    }

    private var parts: [Part] = []

    /// `{artist} - {title}`, CONTRACT.md §3.
    static let standard = FileNameTemplate(parts: [.field(.artist), .literal(" - "), .field(.title)])

    private init(parts: [Part]) { self.parts = parts }

    /// nil when a brace is unpaired or names no field.
    init?(_ text: String) {
        var rest = text[...]
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}"),
                let field = Field(rawValue: String(rest[rest.index(after: open)..<close]))
            else { return nil }
            if open > rest.startIndex { parts.append(.literal(String(rest[..<open]))) }
            parts.append(.field(field))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.literal(String(rest))) }
    }

    var fields: [Field] {
        parts.compactMap { part in
            if case .field(let field) = part { field } else { nil }
        }
    }

    /// The template with its fields filled in, at most `limit` bytes of UTF-8.
    ///
    /// When it would be longer, the longest fields give way first: a 300-byte artist must not push the title out.
    func fill(limit: Int, _ value: (Field) -> String) -> String {
        let texts = parts.map { part in
            switch part {
            case .literal(let text): text.map(FileNameCharacters.safe).joined()
            case .field(let field): value(field)
            }
        }
        let lengths = zip(parts, texts).compactMap { part, text in
            if case .field(let field) = part, field != .id { text.utf8.count } else { nil }
        }
        let fixed = texts.reduce(0) { $0 + $1.utf8.count } - lengths.reduce(0, +)
        let share = Self.fairShare(of: limit - fixed, among: lengths)
        let filled = zip(parts, texts).map { part, text in
            if case .field(let field) = part, field != .id { FileName.cut(text, toBytes: share) } else { text }
        }
        return FileName.cut(filled.joined(), toBytes: limit)
    }

    /// The greatest length such that no field longer than it, cut to it, makes the whole exceed `room`.
    private static func fairShare(of room: Int, among lengths: [Int]) -> Int {
        var left = max(0, room)
        var fields = lengths.count
        for length in lengths.sorted() {
            if length * fields > left { return left / fields }
            left -= length
            fields -= 1
        }
        return Int.max
    }
}
