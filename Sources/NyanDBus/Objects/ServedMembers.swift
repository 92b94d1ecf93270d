import Glibc

/// An exported interface as calls find it: by the text in their message, without a string made of it.
final class ServedInterface {
    let name: String
    private let methods: [ServedMethod]
    private let properties: [ServedProperty]

    init(_ interface: Interface, by handler: any InterfaceHandler) {
        name = interface.name
        methods = interface.methods.map { ServedMethod($0, by: handler) }
        properties = interface.properties.map { ServedProperty($0, of: interface.name, by: handler) }
    }

    func method(_ name: String) -> ServedMethod? {
        for method in methods where method.name == name { return method }
        return nil
    }

    func property(_ name: UnsafePointer<CChar>) -> ServedProperty? {
        for served in properties where CText.isSame(name, served.property.name) { return served }
        return nil
    }
}

/// A declared method and who does it; its signatures are made when it is first called.
final class ServedMethod {
    let handler: any InterfaceHandler
    private let method: Method
    private(set) lazy var input = method.inputSignature
    private(set) lazy var output = method.outputSignature

    init(_ method: Method, by handler: any InterfaceHandler) { (self.method, self.handler) = (method, handler) }

    var name: String { method.name }
}

/// A declared property and who has its value.
final class ServedProperty {
    let property: Property
    private let interface: String
    private let handler: any InterfaceHandler

    init(_ property: Property, of interface: String, by handler: any InterfaceHandler) {
        (self.property, self.interface, self.handler) = (property, interface, handler)
    }

    var name: String { "\(interface).\(property.name)" }

    /// The handler's value, where it has the declared type; `onFault` is told where the handler breaks its declaration.
    func value(onFault: ((String) -> Void)?) -> BusValue? {
        guard let value = handler.get(property.name) else {
            onFault?("\(name) is declared but has no value")
            return nil
        }
        guard value.isOf(property.type) else {
            let type = value.signatureOfValue.text
            onFault?("\(name) is declared \(property.type.text) but served as \(type)")
            return nil
        }
        return value
    }

    func set(_ value: BusValue) throws(BusError) { try handler.set(property.name, value) }
}

extension ServedInterface {
    /// Every declared property, in declared order.
    func values(onFault: ((String) -> Void)?) -> BusValue {
        var pairs: [(String, BusValue)] = []
        for served in properties {
            if let value = served.value(onFault: onFault) { pairs.append((served.property.name, .variant(value))) }
        }
        return .dictionary(pairs: pairs)
    }
}

/// Compares a text of libdbus with one of ours where both lie; handing a String to C makes a copy of it.
nonisolated enum CText {
    static func isSame(_ text: UnsafePointer<CChar>, _ name: String) -> Bool {
        name.withCString { strcmp(text, $0) == 0 }
    }
}
