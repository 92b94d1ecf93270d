/// `org.freedesktop.DBus.Properties` of one exported object: what a call names, found before its turn comes.
struct PropertyAccess {
    let object: ExportedObject

    /// The property that a Get means.
    func property(in message: Message, within limit: inout ReadingLimit) throws(BusError) -> ServedProperty {
        var reader = MessageReader(message, within: limit)
        defer { limit = reader.limit }
        return try property(in: &reader)
    }

    /// The interface that a GetAll means.
    func interface(in message: Message, within limit: inout ReadingLimit) throws(BusError) -> ServedInterface {
        var reader = MessageReader(message, within: limit)
        defer { limit = reader.limit }
        return try interface(in: &reader)
    }

    /// What a Set wants, of the declared type. A value of another type may be anything, and is not even read.
    func newValue(
        in message: Message, within limit: inout ReadingLimit
    ) throws(BusError) -> (property: ServedProperty, value: BusValue) {
        var reader = MessageReader(message, within: limit)
        defer { limit = reader.limit }
        let served = try property(in: &reader)
        let property = served.property
        guard property.access == .readWrite else { throw .propertyReadOnly(property.name) }
        let value = try reader.variant { inner throws(BusError) in
            guard inner.nextSignature() == property.type else {
                throw .invalidArguments("property \(property.name) is of type \(property.type.text)")
            }
            return try inner.readValue()
        }
        return (served, value)
    }

    private func interface(in reader: inout MessageReader) throws(BusError) -> ServedInterface {
        let name = try reader.textInPlace()
        if let interface = object.served(name) { return interface }
        throw .unknownInterface(String(cString: name))
    }

    private func property(in reader: inout MessageReader) throws(BusError) -> ServedProperty {
        let interface = try interface(in: &reader)
        let name = try reader.textInPlace()
        if let property = interface.property(name) { return property }
        throw .unknownProperty(String(cString: name), in: interface.name)
    }
}
