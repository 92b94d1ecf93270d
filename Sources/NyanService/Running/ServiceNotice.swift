import Glibc

/// Tells the service manager where we are, over the datagram socket in `NOTIFY_SOCKET` (sd_notify(3)).
public enum ServiceNotice {
    /// The settings are being read again; `READY=1` must follow. With the time as `Type=notify-reload` wants it
    /// (systemd 253 and later): microseconds of CLOCK_MONOTONIC.
    public nonisolated static func reloading() {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        send("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1000)")
    }

    /// Sends lines such as `READY=1`; nothing happens where no manager asked.
    public nonisolated static func send(_ text: String) {
        guard let place = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }), place.utf8.count > 1 else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(place.utf8)
        // A leading @ means the abstract namespace.
        if path[0] == UInt8(ascii: "@") { path[0] = 0 }
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let bytes = Array(text.utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                // A manager that does not read must not hold us up.
                sendto(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), $0, length)
            }
        }
    }
}
