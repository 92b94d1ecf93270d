/// An object to serve: a path, and interfaces each with the handler behind it. Keeps its handlers alive.
public final class ExportedObject {
    public let path: ObjectPath
    /// In the order introspection shows them.
    public let interfaces: [(interface: Interface, handler: any InterfaceHandler)]
    private let served: [ServedInterface]

    public init(at path: ObjectPath, _ interfaces: [(Interface, any InterfaceHandler)]) {
        self.path = path
        self.interfaces = interfaces.map { ($0.0, $0.1) }
        served = interfaces.map { ServedInterface($0.0, by: $0.1) }
    }

    /// The declaration under a name.
    func entry(_ name: String) -> (interface: Interface, handler: any InterfaceHandler)? {
        for entry in interfaces where entry.interface.name == name { return entry }
        return nil
    }

    /// What a call finds under a name.
    func served(_ name: UnsafePointer<CChar>) -> ServedInterface? {
        for interface in served where CText.isSame(name, interface.name) { return interface }
        return nil
    }

    /// The method a call means. A call may leave its interface out; then the first one that has the member is meant.
    func method(
        _ member: String, interface: UnsafePointer<CChar>?
    ) throws(BusError) -> ServedMethod {
        if let interface {
            guard let served = served(interface) else { throw .unknownInterface(String(cString: interface)) }
            guard let method = served.method(member) else { throw .unknownMethod(member, in: served.name) }
            return method
        }
        for served in served {
            if let method = served.method(member) { return method }
        }
        throw .unknownMethod(member)
    }

    /// Why the declaration cannot be served; nil when it can.
    var fault: String? {
        var seen: Set<String> = []
        for (interface, _) in interfaces {
            guard BusNames.isInterface(interface.name) else { return "not an interface name: \(interface.name)" }
            guard seen.insert(interface.name).inserted, !StandardInterfaces.names.contains(interface.name) else {
                return "\(interface.name) is declared twice"
            }
            let members = interface.methods.map(\.name) + interface.signals.map(\.name)
            for member in members + interface.properties.map(\.name) where !BusNames.isMember(member) {
                return "not a member name: \(interface.name).\(member)"
            }
            let arguments = interface.methods.flatMap { $0.input + $0.output } + interface.signals.flatMap(\.arguments)
            for type in arguments.map(\.type) + interface.properties.map(\.type) where !type.isSingle {
                return "\(interface.name): \(type.text) is not one complete type"
            }
        }
        return nil
    }
}
