import CDBus
import Dispatch

/// One D-Bus message: a call, a reply, an error or a signal. Owns a reference to libdbus' message.
@MainActor public final class Message {
    // Unsafe: a deinit has no isolation, and this one has the last reference.
    nonisolated(unsafe) let raw: OpaquePointer

    /// Takes over one reference.
    init(owning raw: OpaquePointer) { self.raw = raw }

    /// Adds a reference to a message that libdbus lends for the length of a callback.
    init(borrowing raw: OpaquePointer) {
        dbus_message_ref(raw)
        self.raw = raw
    }

    // On the main queue because giving back a large message may make libdbus switch its read watch on, which calls us.
    deinit {
        guard !MainQueueCheck.isPassed else { return dbus_message_unref(raw) }
        // Unsafe: nobody else has it any more.
        nonisolated(unsafe) let raw = raw
        DispatchQueue.main.async { @Sendable in dbus_message_unref(raw) }
    }

    /// What the message is for.
    public enum Kind: Sendable { case call, reply, error, signal, invalid }

    public var kind: Kind {
        switch dbus_message_get_type(raw) {
        case 1: .call
        case 2: .reply
        case 3: .error
        case 4: .signal
        default: .invalid
        }
    }

    /// The sender's unique name; nil for messages libdbus made itself.
    public var sender: String? { Self.text(dbus_message_get_sender(raw)) }
    public var destination: String? { Self.text(dbus_message_get_destination(raw)) }
    /// The text of the path; empty where the message has none.
    public var path: String { Self.text(dbus_message_get_path(raw)) ?? "" }
    public var interface: String? { Self.text(dbus_message_get_interface(raw)) }
    public var member: String { Self.text(dbus_message_get_member(raw)) ?? "" }

    /// The signature of the arguments as text.
    public var signatureText: String { Self.text(dbus_message_get_signature(raw)) ?? "" }

    /// Whether the caller of a call wants an answer.
    public var wantsReply: Bool { dbus_message_get_no_reply(raw) == 0 }

    /// All arguments as values.
    /// - Throws: `InvalidArgs` where the body is not what its signature says (libdbus has checked that already).
    public func values() throws(BusError) -> [BusValue] {
        var limit = ReadingLimit.none
        return try values(within: &limit)
    }

    /// The same, no more than a limit allows: `LimitsExceeded` beyond that.
    func values(within limit: inout ReadingLimit) throws(BusError) -> [BusValue] {
        guard let signature = Signature(signatureText) else { throw .invalidArguments("unreadable signature") }
        return try values(of: signature, within: &limit)
    }

    /// The same, where the signature is known to be this one.
    func values(of signature: Signature, within limit: inout ReadingLimit) throws(BusError) -> [BusValue] {
        var reader = MessageReader(self, within: limit)
        defer { limit = reader.limit }
        var values: [BusValue] = []
        values.reserveCapacity(signature.types.count)
        for type in signature.types { values.append(try reader.readValue(type)) }
        return values
    }

    /// The error this message carries, where its kind is `.error`.
    var error: BusError? {
        guard kind == .error else { return nil }
        let name = Self.text(dbus_message_get_error_name(raw)) ?? ""
        // Somebody's words, which may be of any length; what comes behind them is nobody's business.
        var reader = MessageReader(self)
        return BusError(name: name, message: Message.clipped((try? reader.string()) ?? ""))
    }

    // No closure: Swift makes sure of the actor in each that it gives to the standard library, in 400 instructions.
    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        if let pointer { String(cString: pointer) } else { nil }
    }
}

extension Message {
    /// A call; names are checked first.
    static func call(_ call: MethodCall) throws(BusError) -> Message {
        try BusNames.require(destination: call.destination, interface: call.interface, member: call.member)
        guard
            let raw = dbus_message_new_method_call(call.destination, call.path.text, call.interface, call.member)
        else { throw .outOfMemory }
        let message = Message(owning: raw)
        if !call.autoStart { dbus_message_set_auto_start(raw, 0) }
        if !call.wantsReply { dbus_message_set_no_reply(raw, 1) }
        try message.write(call.body)
        return message
    }

    /// A signal, to everyone who listens or to one `destination`.
    static func signal(
        path: ObjectPath, interface: String, member: String, destination: String?, body: MessageBody
    ) throws(BusError) -> Message {
        try BusNames.require(destination: destination, interface: interface, member: member)
        guard let raw = dbus_message_new_signal(path.text, interface, member) else { throw .outOfMemory }
        let message = Message(owning: raw)
        if let destination, dbus_message_set_destination(raw, destination) == 0 { throw .outOfMemory }
        try message.write(body)
        return message
    }

    func write(_ body: MessageBody) throws(BusError) {
        switch body {
        case .values(let values):
            let signature = Signature(values.map(\.type))
            guard signature.isWithinLimits else { throw .invalidArguments("\(signature.text) is no valid signature") }
            var writer = MessageWriter(self, signature)
            for value in values { try writer.append(value) }
            try writer.finish()
        case .typed(let signature, let values):
            var writer = MessageWriter(self, signature)
            for value in values { try writer.append(value) }
            try writer.finish()
        case .written(let signature, let write):
            var writer = MessageWriter(self, signature)
            try write(&writer)
            try writer.finish()
        }
    }
}

/// The arguments of a message to send.
public enum MessageBody {
    /// The values' own types make the signature.
    case values([BusValue])
    /// The values must have this signature, or the message is refused with `InvalidArgs`.
    case typed(Signature, [BusValue])
    /// The closure writes arguments of this signature itself: the way for long lists, with no value per field.
    case written(Signature, (inout MessageWriter) throws(BusError) -> Void)
}

extension MessageBody: ExpressibleByArrayLiteral {
    public init(arrayLiteral values: BusValue...) { self = .values(values) }
}
