import NyanDBus
import NyanTestKit
import NyanWire

/// Two ends of a private bus, with a frontend at one of them.
struct Line {
    let bus: PrivateBus
    let server: Connection
    let client: Connection
    let interface: Interface

    init(_ interface: Interface, _ frontend: any InterfaceHandler) throws {
        self.interface = interface
        bus = try PrivateBus()
        (server, client) = (try .open(.address(bus.address)), try .open(.address(bus.address)))
        try server.attach()
        try client.attach()
        try server.export(ExportedObject(at: Names.nyandPath, [(interface, frontend)]))
    }

    func call(_ member: String, _ arguments: [BusValue]) async throws(BusError) -> [BusValue] {
        try await client.call(
            destination: server.uniqueName, path: Names.nyandPath, interface: interface.name, member: member,
            args: arguments, timeout: .seconds(10))
    }
}
