extension Connection {
    /// Serves an object from now on. Do this before requesting the name under which peers look for it.
    /// - Throws: `.failed` where the path is taken or the declaration is not valid D-Bus.
    public func export(_ object: ExportedObject) throws(BusError) {
        if let fault = object.fault { throw .failed(fault) }
        guard objects.add(object) else { throw .failed("\(object.path) is taken") }
    }

    /// Stops serving the object at a path.
    public func unexport(_ path: ObjectPath) { objects.remove(path) }

    /// Sends a signal, to everyone or to one `destination`. Where the interface is exported at the path, the signal
    /// must be declared and the values of its types.
    /// - Throws: `InvalidArgs` for bad names or values, `.disconnected`.
    public func emit(
        _ path: ObjectPath, _ interface: String, _ member: String, _ body: MessageBody = [],
        to destination: String? = nil
    ) throws(BusError) {
        var body = body
        if let declared = objects.object(at: path)?.entry(interface)?.interface, case .values(let values) = body {
            guard let signal = declared.signal(member) else {
                throw .invalidArguments("\(interface) declares no signal \(member)")
            }
            body = .typed(signal.signature, values)
        }
        try send(
            try Message.signal(
                path: path, interface: interface, member: member, destination: destination, body: body))
    }

    /// Tells changed properties in one PropertiesChanged.
    ///
    /// For an exported object the declaration decides: a property declared `invalidates` is only named, one declared
    /// `silent` or `const` is left out, an undeclared one or a wrong type is left out and reported to `onFault`.
    /// Where nothing is left, nothing is sent (mpris.md §4.4).
    public func emitPropertiesChanged(
        _ path: ObjectPath, _ interface: String, _ changed: [String: BusValue], invalidated: [String] = []
    ) throws(BusError) {
        let declared = objects.object(at: path)?.entry(interface)?.interface
        var told: [(String, BusValue)] = []
        var named = invalidated
        for (name, value) in changed.sorted(by: { $0.key < $1.key }) {
            guard let declared else {
                told.append((name, value))
                continue
            }
            guard let property = declared.property(name), property.type == value.signatureOfValue else {
                onFault?("\(interface).\(name) changed to a value that is not declared")
                continue
            }
            switch property.changes {
            case .withValue: told.append((name, .variant(value)))
            case .invalidates: named.append(name)
            case .const, .silent: break
            }
        }
        guard !told.isEmpty || !named.isEmpty else { return }
        try emit(
            path, StandardInterfaces.propertiesName, "PropertiesChanged",
            .typed("sa{sv}as", [.string(interface), .dictionary(pairs: told), .strings(named)]))
    }
}
