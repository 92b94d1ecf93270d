public import NyanDBus

/// python-dbusmock's logind on a bus of its own: what a test says happens, as the real one would tell it.
public final class MockLogind {
    public let bus: PrivateBus
    private let connection: Connection
    private var program: Program?

    private static let name = "org.freedesktop.login1"
    private static let manager = "org.freedesktop.login1.Manager"
    private static let path: ObjectPath = "/org/freedesktop/login1"

    /// Starts the bus only; `start` lets logind appear on it.
    public init() throws {
        bus = try PrivateBus()
        connection = try Connection.open(.address(bus.address))
        try connection.attach()
    }

    isolated deinit { connection.close() }

    /// Returns when logind answers.
    public func start() async throws {
        let environment = [
            "DBUS_SYSTEM_BUS_ADDRESS": bus.address, "DBUS_SESSION_BUS_ADDRESS": bus.address, "PATH": "/usr/bin:/bin",
        ]
        program = try Program(
            ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "logind"], environment: environment)
        let end = ContinuousClock.now + .seconds(20)
        while (try? await inhibitors()) == nil, ContinuousClock.now < end { await settle() }
    }

    /// It goes away without a word.
    public func kill() async {
        program?.send(9)
        _ = await program?.status()
        program = nil
    }

    public func prepareForSleep(_ sleeps: Bool) async throws(BusError) {
        try await ask(
            "org.freedesktop.DBus.Mock", "EmitSignal",
            [
                .string(Self.manager), .string("PrepareForSleep"), .string("b"),
                .array([.variant(.bool(sleeps))], of: "v"),
            ])
    }

    /// Those who hold off the sleep now, by what they call themselves. `mode`: `delay` or `block`.
    public func inhibitors(_ mode: String = "delay") async throws(BusError) -> [String] {
        try await ask(Self.manager, "ListInhibitors", []).first?.elements?.compactMap { entry in
            guard let fields = entry.fields, fields.count > 3, fields[0].string == "sleep", fields[3].string == mode
            else { return nil }
            return fields[1].string
        } ?? []
    }

    @discardableResult
    private func ask(_ interface: String, _ member: String, _ args: [BusValue]) async throws(BusError) -> [BusValue] {
        try await connection.call(
            destination: Self.name, path: Self.path, interface: interface, member: member, args: args,
            timeout: .seconds(5))
    }
}
