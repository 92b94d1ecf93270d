import CDBus

extension Connection {
    /// Makes a call and waits for its answer without blocking; the connection must be attached.
    /// - Throws: the peer's error, or `.timedOut`, `.noOwner`, `.disconnected`, `.cancelled` (see `BusError.Kind`).
    public func call(_ call: MethodCall) async throws(BusError) -> Message {
        let slot = PendingSlot()
        let outcome: Result<Message, BusError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: .failure(.cancelled)) }
                slot.pending = begin(call) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            // The handler runs anywhere, even before the call is made; that case is seen by `isCancelled` above.
            Task { @MainActor in slot.pending?.cancel() }
        }
        return try outcome.get()
    }

    /// The same, for plain values.
    public func call(
        destination: String, path: ObjectPath, interface: String, member: String, args: [BusValue] = [],
        timeout: Duration = .seconds(25), autoStart: Bool = true
    ) async throws(BusError) -> [BusValue] {
        let call = MethodCall(
            destination, path, interface, member, .values(args), timeout: timeout, autoStart: autoStart)
        return try await self.call(call).values()
    }

    /// Makes a call and hands the answer to `finish`, exactly once, on the main actor. Where the call cannot be sent
    /// `finish` is called before this returns, and the result is nil.
    @discardableResult
    public func begin(_ call: MethodCall, _ finish: @escaping (Result<Message, BusError>) -> Void) -> PendingCall? {
        do throws(BusError) {
            guard isAttached else { throw isConnected ? .failed("the connection is not attached") : .disconnected() }
            let raw = try sendWithReply(call)
            let pending = PendingCall(raw, to: call.destination, on: self, finish: finish)
            remember(pending)
            do throws(BusError) {
                try pending.arm()
            } catch {
                pending.end(error)
            }
            settle()
            return pending
        } catch {
            finish(.failure(error))
            return nil
        }
    }

    /// Makes a call and blocks until its answer: for short-lived clients and for starting up. Needs no attaching;
    /// messages that arrive meanwhile are kept for the loop. Errors as `call`.
    public func callBlocking(_ call: MethodCall) throws(BusError) -> Message {
        let raw = try sendWithReply(call)
        defer { dbus_pending_call_unref(raw) }
        dbus_pending_call_block(raw)
        let outcome = PendingCall.outcome(of: raw, from: call.destination, isConnected: isConnected)
        settle()
        goOn()
        return try outcome.get()
    }

    /// The same, for plain values.
    public func callBlocking(
        destination: String, path: ObjectPath, interface: String, member: String, args: [BusValue] = [],
        timeout: Duration = .seconds(25), autoStart: Bool = true
    ) throws(BusError) -> [BusValue] {
        let call = MethodCall(
            destination, path, interface, member, .values(args), timeout: timeout, autoStart: autoStart)
        return try callBlocking(call).values()
    }

    /// Sends a call whose answer nobody wants; the peer is told so.
    public func send(_ call: MethodCall) throws(BusError) {
        var call = call
        call.wantsReply = false
        try send(try Message.call(call))
    }

    /// The returned pending call is the caller's to unref.
    private func sendWithReply(_ call: MethodCall) throws(BusError) -> OpaquePointer {
        guard isConnected else { throw .disconnected() }
        let message = try Message.call(call)
        try refuseUnsupportedTypes(in: message)
        var pending: OpaquePointer?
        guard dbus_connection_send_with_reply(raw, message.raw, &pending, call.milliseconds) != 0 else {
            throw .outOfMemory
        }
        // No pending call and no error is libdbus' way to say that the connection is gone.
        guard let pending else { throw .disconnected() }
        return pending
    }
}

/// Where a waiting task's cancellation finds its call.
private final class PendingSlot {
    var pending: PendingCall?
}
