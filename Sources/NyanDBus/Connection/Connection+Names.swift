import CDBus

/// What came of asking for a name.
public enum NameRequest: Sendable, Hashable {
    /// The name is ours now.
    case owner
    /// Another connection has it. We are not queued for it.
    case exists
    /// It was ours already.
    case alreadyOwner
}

extension Connection {
    /// Asks for a well-known name, never queueing and never replacing (mpris.md §1). Blocks for one round trip to the
    /// bus itself. Export objects first.
    public func requestName(_ name: String) throws(BusError) -> NameRequest {
        try requireOwnable(name)
        let answer = try catching { dbus_bus_request_name(raw, name, Self.doNotQueue, $0) }
        settle()
        goOn()
        switch answer {
        case 1: return .owner
        case 3: return .exists
        case 4: return .alreadyOwner
        default: throw .failed("the bus answered \(answer) to a request for \(name)")
        }
    }

    /// Gives a name up; a name that is not ours is left alone. Blocks for one round trip.
    public func releaseName(_ name: String) throws(BusError) {
        try requireOwnable(name)
        _ = try catching { dbus_bus_release_name(raw, name, $0) }
        settle()
        goOn()
    }

    /// The process behind a name.
    /// - Throws: `.noOwner` where nobody has the name.
    public func processID(of name: String) async throws(BusError) -> Int32 {
        let reply = try await call(.bus("GetConnectionUnixProcessID", .string(name)))
        return try Self.processID(in: reply)
    }

    /// The same, blocking; needs no attaching.
    public func processIDBlocking(of name: String) throws(BusError) -> Int32 {
        try Self.processID(in: try callBlocking(.bus("GetConnectionUnixProcessID", .string(name))))
    }

    /// The unique name of a name's owner; nil where nobody has it.
    public func owner(of name: String) async throws(BusError) -> String? {
        do throws(BusError) {
            return try await call(.bus("GetNameOwner", .string(name))).values().first?.string
        } catch {
            guard error.kind == .noOwner else { throw error }
            return nil
        }
    }

    private static func processID(in reply: Message) throws(BusError) -> Int32 {
        guard let id = try reply.values().first?.uint32, let processID = Int32(exactly: id) else {
            throw .failed("the bus gave no process id")
        }
        return processID
    }

    private func requireOwnable(_ name: String) throws(BusError) {
        guard isConnected else { throw .disconnected() }
        guard BusNames.isBusName(name), !name.hasPrefix(":") else {
            throw .invalidArguments("not a well-known bus name: \(name)")
        }
    }

    // DBUS_NAME_FLAG_DO_NOT_QUEUE
    private static let doNotQueue: UInt32 = 4
}
