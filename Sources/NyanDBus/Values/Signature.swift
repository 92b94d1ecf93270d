/// A D-Bus type signature: zero or more complete types, such as `sa{sv}as`. Always valid.
///
/// Limits are the protocol's: 255 bytes, 32 nested arrays, 32 nested structs. Equality is by text.
nonisolated public struct Signature: Sendable, Hashable, CustomStringConvertible {
    /// The signature as it travels.
    public let text: String
    /// The complete types, parsed once so that readers and writers need not look at the text again.
    let types: [BusType]

    /// Parses a signature; nil where it is not a valid one.
    public init?(_ text: String) {
        var parser = SignatureParser(text)
        guard let types = parser.parse() else { return nil }
        self.text = text
        self.types = types
    }

    init(_ type: BusType) {
        text = type.text
        types = [type]
    }

    init(_ types: [BusType]) {
        text = Self.text(of: types)
        self.types = types
    }

    /// One behind the other. `joined()` is not compiled for strings ahead: its first use costs a short-lived client more
    /// than the call it makes (docs/decisions/0040).
    static func text(of types: [BusType]) -> String { types.reduce(into: "") { $0 += $1.text } }

    /// No types at all: the signature of a message without arguments.
    public static let empty = Signature([BusType]())

    /// The type, where the signature is exactly one complete type.
    var single: BusType? { types.count == 1 ? types[0] : nil }

    /// Whether this is exactly one complete type, as a property or an array element must be.
    public var isSingle: Bool { types.count == 1 }

    /// Whether a signature made from values, not from text, is valid: within the protocol's limits, and as many complete
    /// types as it was made of.
    var isWithinLimits: Bool {
        if case .basic = single { return true }
        return Signature(text)?.types.count == types.count
    }

    public var description: String { text }

    public static func == (left: Signature, right: Signature) -> Bool { left.text == right.text }

    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

nonisolated extension Signature: ExpressibleByStringLiteral {
    /// A signature written in the source. A misspelt literal is a programming fault and traps at first use.
    public init(stringLiteral text: StaticString) {
        guard let signature = Signature(text.description) else {
            preconditionFailure("not a D-Bus signature: \(text)")
        }
        self = signature
    }
}

/// One complete D-Bus type, as a tree.
nonisolated enum BusType: Sendable {
    case basic(BasicType)
    case variant
    /// The signature is that of one element, a single complete type.
    indirect case array(Signature)
    case structure([BusType])
    /// An array of entries; `entry` is the text of one, such as `{sv}`.
    indirect case dict(key: BasicType, value: Signature, entry: String, fields: [BusType])

    /// `fields` is one entry as it is written: the pair of key and value. Made once, for writers of long lists.
    static func dict(key: BasicType, value: Signature) -> BusType {
        .dict(
            key: key, value: value, entry: "{\(key.text)\(value.text)}",
            fields: [.structure([.basic(key)] + value.types)])
    }

    /// The type as signature text.
    var text: String {
        switch self {
        case .basic(let basic): basic.text
        case .variant: "v"
        case .array(let element): "a" + element.text
        case .structure(let fields): "(" + Signature.text(of: fields) + ")"
        case .dict(_, _, let entry, _): "a" + entry
        }
    }
}

/// The types without parts; the raw value is the D-Bus type code.
nonisolated enum BasicType: UInt8, Sendable {
    case byte = 0x79
    case bool = 0x62
    case int16 = 0x6E
    case uint16 = 0x71
    case int32 = 0x69
    case uint32 = 0x75
    case int64 = 0x78
    case uint64 = 0x74
    case double = 0x64
    case string = 0x73
    case objectPath = 0x6F
    case signature = 0x67
    case unixFD = 0x68

    var text: String { String(UnicodeScalar(rawValue)) }

    var signature: Signature { Self.signatures[Int(rawValue) - Self.first] }

    private static let first = 0x61
    /// By letter; those between are of no type.
    private static let signatures = (first...0x7A).map { code in
        BasicType(rawValue: UInt8(code)).map { Signature(.basic($0)) } ?? .empty
    }
}
