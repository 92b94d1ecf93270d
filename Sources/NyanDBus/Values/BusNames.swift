import CDBus

/// Checks of the names libdbus would otherwise abort on.
nonisolated enum BusNames {
    static func isBusName(_ name: String) -> Bool { check(name, dbus_validate_bus_name) }
    static func isInterface(_ name: String) -> Bool { check(name, dbus_validate_interface) }
    static func isMember(_ name: String) -> Bool { check(name, dbus_validate_member) }
    static func isErrorName(_ name: String) -> Bool { check(name, dbus_validate_error_name) }

    /// The names of one message, whichever of them it has.
    static func require(destination: String? = nil, interface: String? = nil, member: String) throws(BusError) {
        if let destination, !isBusName(destination) {
            throw .invalidArguments("not a bus name: \(destination)")
        }
        if let interface, !isInterface(interface) {
            throw .invalidArguments("not an interface name: \(interface)")
        }
        if !isMember(member) { throw .invalidArguments("not a member name: \(member)") }
    }

    /// A Swift string is always UTF-8, but C would stop at a NUL and see only the part before it.
    private static func check(
        _ name: String, _ isValid: (UnsafePointer<CChar>?, UnsafeMutablePointer<DBusError>?) -> dbus_bool_t
    ) -> Bool {
        !name.utf8.contains(0) && name.withCString { isValid($0, nil) } != 0
    }
}
