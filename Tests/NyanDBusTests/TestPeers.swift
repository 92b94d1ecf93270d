import Dispatch
import NyanDBus
import NyanTestKit

/// A private bus with two attached clients: one that serves, one that calls.
final class TwoPeers {
    let bus: PrivateBus
    let server: Connection
    let client: Connection

    init() throws {
        bus = try PrivateBus()
        server = try .open(.address(bus.address))
        client = try .open(.address(bus.address))
        try server.attach()
        try client.attach()
    }

    /// Calls the server.
    func call(
        _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [BusValue] = [],
        timeout: Duration = .seconds(10)
    ) async throws(BusError) -> [BusValue] {
        try await client.call(
            destination: server.uniqueName, path: path, interface: interface, member: member, args: arguments,
            timeout: timeout)
    }
}

/// What a call ended with, for comparing.
func kind(of work: () async throws(BusError) -> Void) async -> BusError.Kind? {
    do throws(BusError) {
        try await work()
        return nil
    } catch {
        return error.kind
    }
}

/// An event awaited with a limit: true once `happen` was called, false when the time is over first.
final class Happening {
    private var continuation: CheckedContinuation<Bool, Never>?
    private(set) var happened = false

    func happen() {
        happened = true
        resume(true)
    }

    func wait(atMost limit: DispatchTimeInterval = .seconds(10)) async -> Bool {
        if happened { return true }
        return await withCheckedContinuation { continuation in
            self.continuation = continuation
            DispatchQueue.main.asyncAfter(deadline: .now() + limit) { [weak self] in self?.resume(false) }
        }
    }

    private func resume(_ outcome: Bool) {
        continuation?.resume(returning: outcome)
        continuation = nil
    }
}

/// Answers whatever it is asked with closures.
final class ScriptedHandler: InterfaceHandler {
    var onCall: (String, [BusValue], CallContext) throws(BusError) -> Answer = { member, _, _ throws(BusError) in
        throw .unknownMethod(member)
    }
    var values: [String: BusValue] = [:]
    var onSet: (String, BusValue) throws(BusError) -> Void = { _, _ throws(BusError) in }

    func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        try onCall(member, arguments, context)
    }

    func get(_ property: String) -> BusValue? { values[property] }

    func set(_ property: String, _ value: BusValue) throws(BusError) {
        try onSet(property, value)
        values[property] = value
    }
}
