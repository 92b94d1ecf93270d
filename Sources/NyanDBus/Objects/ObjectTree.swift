/// The objects of one connection by path, and the answers to every call that comes in.
final class ObjectTree {
    private var objects: [ObjectPath: ExportedObject] = [:]

    /// False where the path is taken.
    func add(_ object: ExportedObject) -> Bool {
        guard objects[object.path] == nil else { return false }
        objects[object.path] = object
        return true
    }

    func remove(_ path: ObjectPath) { objects.removeValue(forKey: path) }

    func object(at path: ObjectPath) -> ExportedObject? { objects[path] }

    /// Answers a call, at once or later, exactly once.
    func answer(_ message: Message, on connection: Connection) {
        do throws(BusError) {
            try route(message, on: connection)
        } catch {
            guard message.wantsReply, let reply = Message.error(to: message, error) else { return }
            try? connection.send(reply)
        }
    }

    private func route(_ message: Message, on connection: Connection) throws(BusError) {
        guard let path = ObjectPath(message.path) else { throw .unknownObject(message.path) }
        let interface = message.interface
        let member = message.member
        guard let object = objects[path] else {
            // A path above an object is a node of the tree, which introspection may walk.
            let children = childNames(of: path)
            guard path == .root || !children.isEmpty, member == "Introspect",
                interface == nil || interface == StandardInterfaces.introspectableName
            else { throw .unknownObject(message.path) }
            let xml = IntrospectionXML.node([StandardInterfaces.introspectable], children: children)
            return try reply(to: message, StandardInterfaces.introspectable, on: connection) { _ in [.string(xml)] }
        }
        if try answerStandard(message, interface, object, on: connection) { return }
        let (method, handler) = try object.method(member, interface: interface)
        let arguments = try Self.arguments(of: message, method)
        let context = CallContext(message, output: method.outputSignature, on: connection)
        do throws(BusError) {
            context.carryOut(try handler.call(member, arguments, context))
        } catch {
            context.fail(error)
        }
    }

    /// Answers what every object has; false where the call is for something else.
    private func answerStandard(
        _ message: Message, _ interface: String?, _ object: ExportedObject, on connection: Connection
    ) throws(BusError) -> Bool {
        let member = message.member
        if Self.concerns(StandardInterfaces.introspectable, interface, member) {
            let xml = IntrospectionXML.node(
                StandardInterfaces.all + object.interfaces.map(\.interface), children: childNames(of: object.path))
            try reply(to: message, StandardInterfaces.introspectable, on: connection) { _ in [.string(xml)] }
            return true
        }
        if Self.concerns(StandardInterfaces.properties, interface, member) {
            let access = PropertyAccess(object: object) { connection.onFault?($0) }
            try reply(to: message, StandardInterfaces.properties, on: connection) { arguments throws(BusError) in
                let strings = arguments.prefix(2).compactMap(\.string)
                switch member {
                case "Get": return [try access.get(strings[0], strings[1])]
                case "GetAll": return [try access.getAll(strings[0])]
                default:
                    try access.set(strings[0], strings[1], arguments[2])
                    return []
                }
            }
            return true
        }
        return false
    }

    /// Whether a call is meant for this standard interface: by name, or without a name by its member.
    private static func concerns(_ standard: Interface, _ interface: String?, _ member: String) -> Bool {
        interface == standard.name || (interface == nil && standard.method(member) != nil)
    }

    private func reply(
        to message: Message, _ standard: Interface, on connection: Connection,
        _ work: ([BusValue]) throws(BusError) -> [BusValue]
    ) throws(BusError) {
        guard let method = standard.method(message.member) else {
            throw .unknownMethod(message.member, in: standard.name)
        }
        let values = try work(try Self.arguments(of: message, method))
        guard message.wantsReply else { return }
        try connection.send(try Message.reply(to: message, body: .typed(method.outputSignature, values)))
    }

    /// The arguments, once their signature is known to be the declared one.
    private static func arguments(of message: Message, _ method: Method) throws(BusError) -> [BusValue] {
        let found = message.signatureText
        let wanted = method.inputSignature
        guard found == wanted.text else {
            throw .invalidArguments("\(method.name) takes (\(wanted.text)), not (\(found))")
        }
        return wanted.types.isEmpty ? [] : try message.values()
    }

    /// The next path elements of all objects below a path.
    private func childNames(of path: ObjectPath) -> [String] {
        let prefix = path == .root ? "/" : path.text + "/"
        let names = objects.keys.filter { $0 != path && $0.text.hasPrefix(prefix) }
            .map { String($0.text.dropFirst(prefix.count).prefix { $0 != "/" }) }
        return Set(names).sorted()
    }
}
