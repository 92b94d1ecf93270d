/// Introspection data as the D-Bus specification's XML, made from the declarations.
nonisolated public enum IntrospectionXML {
    /// One node: its interfaces in order, then the names of its child nodes.
    public static func node(_ interfaces: [Interface], children: [String] = []) -> String {
        var xml = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>

            """
        for interface in interfaces { xml += text(interface) }
        for child in children { xml += "  <node name=\"\(escaped(child))\"/>\n" }
        return xml + "</node>\n"
    }

    private static func text(_ interface: Interface) -> String {
        var xml = "  <interface name=\"\(escaped(interface.name))\">\n"
        for method in interface.methods {
            let arguments =
                method.input.map { argument($0, direction: "in") }
                + method.output.map { argument($0, direction: "out") }
            xml += element("method", "name=\"\(escaped(method.name))\"", arguments)
        }
        for property in interface.properties {
            let attributes =
                "name=\"\(escaped(property.name))\" type=\"\(escaped(property.type.text))\""
                + " access=\"\(property.access.rawValue)\""
            xml += element("property", attributes, annotations(property))
        }
        for signal in interface.signals {
            let arguments = signal.arguments.map { argument($0, direction: nil) }
            xml += element("signal", "name=\"\(escaped(signal.name))\"", arguments)
        }
        return xml + "  </interface>\n"
    }

    /// `true` is the default and not written.
    private static func annotations(_ property: Property) -> [String] {
        guard property.changes != .withValue else { return [] }
        let name = "org.freedesktop.DBus.Property.EmitsChangedSignal"
        return ["<annotation name=\"\(name)\" value=\"\(property.changes.rawValue)\"/>"]
    }

    private static func argument(_ argument: Argument, direction: String?) -> String {
        let way = direction.map { " direction=\"\($0)\"" } ?? ""
        return "<arg name=\"\(escaped(argument.name))\" type=\"\(escaped(argument.type.text))\"\(way)/>"
    }

    private static func element(_ tag: String, _ attributes: String, _ content: [String]) -> String {
        guard !content.isEmpty else { return "    <\(tag) \(attributes)/>\n" }
        return "    <\(tag) \(attributes)>\n" + content.map { "      \($0)\n" }.joined() + "    </\(tag)>\n"
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
