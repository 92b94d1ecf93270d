import CDBus

/// Where libdbus' watch, timeout and dispatch-status callbacks enter Swift. All run on the main actor, because libdbus
/// calls them only from inside its own functions and those are called nowhere else.
enum LoopDoor {
    /// Hands existing and future watches and timeouts over; false when out of memory.
    static func install(
        _ watches: MainQueueWatches, _ timeouts: MainQueueTimeouts, on connection: OpaquePointer,
        status: UnsafeMutableRawPointer
    ) -> Bool {
        dbus_connection_set_dispatch_status_function(
            connection,
            { _, status, token in
                guard let token else { return }
                Unmanaged<Connection>.fromOpaque(token).takeUnretainedValue().dispatchStatusChanged(status)
            }, status, nil)
        return install(watches, on: connection) && install(timeouts, on: connection)
    }

    /// Takes everything back; no callback comes after this.
    static func remove(from connection: OpaquePointer) {
        _ = dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
        _ = dbus_connection_set_timeout_functions(connection, nil, nil, nil, nil, nil)
        dbus_connection_set_dispatch_status_function(connection, nil, nil, nil)
    }

    private static func install(_ watches: MainQueueWatches, on connection: OpaquePointer) -> Bool {
        // Kept by libdbus until the functions are replaced.
        let token = Unmanaged.passRetained(watches).toOpaque()
        let installed = dbus_connection_set_watch_functions(
            connection,
            { watch, token in
                guard let watch, let token else { return 0 }
                Unmanaged<MainQueueWatches>.fromOpaque(token).takeUnretainedValue().add(watch)
                return 1
            },
            { watch, token in
                guard let watch, let token else { return }
                Unmanaged<MainQueueWatches>.fromOpaque(token).takeUnretainedValue().remove(watch)
            },
            { watch, token in
                guard let watch, let token else { return }
                Unmanaged<MainQueueWatches>.fromOpaque(token).takeUnretainedValue().toggled(watch)
            }, token,
            { token in
                guard let token else { return }
                Unmanaged<MainQueueWatches>.fromOpaque(token).release()
            })
        if installed == 0 { Unmanaged<MainQueueWatches>.fromOpaque(token).release() }
        return installed != 0
    }

    private static func install(_ timeouts: MainQueueTimeouts, on connection: OpaquePointer) -> Bool {
        let token = Unmanaged.passRetained(timeouts).toOpaque()
        let installed = dbus_connection_set_timeout_functions(
            connection,
            { timeout, token in
                guard let timeout, let token else { return 0 }
                Unmanaged<MainQueueTimeouts>.fromOpaque(token).takeUnretainedValue().add(timeout)
                return 1
            },
            { timeout, token in
                guard let timeout, let token else { return }
                Unmanaged<MainQueueTimeouts>.fromOpaque(token).takeUnretainedValue().remove(timeout)
            },
            { timeout, token in
                guard let timeout, let token else { return }
                Unmanaged<MainQueueTimeouts>.fromOpaque(token).takeUnretainedValue().toggled(timeout)
            }, token,
            { token in
                guard let token else { return }
                Unmanaged<MainQueueTimeouts>.fromOpaque(token).release()
            })
        if installed == 0 { Unmanaged<MainQueueTimeouts>.fromOpaque(token).release() }
        return installed != 0
    }
}
