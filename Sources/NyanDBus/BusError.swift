/// What a bus call can end with: a D-Bus error name and a sentence.
///
/// One type for both directions. A handler throws it to answer a call with an error; a call out throws what the peer
/// answered, or one of the local ends: `timedOut`, `disconnected`, `cancelled`. Compare by `kind`, not by text.
nonisolated public struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The D-Bus error name, such as `org.freedesktop.DBus.Error.UnknownMethod`.
    public let name: String
    /// A sentence for a person or a log; may be empty.
    public let message: String

    public init(name: String, message: String) {
        self.name = name
        self.message = message
    }

    public var description: String { message.isEmpty ? name : "\(name): \(message)" }

    /// The ends a caller treats differently. `other` is every error name not listed here.
    public enum Kind: Sendable, Hashable {
        /// No answer within the call's time limit; the peer may still be working.
        case timedOut
        /// The peer went away, or the bus dropped the call, before an answer came.
        case noReply
        /// Nobody owns the destination name and it cannot be started.
        case noOwner
        /// The bus tried to start the service and failed.
        case cannotStart
        /// The connection to the bus is gone, or there was none.
        case disconnected
        /// No bus to connect to.
        case noBus
        /// The waiting task was cancelled.
        case cancelled
        /// The object, interface, member or property does not exist.
        case unknownMember
        case propertyReadOnly
        case invalidArguments
        case accessDenied
        case notSupported
        case outOfMemory
        case other
    }

    public var kind: Kind { Self.kinds[name] ?? (name.hasPrefix(Self.spawnPrefix) ? .cannotStart : .other) }

    private static let prefix = "org.freedesktop.DBus.Error."
    private static let spawnPrefix = prefix + "Spawn."

    private static let kinds: [String: Kind] = [
        prefix + "Timeout": .timedOut, prefix + "TimedOut": .timedOut, prefix + "NoReply": .noReply,
        prefix + "ServiceUnknown": .noOwner, prefix + "NameHasNoOwner": .noOwner,
        prefix + "Disconnected": .disconnected, prefix + "NoServer": .noBus, cancelled.name: .cancelled,
        prefix + "UnknownMethod": .unknownMember, prefix + "UnknownObject": .unknownMember,
        prefix + "UnknownInterface": .unknownMember, prefix + "UnknownProperty": .unknownMember,
        prefix + "PropertyReadOnly": .propertyReadOnly, prefix + "InvalidArgs": .invalidArguments,
        prefix + "AccessDenied": .accessDenied, prefix + "NotSupported": .notSupported,
        prefix + "NoMemory": .outOfMemory,
    ]
}

nonisolated extension BusError {
    /// The waiting task was cancelled; the call itself may have had its effect.
    public static let cancelled = BusError(name: prefix + "Local.Cancelled", message: "the call was cancelled")

    /// The local time limit ran out. (`NoReply` is kept for a peer that vanished; libdbus uses it for both.)
    public static func timedOut(_ message: String = "no answer in time") -> BusError {
        BusError(name: prefix + "Timeout", message: message)
    }

    public static func disconnected(_ message: String = "the connection to the bus is closed") -> BusError {
        BusError(name: prefix + "Disconnected", message: message)
    }

    public static func noBus(_ message: String) -> BusError { BusError(name: prefix + "NoServer", message: message) }

    public static func failed(_ message: String) -> BusError { BusError(name: prefix + "Failed", message: message) }

    public static func notSupported(_ message: String) -> BusError {
        BusError(name: prefix + "NotSupported", message: message)
    }

    public static func invalidArguments(_ message: String) -> BusError {
        BusError(name: prefix + "InvalidArgs", message: message)
    }

    /// More was asked for than one caller is given.
    public static func limitsExceeded(_ message: String) -> BusError {
        BusError(name: prefix + "LimitsExceeded", message: message)
    }

    public static func unknownMethod(_ member: String, in interface: String? = nil) -> BusError {
        let place = interface.map { " in \($0)" } ?? ""
        return BusError(name: prefix + "UnknownMethod", message: "no method \(member)\(place)")
    }

    public static func unknownObject(_ path: String) -> BusError {
        BusError(name: prefix + "UnknownObject", message: "no object at \(path)")
    }

    public static func unknownInterface(_ interface: String) -> BusError {
        BusError(name: prefix + "UnknownInterface", message: "no interface \(interface)")
    }

    public static func unknownProperty(_ property: String, in interface: String) -> BusError {
        BusError(name: prefix + "UnknownProperty", message: "no property \(property) in \(interface)")
    }

    public static func propertyReadOnly(_ property: String) -> BusError {
        BusError(name: prefix + "PropertyReadOnly", message: "property \(property) cannot be set")
    }

    /// Somebody else answered than was asked; what was asked does not say anything any more.
    static let forged = failed("somebody else answered")

    /// libdbus returned NULL or FALSE where only memory can be the reason.
    static let outOfMemory = BusError(name: prefix + "NoMemory", message: "out of memory")
}
