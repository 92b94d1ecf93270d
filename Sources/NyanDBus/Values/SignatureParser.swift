/// Reads signature text into types, refusing what the D-Bus specification refuses.
nonisolated struct SignatureParser {
    private static let longest = 255
    private static let deepest = 32

    private let bytes: [UInt8]
    private var at = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// All complete types, or nil where the text is not a signature.
    mutating func parse() -> [BusType]? {
        guard bytes.count <= Self.longest else { return nil }
        var types: [BusType] = []
        while at < bytes.count {
            guard let type = parseType(arrays: 0, structures: 0) else { return nil }
            types.append(type)
        }
        return types
    }

    /// One complete type at the cursor; the depths are those of the containers around it.
    private mutating func parseType(arrays: Int, structures: Int) -> BusType? {
        guard let code = take() else { return nil }
        switch code {
        case UInt8(ascii: "v"):
            return .variant
        case UInt8(ascii: "a"):
            guard arrays < Self.deepest else { return nil }
            if peek == UInt8(ascii: "{") { return parseDict(arrays: arrays + 1, structures: structures) }
            return parseType(arrays: arrays + 1, structures: structures).map { .array(Signature($0)) }
        case UInt8(ascii: "("):
            guard structures < Self.deepest else { return nil }
            return parseStructure(arrays: arrays, structures: structures + 1)
        default:
            return BasicType(rawValue: code).map { .basic($0) }
        }
    }

    private mutating func parseStructure(arrays: Int, structures: Int) -> BusType? {
        var fields: [BusType] = []
        while let next = peek, next != UInt8(ascii: ")") {
            guard let field = parseType(arrays: arrays, structures: structures) else { return nil }
            fields.append(field)
        }
        guard take() != nil, !fields.isEmpty else { return nil }
        return .structure(fields)
    }

    private mutating func parseDict(arrays: Int, structures: Int) -> BusType? {
        guard structures < Self.deepest, take() != nil, let keyCode = take(), let key = BasicType(rawValue: keyCode),
            let value = parseType(arrays: arrays, structures: structures + 1), take() == UInt8(ascii: "}")
        else { return nil }
        return .dict(key: key, value: Signature(value))
    }

    private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func take() -> UInt8? {
        guard at < bytes.count else { return nil }
        defer { at += 1 }
        return bytes[at]
    }
}
