// Reading: each accessor looks through variants and is nil for another type.
nonisolated extension BusValue {
    /// The value inside any number of variants.
    public var unwrapped: BusValue {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }

    public var byte: UInt8? { if case .byte(let value) = unwrapped { value } else { nil } }
    public var bool: Bool? { if case .bool(let value) = unwrapped { value } else { nil } }
    public var int16: Int16? { if case .int16(let value) = unwrapped { value } else { nil } }
    public var uint16: UInt16? { if case .uint16(let value) = unwrapped { value } else { nil } }
    public var int32: Int32? { if case .int32(let value) = unwrapped { value } else { nil } }
    public var uint32: UInt32? { if case .uint32(let value) = unwrapped { value } else { nil } }
    public var int64: Int64? { if case .int64(let value) = unwrapped { value } else { nil } }
    public var uint64: UInt64? { if case .uint64(let value) = unwrapped { value } else { nil } }
    public var double: Double? { if case .double(let value) = unwrapped { value } else { nil } }
    public var string: String? { if case .string(let value) = unwrapped { value } else { nil } }
    public var objectPath: ObjectPath? { if case .objectPath(let value) = unwrapped { value } else { nil } }
    public var signature: Signature? { if case .signature(let value) = unwrapped { value } else { nil } }
    public var unixFD: OwnedFD? { if case .unixFD(let value) = unwrapped { value } else { nil } }
    public var bytes: [UInt8]? { if case .bytes(let value) = unwrapped { value } else { nil } }

    /// Any integer type (not a bool), as Int; nil where it does not fit.
    public var integer: Int? {
        switch unwrapped {
        case .byte(let value): Int(value)
        case .int16(let value): Int(value)
        case .uint16(let value): Int(value)
        case .int32(let value): Int(value)
        case .uint32(let value): Int(value)
        case .int64(let value): Int(exactly: value)
        case .uint64(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The elements of an array, bytes included.
    public var elements: [BusValue]? {
        switch unwrapped {
        case .array(let elements, _): elements
        case .bytes(let bytes): bytes.map { .byte($0) }
        default: nil
        }
    }

    /// The fields of a struct.
    public var fields: [BusValue]? { if case .structure(let fields) = unwrapped { fields } else { nil } }

    public var dict: BusDict? { if case .dict(let dict) = unwrapped { dict } else { nil } }

    /// The elements of an `as`; nil where any is not a string.
    public var strings: [String]? {
        guard case .array(let elements, let type) = unwrapped, type.text == "s" else { return nil }
        return elements.compactMap(\.string)
    }

    /// The elements of an `ao`.
    public var objectPaths: [ObjectPath]? {
        guard case .array(let elements, let type) = unwrapped, type.text == "o" else { return nil }
        return elements.compactMap(\.objectPath)
    }

    /// A dictionary with string keys, its values taken out of their variants. The last of equal keys wins.
    public var dictionary: [String: BusValue]? {
        guard case .dict(let dict) = unwrapped, dict.keyType == .string else { return nil }
        var result = [String: BusValue](minimumCapacity: dict.entries.count)
        for entry in dict.entries {
            if case .string(let key) = entry.key { result[key] = entry.value.unwrapped }
        }
        return result
    }

    /// The value under a string key, out of its variant. Looks at each entry: take `dictionary` for many look-ups.
    public subscript(key: String) -> BusValue? {
        guard case .dict(let dict) = unwrapped else { return nil }
        return dict.entries.last { $0.key == .string(key) }?.value.unwrapped
    }

    /// The field of a struct or the element of an array at a position; nil outside.
    public subscript(position: Int) -> BusValue? {
        guard let parts = fields ?? elements, parts.indices.contains(position) else { return nil }
        return parts[position]
    }
}
