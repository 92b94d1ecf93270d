public import NyanDBus

/// Tells when the Secret Service appears on the bus or says that something of it changed, an unlocking among others. It
/// only listens: nothing is started and nothing is asked.
public final class KeyringWatch {
    private static let name = "org.freedesktop.secrets"
    private static let root: ObjectPath = "/org/freedesktop/secrets"
    private var subscriptions: [Subscription] = []

    /// `changed` is called for every sign, which may come in showers; `appeared`: it is there now, or was from the start.
    public init(_ connection: Connection, changed: @escaping (_ appeared: Bool) -> Void) {
        let owner = try? connection.watchOwner(of: Self.name) { owner in
            if owner != nil { changed(true) }
        }
        // Services differ in which signal they send for an unlocking; their own are few.
        let signs = try? connection.subscribe(MatchRule(sender: Self.name, pathNamespace: Self.root)) { _ in
            changed(false)
        }
        subscriptions = [owner, signs].compactMap { $0 }
    }
}
