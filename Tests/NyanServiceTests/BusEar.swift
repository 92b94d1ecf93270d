import NyanDBus
import NyanTestKit
import NyanWire

/// Somebody on a private bus who hears everything nyand sends there, in its order.
protocol BusEar: AnyObject {
    associatedtype Heard
    var server: Connection { get }
    var client: Connection { get }
    /// Since `listen` began.
    var heard: [Heard] { get set }
}

extension BusEar {
    /// What is heard of an event: everything that was sent before a call that is made after it is answered.
    func listen(_ event: () async throws -> Void) async throws -> [Heard] {
        try await hearOut()
        heard = []
        try await event()
        try await hearOut()
        return heard
    }

    /// Returns when everything that was sent has arrived: the messages of one connection keep their order.
    private func hearOut() async throws {
        await settle()
        _ = try await call("org.freedesktop.DBus.Peer", "Ping", [])
        await settle()
    }

    /// Calls the player's object.
    func call(_ interface: String, _ member: String, _ arguments: [BusValue]) async throws(BusError) -> [BusValue] {
        try await client.call(
            destination: server.uniqueName, path: Names.mprisPath, interface: interface, member: member,
            args: arguments, timeout: .seconds(10))
    }

    func call(_ interface: String, _ member: String, _ arguments: BusValue...) async throws(BusError) -> [BusValue] {
        try await call(interface, member, arguments)
    }
}
