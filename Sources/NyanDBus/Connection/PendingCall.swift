import CDBus

/// A call on its way. Ends exactly once: by the answer, the time limit, `cancel()`, or the end of the connection.
public final class PendingCall {
    private var raw: OpaquePointer?
    private var finish: ((Result<Message, BusError>) -> Void)?
    private weak var connection: Connection?
    private let destination: String

    /// Takes over one reference to `raw`. Completion may have come already.
    init(
        _ raw: OpaquePointer, to destination: String, on connection: Connection,
        finish: @escaping (Result<Message, BusError>) -> Void
    ) {
        self.raw = raw
        self.destination = destination
        self.connection = connection
        self.finish = finish
    }

    /// Asks libdbus to tell us; called once.
    func arm() throws(BusError) {
        guard let raw else { return }
        // The callback's reference is dropped by libdbus through the free function, when the pending call goes.
        let token = Unmanaged.passRetained(self)
        let armed = dbus_pending_call_set_notify(
            raw,
            { _, token in
                guard let token else { return }
                Unmanaged<PendingCall>.fromOpaque(token).takeUnretainedValue().answered()
            }, token.toOpaque(),
            { token in
                guard let token else { return }
                Unmanaged<PendingCall>.fromOpaque(token).release()
            })
        guard armed != 0 else {
            token.release()
            throw .outOfMemory
        }
        if dbus_pending_call_get_completed(raw) != 0 { answered() }
    }

    /// Stops waiting; the caller sees `.cancelled`. The call itself may still have its effect.
    public func cancel() { end(.cancelled) }

    /// Stops waiting with this error.
    func end(_ error: BusError) {
        guard let raw else { return }
        dbus_pending_call_cancel(raw)
        complete(.failure(error))
    }

    private func answered() {
        guard let raw else { return }
        complete(Self.outcome(of: raw, from: destination, isConnected: connection?.isConnected ?? false))
    }

    private func complete(_ outcome: Result<Message, BusError>) {
        guard let raw else { return }
        self.raw = nil
        let finish = finish
        self.finish = nil
        connection?.forget(self)
        dbus_pending_call_unref(raw)
        finish?(outcome)
    }

    /// The answer of a completed call. libdbus makes an error without a sender for its own ends: time or connection.
    ///
    /// libdbus takes any message with the right number for the answer, and a session bus lets anyone send one. Where the
    /// name says who must have answered, nobody else is believed.
    static func outcome(
        of raw: OpaquePointer, from destination: String, isConnected: Bool
    ) -> Result<Message, BusError> {
        guard let reply = dbus_pending_call_steal_reply(raw) else { return .failure(.timedOut()) }
        let message = Message(owning: reply)
        let isOneConnection = destination.hasPrefix(":") || destination == BusDriver.name
        // The bus itself says what it has to say about a peer: that it left, or is not there.
        if isOneConnection, let sender = message.sender, sender != destination, sender != BusDriver.name {
            return .failure(.forged)
        }
        guard let error = message.error else { return .success(message) }
        guard message.sender == nil else { return .failure(error) }
        if !isConnected || error.kind == .disconnected { return .failure(.disconnected()) }
        return .failure(error.kind == .noReply ? .timedOut() : error)
    }

    isolated deinit {
        if let raw { dbus_pending_call_unref(raw) }
    }
}
