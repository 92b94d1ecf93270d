/// The objects of one connection by path, and what every call that comes in asks of them.
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

    /// Reads a call. What it asks for is done, and answered exactly once, in its turn: also an error.
    func waitingCall(_ message: Message, on connection: Connection) -> WaitingCall {
        let address = ReturnAddress(message)
        var limit = connection.callLimit
        do throws(BusError) {
            let work = try route(message, from: address, &limit, on: connection)
            return WaitingCall(address: address, weight: limit.spent, work: work)
        } catch {
            // What is wrong is known; nothing of the call is kept but that, as short as it will be sent.
            let fault = BusError(name: error.name, message: Message.clipped(error.message))
            return WaitingCall(address: address, weight: fault.message.utf8.count) { _ throws(BusError) in throw fault }
        }
    }

    private typealias Work = (CallLoad) throws(BusError) -> Void

    private func route(
        _ message: Message, from address: ReturnAddress, _ limit: inout ReadingLimit, on connection: Connection
    ) throws(BusError) -> Work {
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
            let method = try Self.method(member, of: StandardInterfaces.introspectable)
            _ = try Self.arguments(of: message, method, within: &limit)
            return Self.replying(to: address, method, on: connection) { [.string(xml)] }
        }
        if let work = try standard(message, from: address, object, &limit, on: connection) { return work }
        let (method, handler) = try object.method(member, interface: interface)
        let arguments = try Self.arguments(of: message, method, within: &limit)
        return { [weak connection] load in
            guard let connection else { return }
            let context = CallContext(
                address, path: path.text, member: member, output: method.outputSignature, load: load, on: connection)
            do throws(BusError) {
                context.carryOut(try handler.call(member, arguments, context))
            } catch {
                context.fail(error)
            }
        }
    }

    /// What every object answers; nil where the call is for something else.
    private func standard(
        _ message: Message, from address: ReturnAddress, _ object: ExportedObject, _ limit: inout ReadingLimit,
        on connection: Connection
    ) throws(BusError) -> Work? {
        let (interface, member) = (message.interface, message.member)
        if Self.concerns(StandardInterfaces.introspectable, interface, member) {
            let method = try Self.method(member, of: StandardInterfaces.introspectable)
            _ = try Self.arguments(of: message, method, within: &limit)
            return Self.replying(to: address, method, on: connection) { [weak self] in
                let interfaces = StandardInterfaces.all + object.interfaces.map(\.interface)
                return [.string(IntrospectionXML.node(interfaces, children: self?.childNames(of: object.path) ?? []))]
            }
        }
        guard Self.concerns(StandardInterfaces.properties, interface, member) else { return nil }
        let method = try Self.method(member, of: StandardInterfaces.properties)
        let access = PropertyAccess(object: object) { [weak connection] in connection?.onFault?($0) }
        if member == "Set" {
            try Self.requireInput(of: message, method)
            let (interface, name, value) = try access.newValue(in: message, within: &limit)
            return Self.replying(to: address, method, on: connection) { () throws(BusError) in
                try access.set(interface, name, value)
                return []
            }
        }
        let strings = try Self.arguments(of: message, method, within: &limit).compactMap(\.string)
        return Self.replying(to: address, method, on: connection) { () throws(BusError) in
            member == "Get" ? [try access.get(strings[0], strings[1])] : [try access.getAll(strings[0])]
        }
    }

    /// Whether a call is meant for this standard interface: by name, or without a name by its member.
    private static func concerns(_ standard: Interface, _ interface: String?, _ member: String) -> Bool {
        interface == standard.name || (interface == nil && standard.method(member) != nil)
    }

    private static func method(_ member: String, of standard: Interface) throws(BusError) -> Method {
        guard let method = standard.method(member) else { throw .unknownMethod(member, in: standard.name) }
        return method
    }

    /// Does `work` and answers with what it gives.
    private static func replying(
        to address: ReturnAddress, _ method: Method, on connection: Connection,
        _ work: @escaping () throws(BusError) -> [BusValue]
    ) -> Work {
        { [weak connection] _ throws(BusError) in
            let values = try work()
            guard address.wantsReply else { return }
            try connection?.send(try Message.reply(to: address, body: .typed(method.outputSignature, values)))
        }
    }

    /// The arguments, once their signature is known to be the declared one.
    private static func arguments(
        of message: Message, _ method: Method, within limit: inout ReadingLimit
    ) throws(BusError) -> [BusValue] {
        try requireInput(of: message, method)
        return method.inputSignature.types.isEmpty ? [] : try message.values(within: &limit)
    }

    private static func requireInput(of message: Message, _ method: Method) throws(BusError) {
        let found = message.signatureText
        let wanted = method.inputSignature
        guard found == wanted.text else {
            throw .invalidArguments("\(method.name) takes (\(wanted.text)), not (\(found))")
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
