/// `org.freedesktop.DBus.Properties` of one exported object.
struct PropertyAccess {
    let object: ExportedObject
    /// Told where a handler breaks its declaration.
    let fault: (String) -> Void

    func get(_ interface: String, _ name: String) throws(BusError) -> BusValue {
        let (property, handler) = try find(interface, name)
        guard let value = served(property, of: interface, by: handler) else {
            throw .failed("\(interface).\(name) has no value")
        }
        return .variant(value)
    }

    /// Every declared property, in declared order.
    func getAll(_ interface: String) throws(BusError) -> BusValue {
        guard let entry = object.entry(interface) else { throw Self.empty(interface) }
        let pairs = entry.interface.properties.compactMap { property -> (String, BusValue)? in
            served(property, of: interface, by: entry.handler).map { (property.name, .variant($0)) }
        }
        return .dictionary(pairs: pairs)
    }

    /// What a Set wants, of the declared type. A value of another type may be anything, and is not even read.
    func newValue(
        in message: Message, within limit: inout ReadingLimit
    ) throws(BusError) -> (interface: String, name: String, value: BusValue) {
        var reader = MessageReader(message, within: limit)
        defer { limit = reader.limit }
        let (interface, name) = (try reader.string(), try reader.string())
        let (property, _) = try find(interface, name)
        guard property.access == .readWrite else { throw .propertyReadOnly(name) }
        let value = try reader.variant { inner throws(BusError) in
            guard inner.nextSignature() == property.type else {
                throw .invalidArguments("property \(name) is of type \(property.type.text)")
            }
            return try inner.readValue()
        }
        return (interface, name, value)
    }

    func set(_ interface: String, _ name: String, _ value: BusValue) throws(BusError) {
        try find(interface, name).handler.set(name, value)
    }

    /// The handler's value, where it has the declared type.
    private func served(_ property: Property, of interface: String, by handler: any InterfaceHandler) -> BusValue? {
        guard let value = handler.get(property.name) else {
            fault("\(interface).\(property.name) is declared but has no value")
            return nil
        }
        let type = value.signatureOfValue
        guard type == property.type else {
            fault("\(interface).\(property.name) is declared \(property.type.text) but served as \(type.text)")
            return nil
        }
        return value
    }

    private func find(
        _ interface: String, _ name: String
    ) throws(BusError) -> (property: Property, handler: any InterfaceHandler) {
        guard let entry = object.entry(interface) else { throw .unknownInterface(interface) }
        guard let property = entry.interface.property(name) else { throw .unknownProperty(name, in: interface) }
        return (property, entry.handler)
    }

    private static func empty(_ interface: String) -> BusError { .unknownInterface(interface) }
}
