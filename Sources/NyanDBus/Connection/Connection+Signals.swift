import CDBus

extension Connection {
    /// Calls `handler` for every signal that matches, until the returned subscription is cancelled or dropped. Does
    /// not wait for the bus: calls made after this on the same connection are ordered behind it.
    /// - Throws: `InvalidArgs` for a rule with bad names, `.disconnected`.
    public func subscribe(
        _ rule: MatchRule, _ handler: @escaping (Message) -> Void
    ) throws(BusError) -> Subscription {
        try subscribe(rule, handler, ended: {})
    }

    /// The same as a stream, which ends with the connection and unsubscribes when it is dropped.
    public func signals(_ rule: MatchRule) throws(BusError) -> AsyncStream<Message> {
        let (stream, continuation) = AsyncStream.makeStream(of: Message.self)
        let subscription = try subscribe(rule, { continuation.yield($0) }, ended: { continuation.finish() })
        continuation.onTermination = { @Sendable _ in
            // The stream may end on any thread.
            Task { @MainActor in subscription.cancel() }
        }
        return stream
    }

    /// Calls `changed` with the unique name of the owner: once it is known (nil: nobody), then at each change.
    public func watchOwner(
        of name: String, _ changed: @escaping (String?) -> Void
    ) throws(BusError) -> Subscription {
        let last = LastOwner(changed)
        let subscription = try subscribe(
            MatchRule(
                sender: BusDriver.name, path: BusDriver.path, interface: BusDriver.name, member: "NameOwnerChanged",
                arg0: name)
        ) { message in
            // Arguments: the name, the old owner, the new owner.
            guard let owner = (try? message.values())?.last?.string else { return }
            last.tell(owner)
        }
        askOwner(of: name, for: subscription, last)
        return subscription
    }

    /// Asks until there is an answer: without one the signals of the name would be lost for good. A bus that takes its
    /// time may take it, and each forged answer costs somebody a message; other errors are asked about a few times.
    private func askOwner(
        of name: String, for subscription: Subscription, _ last: LastOwner, triesLeft: Int = 20
    ) {
        begin(.bus("GetNameOwner", .string(name))) { [weak self, weak subscription] outcome in
            // A dropped or cancelled subscription tells nothing any more.
            guard let self, let subscription, subscription.isActive else { return }
            switch outcome {
            case .success(let reply): last.tell((try? reply.values())?.first?.string ?? "")
            case .failure(let error) where error.kind == .noOwner: last.tell("")
            case .failure(let error):
                // A change of owner may have told it meanwhile.
                guard isConnected, isAttached, error.kind != .cancelled, !last.isKnown, triesLeft > 0 else { return }
                let isFree = error.kind == .timedOut || error == .forged
                askOwner(of: name, for: subscription, last, triesLeft: isFree ? triesLeft : triesLeft - 1)
            }
        }
    }

    private func subscribe(
        _ rule: MatchRule, _ handler: @escaping (Message) -> Void, ended: @escaping () -> Void
    ) throws(BusError) -> Subscription {
        let text = try rule.text()
        guard isConnected else { throw .disconnected() }
        let subscription = Subscription(rule, text: text, on: self, handler: handler, ended: ended)
        // Without a place for the error libdbus does not wait for the bus' answer.
        dbus_bus_add_match(raw, text, nil)
        subscriptions.add(subscription)
        settle()
        if rule.followsOwner, let sender = rule.sender {
            subscription.ownerWatch = try watchOwner(of: sender) { [weak subscription] owner in
                subscription?.isOwned(by: owner ?? "")
            }
        }
        return subscription
    }

    func removeMatch(_ subscription: Subscription) {
        subscriptions.remove(subscription)
        guard isConnected else { return }
        dbus_bus_remove_match(raw, subscription.ruleText, nil)
        settle()
    }
}

/// Tells each owner once, however it was learnt.
private final class LastOwner {
    private var known: String?
    private let changed: (String?) -> Void

    init(_ changed: @escaping (String?) -> Void) { self.changed = changed }

    var isKnown: Bool { known != nil }

    func tell(_ owner: String) {
        guard owner != known else { return }
        known = owner
        changed(owner.isEmpty ? nil : owner)
    }
}
