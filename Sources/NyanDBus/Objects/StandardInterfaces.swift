/// The interfaces that every exported object has without declaring them. Peer is answered by libdbus itself.
nonisolated enum StandardInterfaces {
    static let propertiesName = "org.freedesktop.DBus.Properties"
    static let introspectableName = "org.freedesktop.DBus.Introspectable"
    static let peerName = "org.freedesktop.DBus.Peer"
    static let names: Set<String> = [propertiesName, introspectableName, peerName]

    static let properties = Interface(
        propertiesName,
        methods: [
            Method(
                "Get", in: [Argument("interface_name", "s"), Argument("property_name", "s")],
                out: [Argument("value", "v")]),
            Method("GetAll", in: [Argument("interface_name", "s")], out: [Argument("properties", "a{sv}")]),
            Method(
                "Set",
                in: [Argument("interface_name", "s"), Argument("property_name", "s"), Argument("value", "v")]),
        ],
        signals: [
            Signal(
                "PropertiesChanged",
                [
                    Argument("interface_name", "s"), Argument("changed_properties", "a{sv}"),
                    Argument("invalidated_properties", "as"),
                ])
        ])

    static let getInput: Signature = "ss"
    static let getOutput: Signature = "v"
    static let getAllInput: Signature = "s"
    static let getAllOutput: Signature = "a{sv}"
    static let setInput: Signature = "ssv"

    static let introspectable = Interface(
        introspectableName, methods: [Method("Introspect", out: [Argument("xml_data", "s")])])

    static let peer = Interface(
        peerName, methods: [Method("Ping"), Method("GetMachineId", out: [Argument("machine_uuid", "s")])])

    static let all = [properties, introspectable, peer]
}
