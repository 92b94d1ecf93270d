import CDBus

/// The objects of one connection by path, and what every call that comes in asks of them.
final class ObjectTree {
    private var objects: [ObjectPath: ExportedObject] = [:]
    /// The one that was called last, as most callers mean the same.
    private var last: ExportedObject?

    /// False where the path is taken.
    func add(_ object: ExportedObject) -> Bool {
        guard objects[object.path] == nil else { return false }
        objects[object.path] = object
        return true
    }

    func remove(_ path: ObjectPath) {
        objects.removeValue(forKey: path)
        if last?.path == path { last = nil }
    }

    func object(at path: ObjectPath) -> ExportedObject? { objects[path] }

    /// Reads a call. What it asks for is done, and answered exactly once, in its turn: also an error.
    func waitingCall(_ message: Message, on connection: Connection) -> WaitingCall {
        let address = ReturnAddress(message)
        var limit = connection.callLimit
        do throws(BusError) {
            let work = try route(message, from: address, &limit)
            return WaitingCall(address: address, weight: limit.spent, work: work)
        } catch {
            // What is wrong is known; nothing of the call is kept but that, as short as it will be sent.
            let fault = BusError(name: error.name, message: Message.clipped(error.message))
            return WaitingCall(address: address, weight: fault.message.utf8.count) { _, _ throws(BusError) in
                throw fault
            }
        }
    }

    private typealias Work = (CallLoad, Connection) throws(BusError) -> Void

    private func route(
        _ message: Message, from address: ReturnAddress, _ limit: inout ReadingLimit
    ) throws(BusError) -> Work {
        let interface = dbus_message_get_interface(message.raw)
        let member = message.member
        guard let object = try object(meantBy: message) else {
            return try node(message, from: address, interface, member)
        }
        if Self.concerns(StandardInterfaces.properties, interface, member) {
            return try properties(message, from: address, object, member, &limit)
        }
        if Self.concerns(StandardInterfaces.introspectable, interface, member) {
            let xml = { [weak self] in
                let interfaces = StandardInterfaces.all + object.interfaces.map(\.interface)
                return IntrospectionXML.node(interfaces, children: self?.childNames(of: object.path) ?? [])
            }
            return try introspection(message, from: address, member, xml)
        }
        let method = try object.method(member, interface: interface)
        try Self.requireInput(of: message, member, method.input)
        let arguments = method.input.types.isEmpty ? [] : try message.values(of: method.input, within: &limit)
        return { load, connection in
            let context = CallContext(
                address, path: object.path.text, member: member, output: method.output, load: load, on: connection)
            do throws(BusError) {
                context.carryOut(try method.handler.call(member, arguments, context))
            } catch {
                context.fail(error)
            }
        }
    }

    /// nil where there is none at the path.
    private func object(meantBy message: Message) throws(BusError) -> ExportedObject? {
        if let last, let path = dbus_message_get_path(message.raw), CText.isSame(path, last.path.text) { return last }
        let text = message.path
        guard let path = ObjectPath(text) else { throw .unknownObject(text) }
        guard let object = objects[path] else { return nil }
        last = object
        return object
    }

    /// A path above an object is a node of the tree, which introspection may walk.
    private func node(
        _ message: Message, from address: ReturnAddress, _ interface: UnsafePointer<CChar>?, _ member: String
    ) throws(BusError) -> Work {
        guard let path = ObjectPath(message.path) else { throw .unknownObject(message.path) }
        let children = childNames(of: path)
        guard path == .root || !children.isEmpty, member == "Introspect",
            Self.concerns(StandardInterfaces.introspectable, interface, member)
        else { throw .unknownObject(path.text) }
        return try introspection(message, from: address, member) {
            IntrospectionXML.node([StandardInterfaces.introspectable], children: children)
        }
    }

    private func introspection(
        _ message: Message, from address: ReturnAddress, _ member: String, _ xml: @escaping () -> String
    ) throws(BusError) -> Work {
        guard StandardInterfaces.introspectable.method(member) != nil else {
            throw .unknownMethod(member, in: StandardInterfaces.introspectableName)
        }
        try Self.requireInput(of: message, member, .empty)
        return { load, connection throws(BusError) in
            try connection.answer(address, load, BasicType.string.signature) { writer throws(BusError) in
                try writer.string(xml())
            }
        }
    }

    /// What every object answers of its properties.
    private func properties(
        _ message: Message, from address: ReturnAddress, _ object: ExportedObject, _ member: String,
        _ limit: inout ReadingLimit
    ) throws(BusError) -> Work {
        let access = PropertyAccess(object: object)
        switch member {
        case "Get":
            try Self.requireInput(of: message, member, StandardInterfaces.getInput)
            let property = try access.property(in: message, within: &limit)
            return { load, connection throws(BusError) in try connection.answer(address, load, property) }
        case "GetAll":
            try Self.requireInput(of: message, member, StandardInterfaces.getAllInput)
            let interface = try access.interface(in: message, within: &limit)
            return { load, connection throws(BusError) in
                let values = interface.values(onFault: connection.onFault)
                try connection.answer(address, load, StandardInterfaces.getAllOutput) { writer throws(BusError) in
                    try writer.append(values)
                }
            }
        case "Set":
            try Self.requireInput(of: message, member, StandardInterfaces.setInput)
            let (property, value) = try access.newValue(in: message, within: &limit)
            return { load, connection throws(BusError) in
                try property.set(value)
                try connection.answer(address, load, .empty) { _ throws(BusError) in }
            }
        default: throw .unknownMethod(member, in: StandardInterfaces.propertiesName)
        }
    }

    /// Whether a call is meant for this standard interface: by name, or without a name by its member.
    private static func concerns(
        _ standard: Interface, _ interface: UnsafePointer<CChar>?, _ member: String
    ) -> Bool {
        if let interface { CText.isSame(interface, standard.name) } else { standard.method(member) != nil }
    }

    /// Throws where the signature of the arguments is not the declared one.
    private static func requireInput(
        of message: Message, _ member: String, _ wanted: Signature
    ) throws(BusError) {
        guard let found = dbus_message_get_signature(message.raw), CText.isSame(found, wanted.text) else {
            throw .invalidArguments("\(member) takes (\(wanted.text)), not (\(message.signatureText))")
        }
    }

    /// The next path elements of all objects below a path.
    private func childNames(of path: ObjectPath) -> [String] {
        let prefix = path == .root ? "/" : path.text + "/"
        let names = objects.keys.filter { $0 != path && $0.text.hasPrefix(prefix) }
            .map { String($0.text.dropFirst(prefix.count).prefix { $0 != "/" }) }
        return Set(names).sorted()
    }
}
