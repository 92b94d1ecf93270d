extension MessageReader {
    /// The next value, known to be of this type: the tree spares asking libdbus for a signature per container.
    mutating func readValue(_ type: BusType) throws(BusError) -> BusValue {
        switch type {
        case .basic(let basic):
            return try readBasic(basic)
        case .variant:
            return .variant(try variant { inner throws(BusError) in try inner.readValue() })
        case .array(let element):
            return try readArray(element)
        case .structure(let types):
            return .structure(
                try structure { inner throws(BusError) in
                    var fields: [BusValue] = []
                    fields.reserveCapacity(types.count)
                    for type in types { fields.append(try inner.readValue(type)) }
                    return fields
                })
        case .dict(let key, let value, _, _):
            return try readDict(key, value)
        }
    }

    mutating func readBasic(_ type: BasicType) throws(BusError) -> BusValue {
        switch type {
        case .byte: .byte(try byte())
        case .bool: .bool(try bool())
        case .int16: .int16(try int16())
        case .uint16: .uint16(try uint16())
        case .int32: .int32(try int32())
        case .uint32: .uint32(try uint32())
        case .int64: .int64(try int64())
        case .uint64: .uint64(try uint64())
        case .double: .double(try double())
        case .string: .string(try string())
        case .objectPath: .objectPath(try objectPath())
        case .signature: .signature(try signature())
        case .unixFD: .unixFD(try unixFD())
        }
    }

    private mutating func readArray(_ element: Signature) throws(BusError) -> BusValue {
        guard let type = element.single else { throw .invalidArguments("an array without a type") }
        if case .basic(.byte) = type { return .bytes(try bytes()) }
        var elements: [BusValue] = []
        try array { inner throws(BusError) in elements.append(try inner.readValue(type)) }
        return .array(elements, of: element)
    }

    private mutating func readDict(_ key: BasicType, _ value: Signature) throws(BusError) -> BusValue {
        guard let type = value.single else { throw .invalidArguments("a dictionary without a value type") }
        var entries: [BusDict.Entry] = []
        try dict { inner throws(BusError) in
            let key = try inner.readBasic(key)
            entries.append(BusDict.Entry(key: key, value: try inner.readValue(type)))
        }
        return .dict(BusDict(keyType: key, value: value, entries: entries))
    }
}
