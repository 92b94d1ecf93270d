import CDBus

/// Runs a libdbus function that reports through a `DBusError` and turns that into a `BusError`.
nonisolated func catching<Result>(
    _ body: (UnsafeMutablePointer<DBusError>) -> Result
) throws(BusError) -> Result {
    var failure = DBusError()
    dbus_error_init(&failure)
    defer { dbus_error_free(&failure) }
    let result = body(&failure)
    guard dbus_error_is_set(&failure) == 0 else {
        throw BusError(
            name: failure.name.map { String(cString: $0) } ?? "",
            message: failure.message.map { String(cString: $0) } ?? "")
    }
    return result
}
