import Dispatch
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// What a listener sees of the clock, and how soon wishes are answered.
extension House {
    /// Milliseconds in which an answer that waits for nothing comes on a machine however busy. Whatever waits for a network,
    /// a server or the sound takes longer: 2.7 s is the shortest patience there is. bench/ looks closer.
    static let atOnce = 1500.0 * Patience.factor

    /// Calls a method of the MPRIS player; milliseconds until the answer.
    @discardableResult
    func press(_ member: String) async throws -> Double {
        try await timed(interface: PlayerInterface.name, member: member, args: [])
    }

    /// Milliseconds until the whole status is answered.
    func statusTime() async throws -> Double {
        try await timed(
            interface: "org.freedesktop.DBus.Properties", member: "GetAll", args: [.string(PlayerInterface.name)])
    }

    private func timed(interface: String, member: String, args: [BusValue]) async throws -> Double {
        let begun = ContinuousClock.now
        _ = try await connection.call(
            destination: Names.mpris, path: Names.mprisPath, interface: interface, member: member, args: args,
            timeout: .seconds(20))
        return (ContinuousClock.now - begun) / .milliseconds(1)
    }

    /// Waits until the state is this one and gives the status of that moment.
    func reached(_ state: String, within seconds: Double = 40) async throws -> Status {
        var seen: Status?
        try await until("it is \(state)", within: seconds) {
            seen = try await status()
            return seen?.state == state
        }
        return try #require(seen)
    }

    /// Waits until it sounds beyond this second, and gives the status of that moment.
    func sounds(beyond position: Double, within seconds: Double = 40) async throws -> Status {
        var seen: Status?
        try await until("it plays beyond \(position)", within: seconds) {
            seen = try await status()
            return seen?.state == "playing" && seen?.position ?? 0 > position
        }
        return try #require(seen)
    }

    /// A fault of the media hosts.
    func fault(_ fields: String) async throws { try await control(#"{"cmd":"media-fault",\#(fields)}"#) }

    /// How often the look-alike was asked for a location.
    func resolves() async throws -> Int {
        try await requests().filter { $0.kind == "api" && $0.method == "audio.getById" }.count
    }
}
