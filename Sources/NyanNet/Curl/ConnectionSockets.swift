import CCurl
import Glibc

/// The sockets of libcurl's connections, made and closed by us: a Dispatch source may watch one itself, without a
/// duplicate, because it is closed only when no source is on it any more (Dispatch loses events of a number that is used
/// again too early). With dozens of connections this halves the descriptors.
///
/// Sockets that libcurl makes by other ways, such as the resolver's, are not ours: they are watched by a duplicate.
enum ConnectionSockets {
    private struct Use {
        /// Sources that are on it, with those whose cancellation has not gone through.
        var sources = 0
        var isOver = false
    }

    private static var uses: [curl_socket_t: Use] = [:]

    /// Has a handle make and close its sockets here.
    static func serve(_ easy: UnsafeMutableRawPointer) {
        nyan_easy_on_sockets(
            easy,
            { _, _, address in
                guard let address else { return CURL_SOCKET_BAD }
                return ConnectionSockets.make(address.pointee)
            },
            { _, socket in
                ConnectionSockets.end(socket)
                return 0
            })
    }

    /// Whether a source may be put on this socket itself; it counts until `left` is called for it.
    static func enter(_ socket: curl_socket_t) -> Bool {
        guard uses[socket] != nil else { return false }
        uses[socket]?.sources += 1
        return true
    }

    /// A source is off this socket for good.
    static func left(_ socket: curl_socket_t) {
        uses[socket]?.sources -= 1
        closeIfUnused(socket)
    }

    private static func make(_ address: curl_sockaddr) -> curl_socket_t {
        let made = socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
        guard made >= 0 else { return CURL_SOCKET_BAD }
        uses[made] = Use()
        return made
    }

    private static func end(_ socket: curl_socket_t) {
        guard uses[socket] != nil else {
            _ = close(socket)
            return
        }
        uses[socket]?.isOver = true
        closeIfUnused(socket)
    }

    private static func closeIfUnused(_ socket: curl_socket_t) {
        guard let use = uses[socket], use.isOver, use.sources <= 0 else { return }
        uses[socket] = nil
        _ = close(socket)
    }
}
