public import NyanCore
public import NyanDBus

/// Looks at the Secret Service without starting it and without a question to the person.
public final class KeyringLook {
    private static let name = "org.freedesktop.secrets"
    private static let root: ObjectPath = "/org/freedesktop/secrets"
    private static let limit: Duration = .seconds(2)
    private let connection: Connection

    /// `connection`: attached, on the session bus.
    public init(_ connection: Connection) { self.connection = connection }

    public func state() async -> KeyringState {
        do throws(BusError) {
            guard try await connection.owner(of: Self.name) != nil else {
                let names = try await connection.call(
                    destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
                    interface: "org.freedesktop.DBus", member: "ListActivatableNames", timeout: Self.limit)
                return names.first?.strings?.contains(Self.name) == true ? .startable : .absent
            }
            let alias = try await ask(Self.root, "org.freedesktop.Secret.Service", "ReadAlias", [.string("default")])
            guard let keyring = alias?.objectPath, keyring.text != "/" else { return .empty }
            let locked = try await ask(
                keyring, "org.freedesktop.DBus.Properties", "Get",
                [.string("org.freedesktop.Secret.Collection"), .string("Locked")])
            return locked?.bool == true ? .locked : .unlocked
        } catch {
            return error.kind == .noOwner ? .absent : .silent
        }
    }

    private func ask(
        _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [BusValue]
    ) async throws(BusError) -> BusValue? {
        try await connection.call(
            destination: Self.name, path: path, interface: interface, member: member, args: arguments,
            timeout: Self.limit, autoStart: false
        ).first
    }
}
