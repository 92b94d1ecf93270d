public import NyanDBus

/// A notification service as desktops have it, on any bus: keeps what it was asked to show.
public final class MockNotifications: InterfaceHandler {
    /// One `Notify`, with what matters of its arguments.
    public struct Shown: Equatable {
        public var number: UInt32
        /// The number of the one it took the place of; 0 = it stands for itself.
        public var replaces: UInt32
        public var application: String
        public var icon: String
        public var title: String
        public var body: String
        public var hints: [String: BusValue]
    }

    public private(set) var shown: [Shown] = []
    public let connection: Connection
    private let capabilities: [String]
    private let isSilent: Bool
    private var last: UInt32 = 40
    private var held: [CallContext] = []

    private static let interface = Interface(
        "org.freedesktop.Notifications",
        methods: [
            Method("GetCapabilities", out: [Argument("capabilities", "as")]),
            Method(
                "Notify",
                in: [
                    Argument("app_name", "s"), Argument("replaces_id", "u"), Argument("app_icon", "s"),
                    Argument("summary", "s"), Argument("body", "s"), Argument("actions", "as"),
                    Argument("hints", "a{sv}"), Argument("expire_timeout", "i"),
                ], out: [Argument("id", "u")]),
        ],
        signals: [Signal("NotificationClosed", [Argument("id", "u"), Argument("reason", "u")])])

    /// Appears on the bus at once. `isSilent`: it answers nothing, as a service that hangs.
    public init(_ address: BusAddress, capabilities: [String] = ["body"], isSilent: Bool = false) throws {
        self.capabilities = capabilities
        self.isSilent = isSilent
        connection = try Connection.open(address)
        try connection.attach()
        try connection.export(
            ExportedObject(at: "/org/freedesktop/Notifications", [(Self.interface, self)]))
        _ = try connection.requestName(Self.interface.name)
    }

    /// The person has swept one away (reason 2 of the specification).
    public func dismiss(_ number: UInt32) throws(BusError) {
        try connection.emit(
            "/org/freedesktop/Notifications", Self.interface.name, "NotificationClosed", [.uint32(number), .uint32(2)])
    }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        if isSilent {
            held.append(context)
            return .taken
        }
        guard member == "Notify" else { return .reply([.strings(capabilities)]) }
        let replaces = arguments[1].uint32 ?? 0
        if replaces == 0 { last += 1 }
        let number = replaces == 0 ? last : replaces
        shown.append(
            Shown(
                number: number, replaces: replaces, application: arguments[0].string ?? "",
                icon: arguments[2].string ?? "", title: arguments[3].string ?? "", body: arguments[4].string ?? "",
                hints: arguments[6].dictionary ?? [:]))
        return .reply([.uint32(number)])
    }
}
