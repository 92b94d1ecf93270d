extension MessageWriter {
    /// Any value; it must have the type announced at this place.
    public mutating func append(_ value: BusValue) throws(BusError) {
        switch value {
        case .byte(let value): try byte(value)
        case .bool(let value): try bool(value)
        case .int16(let value): try int16(value)
        case .uint16(let value): try uint16(value)
        case .int32(let value): try int32(value)
        case .uint32(let value): try uint32(value)
        case .int64(let value): try int64(value)
        case .uint64(let value): try uint64(value)
        case .double(let value): try double(value)
        case .string(let value): try string(value)
        case .objectPath(let value): try objectPath(value)
        case .signature(let value): try signature(value)
        case .unixFD(let value): try unixFD(value)
        case .bytes(let value): try bytes(value)
        case .variant(let content): try variant(content)
        case .array(let elements, let element):
            try array(elements, of: element)
        case .structure(let fields):
            try structure { inner throws(BusError) in
                for field in fields { try inner.append(field) }
            }
        case .dict(let value):
            try dict(value)
        }
    }

    /// A value in a variant.
    mutating func variant(_ content: BusValue) throws(BusError) {
        try variant(of: content.signatureOfValue) { inner throws(BusError) in try inner.append(content) }
    }

    private mutating func array(_ elements: [BusValue], of element: Signature) throws(BusError) {
        // Elements are checked one by one; an empty array has only its own word for its type.
        guard case .array(let announced) = peekType, announced == element else {
            throw .invalidArguments("a\(element.text) written where \(peekType?.text ?? "nothing") was announced")
        }
        try array { inner throws(BusError) in
            for value in elements { try inner.append(value) }
        }
    }

    private mutating func dict(_ value: BusDict) throws(BusError) {
        guard case .dict(value.keyType, let announced, _, _) = peekType, announced == value.value else {
            throw .invalidArguments("a\(value.entryText) written where \(peekType?.text ?? "nothing") was announced")
        }
        try dict { inner throws(BusError) in
            for item in value.entries {
                try inner.entry { inner throws(BusError) in
                    try inner.append(item.key)
                    try inner.append(item.value)
                }
            }
        }
    }
}
