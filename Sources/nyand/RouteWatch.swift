import CSystem
import Dispatch
import Glibc

/// Hears from the kernel when routes or addresses of this machine change; costs nothing while they do not.
///
/// Links are not listened to: a wireless one speaks at every scan.
final class RouteWatch {
    private let source: any DispatchSourceRead

    /// nil where there is no such socket (a sandbox); then the network's return is noticed by calls alone.
    init?(_ changed: @escaping () -> Void) {
        let socket = nyan_open_route_socket()
        guard socket >= 0 else { return nil }
        source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: .main)
        source.setEventHandler {
            // What changed does not matter; lost messages (ENOBUFS) mean a change too.
            var bytes = [UInt8](repeating: 0, count: 16384)
            while recv(socket, &bytes, bytes.count, 0) > 0 || errno == ENOBUFS {}
            changed()
        }
        source.setCancelHandler { @Sendable in close(socket) }
        source.activate()
    }

    isolated deinit { source.cancel() }
}
