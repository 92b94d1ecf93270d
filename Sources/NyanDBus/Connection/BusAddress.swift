import Glibc

/// Which bus to connect to.
public enum BusAddress: Sendable {
    /// The user's session bus: `DBUS_SESSION_BUS_ADDRESS`, else the socket in `XDG_RUNTIME_DIR` or in
    /// `/run/user/UID`. No bus is ever started.
    case session
    /// The machine's bus: `DBUS_SYSTEM_BUS_ADDRESS`, else its usual socket.
    case system
    /// A D-Bus address, such as `unix:path=/tmp/socket`.
    case address(String)

    /// The address as text.
    /// - Throws: `.noBus` where the environment names none.
    public func resolved() throws(BusError) -> String {
        switch self {
        case .address(let text):
            return text
        case .system:
            return Self.environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/var/run/dbus/system_bus_socket"
        case .session:
            if let text = Self.environment("DBUS_SESSION_BUS_ADDRESS") { return text }
            // A shell of cron or ssh may have neither variable where the user's own bus runs all the same.
            let folders = [Self.environment("XDG_RUNTIME_DIR"), "/run/user/\(geteuid())"]
            guard let runtime = folders.lazy.compactMap({ $0 }).first(where: Self.hasOwnBus) else {
                throw .noBus("no session bus: DBUS_SESSION_BUS_ADDRESS is not set")
            }
            return "unix:path=" + Self.escaped(runtime + "/bus")
        }
    }

    /// Whether a runtime directory, absolute and nobody else's as the XDG specification says, has a bus. After `su` the
    /// variable may name another user's, to whose bus no secret must go.
    private static func hasOwnBus(_ folder: String) -> Bool {
        var facts = stat()
        return folder.hasPrefix("/") && stat(folder, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
            && facts.st_uid == geteuid() && facts.st_mode & 0o022 == 0 && access(folder + "/bus", F_OK) == 0
    }

    private static func environment(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// A path as an address holds it: other than a few plain bytes, everything is written as %XX.
    private static func escaped(_ path: String) -> String {
        let plain = Set("-_/.\\*abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
        return path.utf8.reduce(into: "") { text, byte in
            if plain.contains(byte) {
                text.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
            }
        }
    }
}
