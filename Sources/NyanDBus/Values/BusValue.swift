/// Any D-Bus value. Containers say their element types, so a value always has exactly one signature.
///
/// Read one through the accessors (`value.string`, `value["key"]?.int64`), which look through variants and answer nil
/// for another type. Make one with the cases, or with `.dictionary(["key": .string("x")])` for the usual `a{sv}`.
/// A string is cut at its first NUL when sent: D-Bus strings cannot hold one.
nonisolated public enum BusValue: Sendable, Equatable {
    case byte(UInt8)
    case bool(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(ObjectPath)
    case signature(Signature)
    case unixFD(OwnedFD)
    indirect case variant(BusValue)
    /// An array of bytes (`ay`). Readers always give this for `ay`, never `.array`.
    case bytes([UInt8])
    /// Elements that must all have the one complete type `of`; a mixed array is refused when it is written.
    indirect case array([BusValue], of: Signature)
    /// A struct; must have at least one field.
    case structure([BusValue])
    indirect case dict(BusDict)

    /// The signature, always one complete type.
    public var signatureOfValue: Signature {
        let type = type
        return if case .basic(let basic) = type { basic.signature } else { Signature(type) }
    }

    /// Whether its signature is this one.
    func isOf(_ signature: Signature) -> Bool {
        let type = type
        return if case .basic(let own) = type, case .basic(let wanted) = signature.single {
            own == wanted
        } else {
            type.text == signature.text
        }
    }

    /// The type tree of this value.
    var type: BusType {
        switch self {
        case .byte: .basic(.byte)
        case .bool: .basic(.bool)
        case .int16: .basic(.int16)
        case .uint16: .basic(.uint16)
        case .int32: .basic(.int32)
        case .uint32: .basic(.uint32)
        case .int64: .basic(.int64)
        case .uint64: .basic(.uint64)
        case .double: .basic(.double)
        case .string: .basic(.string)
        case .objectPath: .basic(.objectPath)
        case .signature: .basic(.signature)
        case .unixFD: .basic(.unixFD)
        case .variant: .variant
        case .bytes: .array(BasicType.byte.signature)
        case .array(_, let element): .array(element)
        case .structure(let fields): .structure(fields.map(\.type))
        case .dict(let dict): .dict(key: dict.keyType, value: dict.value)
        }
    }
}

/// A D-Bus dictionary: entries in wire order, keys of one basic type, values of one complete type.
///
/// Two dictionaries are equal when they hold the same entries, in whatever order.
nonisolated public struct BusDict: Sendable, Equatable {
    /// One key with its value.
    public struct Entry: Sendable, Equatable {
        public let key: BusValue
        public let value: BusValue

        public init(key: BusValue, value: BusValue) {
            self.key = key
            self.value = value
        }
    }

    public let entries: [Entry]
    /// The type of every value, a single complete type.
    public let value: Signature
    let keyType: BasicType

    /// nil where `key` is not one basic type or `value` not one complete type. Entries are checked when written.
    public init?(key: Signature, value: Signature, entries: [Entry]) {
        guard case .basic(let keyType) = key.single, value.isSingle else { return nil }
        self.init(keyType: keyType, value: value, entries: entries)
    }

    init(keyType: BasicType, value: Signature, entries: [Entry]) {
        self.keyType = keyType
        self.value = value
        self.entries = entries
    }

    /// The type of every key.
    public var key: Signature { keyType.signature }

    var entryText: String { "{\(keyType.text)\(value.text)}" }

    public static func == (left: BusDict, right: BusDict) -> Bool {
        guard left.keyType == right.keyType, left.value == right.value, left.entries.count == right.entries.count
        else { return false }
        if left.entries == right.entries { return true }
        return left.entries.allSatisfy { right.entries.contains($0) }
    }
}
