import NyanCore
import NyanDBus
import NyanTestKit
import Testing

@testable import NyanService

/// The Secret Service looked at from outside: nothing is started, unlocked or asked.
@Suite(.timeLimit(.minutes(1)))
struct KeyringLookTests {
    /// A service with one keyring, or none.
    private final class Service: InterfaceHandler {
        var alias: ObjectPath = "/org/freedesktop/secrets/collection/login"
        var isLocked = false
        private(set) var calls: [String] = []

        func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
            calls.append(member)
            guard member == "ReadAlias" else { throw .unknownMethod(member) }
            return .reply([.objectPath(alias)])
        }

        func get(_ property: String) -> BusValue? { property == "Locked" ? .bool(isLocked) : nil }
    }

    private static let service = Interface(
        "org.freedesktop.Secret.Service",
        methods: [
            Method("ReadAlias", in: [Argument("name", "s")], out: [Argument("collection", "o")]), Method("Unlock"),
        ])
    private static let collection = Interface(
        "org.freedesktop.Secret.Collection", methods: [], properties: [Property("Locked", "b")])

    @Test("absent, unlocked, locked, without a keyring, and a service that says nothing")
    func states() async throws {
        let bus = try PrivateBus()
        let (client, server) = (
            try Connection.open(.address(bus.address)), try Connection.open(.address(bus.address))
        )
        try client.attach()
        let look = KeyringLook(client)
        #expect(await look.state() == .absent)

        try server.attach()
        let service = Service()
        try server.export(ExportedObject(at: "/org/freedesktop/secrets", [(Self.service, service)]))
        try server.export(
            ExportedObject(at: "/org/freedesktop/secrets/collection/login", [(Self.collection, service)]))
        _ = try server.requestName("org.freedesktop.secrets")
        #expect(await look.state() == .unlocked)
        service.isLocked = true
        #expect(await look.state() == .locked)
        service.alias = "/"
        #expect(await look.state() == .empty)
        #expect(service.calls == ["ReadAlias", "ReadAlias", "ReadAlias"])
        server.close()
        client.close()
    }

    @Test("a service that says nothing is silent after its time, and does not hold up the bus")
    func silent() async throws {
        let bus = try PrivateBus()
        let client = try Connection.open(.address(bus.address))
        try client.attach()
        // Owns the name on a connection that nobody reads.
        let dead = try Connection.open(.address(bus.address))
        _ = try dead.requestName("org.freedesktop.secrets")
        #expect(await KeyringLook(client).state() == .silent)
        dead.close()
        client.close()
    }
}
