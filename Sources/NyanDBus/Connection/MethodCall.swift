/// A call to make: whom, what, with which arguments, and how long to wait.
public struct MethodCall {
    /// A well-known or unique bus name.
    public var destination: String
    public var path: ObjectPath
    /// nil leaves it to the peer to find the member in any of its interfaces.
    public var interface: String?
    public var member: String
    public var body: MessageBody
    /// How long an answer may take; then the call ends with `.timedOut`. Rounded down to milliseconds, at least one.
    public var timeout: Duration
    /// Whether the bus may start the service when nobody owns the destination.
    public var autoStart = true
    /// False only for calls sent with `Connection.send`.
    var wantsReply = true

    public init(
        _ destination: String, _ path: ObjectPath, _ interface: String?, _ member: String,
        _ body: MessageBody = [], timeout: Duration = .seconds(25), autoStart: Bool = true
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.body = body
        self.timeout = timeout
        self.autoStart = autoStart
    }

    /// A call to the bus itself.
    static func bus(_ member: String, _ arguments: BusValue...) -> MethodCall {
        MethodCall(BusDriver.name, BusDriver.path, BusDriver.name, member, .values(arguments))
    }

    /// The time limit as libdbus takes it; its largest number means "no limit".
    var milliseconds: Int32 {
        let parts = timeout.components
        let whole = parts.seconds.multipliedReportingOverflow(by: 1000)
        if whole.overflow { return parts.seconds < 0 ? 1 : .max }
        let total = whole.partialValue.addingReportingOverflow(parts.attoseconds / 1_000_000_000_000_000)
        return total.overflow ? .max : Int32(clamping: max(1, total.partialValue))
    }
}

/// The bus itself, as a peer.
nonisolated enum BusDriver {
    static let name = "org.freedesktop.DBus"
    static let path: ObjectPath = "/org/freedesktop/DBus"
    static let localInterface = "org.freedesktop.DBus.Local"
}
