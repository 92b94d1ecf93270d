import NyanCore
public import NyanDBus

/// systemd-logind on the system bus: announces sleep, and delays it while an inhibitor is held (its `PrepareForSleep`
/// and `Inhibit`; five seconds at most by default). elogind speaks the same.
public final class Logind: SleepAnnouncer {
    private static let name = "org.freedesktop.login1"
    private static let path: ObjectPath = "/org/freedesktop/login1"
    private static let interface = "org.freedesktop.login1.Manager"

    public var onSleep: (Bool) -> Void = { _ in }
    /// Called when the bus, or logind with it, is gone for good.
    public var onGone: () -> Void = {}

    private let connection: Connection
    private let log: Log
    private var signals: Subscription?
    private var owner: Subscription?
    private var isThere = false
    /// It said that the machine will sleep, and not yet that it woke.
    private var isAnnounced = false
    private var wantsHold = false
    /// While this descriptor is open, sleep waits for us.
    private var inhibitor: OwnedFD?
    private var asking: PendingCall?

    /// Connects to the system bus, which may take its time. logind itself may come and go later.
    /// - Throws: where there is no system bus, which is no trouble: then only the clocks tell.
    public static func onBus(_ address: BusAddress = .system, log: Log) async throws(BusError) -> Logind {
        try Logind(await Connection.opening(address), log: log)
    }

    private init(_ connection: Connection, log: Log) throws(BusError) {
        self.log = log
        self.connection = connection
        try connection.attach()
        signals = try connection.subscribe(
            MatchRule(sender: Self.name, path: Self.path, interface: Self.interface, member: "PrepareForSleep")
        ) { [weak self] message in
            var reader = MessageReader(message)
            guard let self, let sleeps = try? reader.bool() else { return }
            isAnnounced = sleeps
            onSleep(sleeps)
        }
        owner = try connection.watchOwner(of: Self.name) { [weak self] owner in self?.ownerChanged(owner) }
        connection.onDisconnect = { [weak self] in
            self?.letSleep()
            self?.onGone()
        }
    }

    public func letSleep() {
        wantsHold = false
        asking?.cancel()
        asking = nil
        inhibitor = nil
    }

    public func holdOff() {
        wantsHold = true
        guard isThere, inhibitor == nil, asking == nil else { return }
        let words = ["sleep", "nyand", "saves the queue and the position", "delay"].map { BusValue.string($0) }
        // Never started for our sake.
        let call = MethodCall(Self.name, Self.path, Self.interface, "Inhibit", .values(words), autoStart: false)
        asking = connection.begin(call) { [weak self] outcome in
            guard let self else { return }
            asking = nil
            do throws(BusError) {
                var reader = MessageReader(try outcome.get())
                let held = try reader.unixFD()
                if wantsHold { inhibitor = held }
            } catch {
                log.debug("sleep is not delayed for us: \(ForeignWords.cleaned(error.message) ?? error.name)")
            }
        }
    }

    /// A logind that is new knows nothing of us. What it announced before and never took back is over.
    private func ownerChanged(_ owner: String?) {
        isThere = owner != nil
        inhibitor = nil
        if isAnnounced {
            isAnnounced = false
            onSleep(false)
        } else if wantsHold {
            holdOff()
        }
    }
}
