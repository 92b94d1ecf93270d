import CDBus

/// A fresh connection to a bus before a `Connection` owns it. May be made and registered on any thread, one at a time.
// Unchecked: the pointer is known to one thread at a time, and libdbus' private connections are bound to none.
nonisolated struct BusLink: @unchecked Sendable {
    let raw: OpaquePointer

    /// Connects. Whatever keeps us from it, the outcome is the same: no bus.
    init(_ address: String) throws(BusError) {
        guard !address.utf8.contains(0) else { throw .noBus("not a bus address") }
        // libdbus would set SIGPIPE to ignored for the whole process. It sends with MSG_NOSIGNAL and needs no such thing.
        dbus_connection_set_change_sigpipe(0)
        let opened: OpaquePointer?
        do throws(BusError) {
            opened = try catching { dbus_connection_open_private(address, $0) }
        } catch {
            throw error.kind == .outOfMemory ? error : .noBus(error.message)
        }
        guard let opened else { throw .outOfMemory }
        raw = opened
        dbus_connection_set_exit_on_disconnect(opened, 0)
        // libdbus leaves the bus when a message has more descriptors than it made room for, which are 16 though a kernel
        // carries 253; and without the second line it would keep thousands of unread ones open.
        dbus_connection_set_max_message_unix_fds(opened, 253)
        dbus_connection_set_max_received_unix_fds(opened, 64)
    }

    /// Authenticates and says Hello.
    func register() throws(BusError) {
        guard try catching({ dbus_bus_register(raw, $0) }) != 0 else { throw .outOfMemory }
    }

    func drop() {
        dbus_connection_close(raw)
        dbus_connection_unref(raw)
    }
}
