import CDBus
import Dispatch

/// One connection to a message bus: the way in to this library.
///
/// **Calling out.** `open` connects and says Hello; that alone is enough for a short-lived client, which makes its
/// calls with `callBlocking`. `attach` puts the connection on the Dispatch main queue; from then on `call` waits
/// without blocking, signals arrive and objects answer.
/// ```
/// let bus = try Connection.open(.session)
/// try bus.attach()
/// let names = try await bus.call(
///     destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
///     interface: "org.freedesktop.DBus", member: "ListNames")[0].strings
/// let watch = try bus.subscribe(MatchRule(sender: "org.example", member: "Changed")) { signal in … }
/// ```
/// **Serving.** Describe interfaces as data (`Interface`), put a handler behind each (`InterfaceHandler`), export the
/// object, and request the name last: peers call within a millisecond of seeing it.
/// ```
/// try bus.export(ExportedObject(at: "/org/example", [(interface, handler)]))
/// guard try bus.requestName("org.example") != .exists else { … }
/// bus.emitPropertiesChanged("/org/example", interface.name, ["Volume": .double(0.5)])
/// ```
/// Properties, introspection and the errors for what does not exist are answered by the library.
///
/// Everything is on the main actor. Nothing the world does ends the process: libdbus is never given a value it would
/// abort on, and the end of the bus is `onDisconnect`, not an exit. A closed connection is not opened again: make a
/// new one. The connection is private, so it shares nothing with other users of libdbus in the process.
public final class Connection {
    let raw: OpaquePointer
    /// Called once when the bus goes away (not after `close()`). Calls under way have failed with `.disconnected` by
    /// then and streams have ended. Names are lost without `onNameLost`.
    public var onDisconnect: (() -> Void)?
    /// Called with a name this connection no longer owns, because another took it over or it was released.
    public var onNameLost: ((String) -> Void)?
    /// Called with a name this connection owns from now on.
    public var onNameAcquired: ((String) -> Void)?
    /// Called with a sentence about a handler that broke its own declaration (a value of the wrong type, an answer
    /// that does not match). For a log; the peer got an error or the value was left out.
    public var onFault: ((String) -> Void)?
    /// How much a call that comes in may hold; what holds more is answered with `LimitsExceeded`.
    public var callLimit = ReadingLimit.none

    private var watches: MainQueueWatches?
    private var timeouts: MainQueueTimeouts?
    private(set) var isClosed = false
    private var isDraining = false
    private var drainIsScheduled = false
    private var pending: [ObjectIdentifier: PendingCall] = [:]
    let subscriptions = SubscriptionTable()
    let objects = ObjectTree()
    let line = CallerTurns()

    /// At most this many messages are read, and so many calls done, before the queue's other work gets a turn. Reading
    /// goes ahead of doing, so that a caller's call is found behind another's thousands.
    static let messagesPerTurn = 128
    static let callsPerTurn = 32

    /// Connects, authenticates and says Hello; blocks for two or three round trips. No Dispatch sources yet.
    /// - Throws: `.noBus` where there is nothing to connect to, else what the bus answered.
    public static func open(_ address: BusAddress = .session) throws(BusError) -> Connection {
        let link = try BusLink(address.resolved())
        let connection = Connection(owning: link.raw)
        try link.register()
        return try connection.listening()
    }

    /// The same without keeping the main actor waiting, should the bus take its time.
    public static func opening(_ address: BusAddress) async throws(BusError) -> Connection {
        let text = try address.resolved()
        let outcome: Result<BusLink, BusError> = await withCheckedContinuation { done in
            DispatchQueue(label: "org.nyantunes.Nyand.bus").async { @Sendable in
                done.resume(
                    returning: Result { () throws(BusError) in
                        let link = try BusLink(text)
                        do throws(BusError) {
                            try link.register()
                        } catch {
                            link.drop()
                            throw error
                        }
                        return link
                    })
            }
        }
        return try Connection(owning: outcome.get().raw).listening()
    }

    /// Has every message that is no answer brought to `receive`.
    private func listening() throws(BusError) -> Connection {
        let token = Unmanaged.passUnretained(self).toOpaque()
        let filtered = dbus_connection_add_filter(
            raw,
            { _, message, token in
                guard let message, let token else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
                let connection = Unmanaged<Connection>.fromOpaque(token).takeUnretainedValue()
                return connection.receive(Message(borrowing: message))
            }, token, nil)
        guard filtered != 0 else { throw .outOfMemory }
        return self
    }

    private init(owning raw: OpaquePointer) { self.raw = raw }

    isolated deinit {
        close()
        dbus_connection_unref(raw)
    }

    /// The unique name the bus gave us, such as `:1.42`.
    public var uniqueName: String { dbus_bus_get_unique_name(raw).map { String(cString: $0) } ?? "" }

    /// Whether messages can still be sent.
    public var isConnected: Bool { !isClosed && dbus_connection_get_is_connected(raw) != 0 }

    /// Whether the connection is on the main queue.
    public var isAttached: Bool { watches != nil }

