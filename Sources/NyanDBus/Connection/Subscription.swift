import CDBus

/// An interest in signals. Ends, and takes its match rule from the bus, with `cancel()` or with the last reference.
public final class Subscription {
    let rule: MatchRule
    let ruleText: String
    private var handler: ((Message) -> Void)?
    private var ended: (() -> Void)?
    private weak var connection: Connection?
    /// The unique name that owns a well-known sender; nil until known, empty when nobody does.
    private(set) var owner: String?
    /// What came before that was known: whose it is, is seen then. Anybody may send us a signal.
    private var early: [SignalFields] = []
    private static let mostEarly = 64
    /// Keeps `owner` up to date.
    var ownerWatch: Subscription?

    init(
        _ rule: MatchRule, text: String, on connection: Connection, handler: @escaping (Message) -> Void,
        ended: @escaping () -> Void
    ) {
        self.rule = rule
        ruleText = text
        self.connection = connection
        self.handler = handler
        self.ended = ended
    }

    /// Whether signals are still delivered.
    public var isActive: Bool { handler != nil }

    public func cancel() {
        guard handler != nil else { return }
        connection?.removeMatch(self)
        end()
    }

    /// Forgets the handler without a word to the bus.
    func end() {
        handler = nil
        early = []
        ownerWatch?.cancel()
        ownerWatch = nil
        let ended = ended
        self.ended = nil
        ended?()
    }

    func deliver(_ message: SignalFields) {
        guard let handler, message.matches(rule) else { return }
        if rule.followsOwner {
            guard let owner else {
                if early.count < Self.mostEarly, message.isSmall { early.append(message) }
                return
            }
            guard owner == message.sender else { return }
        }
        handler(message.message)
    }

    /// Who owns the sender's name, at first and at each change.
    func isOwned(by owner: String) {
        self.owner = owner
        let waiting = early
        early = []
        for message in waiting { deliver(message) }
    }

    isolated deinit { cancel() }
}

/// A signal's fields, taken out once for all subscriptions.
struct SignalFields {
    let message: Message
    let sender: String?
    let path: ObjectPath?
    let interface: String?
    let member: String
    let arg0: String?

    init(_ message: Message) {
        self.message = message
        sender = message.sender
        path = ObjectPath(message.path)
        interface = message.interface
        member = message.member
        var reader = MessageReader(message)
        arg0 = try? reader.string()
    }

    /// Whether the message may be kept for a while. libdbus stops reading while too many bytes or descriptors of what it
    /// has read are alive, and then what is waited for never comes.
    var isSmall: Bool {
        var limit = ReadingLimit.small
        return dbus_message_contains_unix_fds(message.raw) == 0 && (path?.text.utf8.count ?? 0) <= Self.longestPath
            && (try? message.values(within: &limit)) != nil
    }

    private static let longestPath = 4096

    /// The bus sends what matches any of our rules; this finds which. A directed signal comes without any rule.
    func matches(_ rule: MatchRule) -> Bool {
        if let member = rule.member, member != self.member { return false }
        if let interface = rule.interface, interface != self.interface { return false }
        if let path = rule.path, path != self.path { return false }
        if let space = rule.pathNamespace, self.path.map({ $0.isWithin(space) }) != true { return false }
        if let arg0 = rule.arg0, arg0 != self.arg0 { return false }
        if let space = rule.arg0Namespace, arg0.map({ $0 == space || $0.hasPrefix(space + ".") }) != true {
            return false
        }
        // Who has a well-known name, the subscription knows.
        return rule.followsOwner || rule.sender == nil || rule.sender == sender
    }
}

/// The subscriptions of one connection, in the order they were made. Holds them weakly: their owner decides.
final class SubscriptionTable {
    private struct Slot { weak var subscription: Subscription? }

    private var slots: [Slot] = []

    func add(_ subscription: Subscription) { slots.append(Slot(subscription: subscription)) }

    /// Also drops those already gone: a weak reference reads nil in its object's deinit.
    func remove(_ subscription: Subscription) {
        slots.removeAll { $0.subscription == nil || $0.subscription === subscription }
    }

    func deliver(_ message: Message) {
        guard !slots.isEmpty else { return }
        let fields = SignalFields(message)
        for slot in slots { slot.subscription?.deliver(fields) }
    }

    func endAll() {
        let all = slots
        slots = []
        for slot in all { slot.subscription?.end() }
    }
}
