public import NyanCore

/// Whether the network answers, as far as real calls have told. Nothing is probed: every call and transfer reports here.
public final class Connectivity {
    /// False from the first failed connection until something succeeds again.
    public private(set) var isOnline = true
    /// The listener's wish to stay off the network (CONTRACT.md `offline on`).
    public private(set) var isOfflineMode = false
    private let hub: EventHub

    public init(hub: EventHub) { self.hub = hub }

    /// Something was answered from outside.
    public func succeeded() { set(online: true) }

    /// Notes failures that mean the network or the server cannot be reached; others say nothing about it.
    public func failed(_ failure: Failure) {
        if failure.code == .network || failure.code == .timeout { set(online: false) }
    }

    public func setOfflineMode(_ on: Bool) {
        guard on != isOfflineMode else { return }
        isOfflineMode = on
        hub.changed(.connectivity)
    }

    /// Throws `.offline` where the listener asked for no network.
    public func requireNetwork() throws(Failure) {
        if isOfflineMode {
            throw Failure(.offline, "offline mode is on: nothing is fetched until `nyanctl offline off`")
        }
    }

    private func set(online: Bool) {
        guard online != isOnline else { return }
        isOnline = online
        hub.changed(.connectivity)
    }
}