    /// Puts the connection on the Dispatch main queue, where messages are received from then on. Once is enough.
    public func attach() throws(BusError) {
        guard isConnected else { throw .disconnected() }
        guard watches == nil else { return }
        let watches = MainQueueWatches { [weak self] in self?.drain() }
        let timeouts = MainQueueTimeouts { [weak self] in self?.drain() }
        self.watches = watches
        self.timeouts = timeouts
        MainQueueCheck.begin()
        guard LoopDoor.install(watches, timeouts, on: raw, status: Unmanaged.passUnretained(self).toOpaque()) else {
            detach()
            throw .outOfMemory
        }
        watches.reconcile()
        line.onReady = { [weak self] in self?.scheduleDrain() }
        line.watch = { [weak self] caller in
            try? self?.watchOwner(of: caller) { owner in
                if owner == nil { self?.line.forget(caller) }
            }
        }
        scheduleDrain()
    }

    private func detach() {
        LoopDoor.remove(from: raw)
        watches?.cancelAll()
        timeouts?.cancelAll()
        watches = nil
        timeouts = nil
    }

    /// Closes the connection; calls under way end with `.disconnected`. What was sent but is still in our buffer is
    /// lost: `flush` first where it matters. `onDisconnect` is not called.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        line.removeAll()
        dbus_connection_close(raw)
        detach()
        failEverything()
    }

    /// Blocks until everything sent is in the socket, but no longer than `limit`, should the bus not read.
    public func flush(atMost limit: Duration = .seconds(1)) {
        let end = ContinuousClock.now + limit
        while isConnected, dbus_connection_has_messages_to_send(raw) != 0, ContinuousClock.now < end {
            _ = dbus_connection_read_write(raw, 20)
        }
        settle()
        goOn()
    }

    /// Sends a message without waiting; the bytes go out at once where the socket takes them.
    func send(_ message: Message) throws(BusError) {
        guard isConnected else { throw .disconnected() }
        try refuseUnsupportedTypes(in: message)
        guard dbus_connection_send(raw, message.raw, nil) != 0 else { throw .outOfMemory }
        settle()
    }

    /// A file descriptor can only be sent over a Unix socket, and libdbus does not check.
    func refuseUnsupportedTypes(in message: Message) throws(BusError) {
        let descriptor = Int32(BasicType.unixFD.rawValue)
        if dbus_message_contains_unix_fds(message.raw) != 0, dbus_connection_can_send_type(raw, descriptor) == 0 {
            throw .notSupported("this bus connection cannot carry file descriptors")
        }
    }

    /// To be called at the end of every entry into libdbus: brings the sources up to date with its watches.
    func settle() { watches?.reconcile() }

    func remember(_ call: PendingCall) { pending[ObjectIdentifier(call)] = call }
    func forget(_ call: PendingCall) { pending.removeValue(forKey: ObjectIdentifier(call)) }

    private func failEverything() {
        for call in Array(pending.values) { call.end(.disconnected()) }
        subscriptions.endAll()
    }
}

extension Connection {
    /// Handles what has been received. Only ever called from the queue, never inside a libdbus callback.
    func drain() {
        guard !isDraining, !isClosed else { return }
        isDraining = true
        var left = Self.messagesPerTurn
        var status = dbus_connection_get_dispatch_status(raw)
        while left > 0, status == DBUS_DISPATCH_DATA_REMAINS, mayRead {
            left -= 1
            status = dbus_connection_dispatch(raw)
        }
        doCalls()
        isDraining = false
        settle()
        // A call done may have read more.
        let hasMessages = dbus_connection_get_dispatch_status(raw) != DBUS_DISPATCH_COMPLETE && mayRead
        if hasMessages || !line.isEmpty && mayAnswer { scheduleDrain() }
    }

    /// libdbus says that messages wait, perhaps read in passing by a blocking call.
    func dispatchStatusChanged(_ status: DBusDispatchStatus) {
        // What a watch reads is drained when it has been handled.
        if status != DBUS_DISPATCH_COMPLETE, !isDraining, watches?.isHandling != true { scheduleDrain() }
    }

    /// After what may have sent without a turn: calls that waited for room in the socket have no other reason to go on.
    func goOn() { if !line.isEmpty { scheduleDrain() } }

    private func scheduleDrain() {
        guard isAttached, !drainIsScheduled else { return }
        drainIsScheduled = true
        DispatchQueue.main.async { [weak self] in
            self?.drainIsScheduled = false
            self?.drain()
        }
    }

    /// Every message that is neither an answer nor a Peer call comes here.
    private func receive(_ message: Message) -> DBusHandlerResult {
        switch message.kind {
        case .call:
            takeIn(message)
            return DBUS_HANDLER_RESULT_HANDLED
        case .signal:
            receiveSignal(message)
            return DBUS_HANDLER_RESULT_HANDLED
        default:
            return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
        }
    }

    private func receiveSignal(_ message: Message) {
        if message.interface == BusDriver.localInterface, message.sender == nil {
            if message.member == "Disconnected" { busWentAway() }
            return
        }
        if message.sender == BusDriver.name, message.interface == BusDriver.name, message.signatureText == "s",
            let name = (try? message.values())?.first?.string, !name.hasPrefix(":")
        {
            if message.member == "NameLost" { onNameLost?(name) }
            if message.member == "NameAcquired" { onNameAcquired?(name) }
        }
        subscriptions.deliver(message)
    }

    private func busWentAway() {
        guard !isClosed else { return }
        close()
        onDisconnect?()
    }
}
