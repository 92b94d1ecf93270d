import CCurl
import Dispatch

/// Sockets on which a long body comes steadily are looked at a hundred times a second, all at once, instead of whenever
/// something is there: being woken costs more than reading and writing the 16 to 64 KiB that come in between.
///
/// A line so fast that it fills a good part of its window meanwhile is left alone, and so is one that has nothing to say.
final class SteadyLine {
    private static let interval = DispatchTimeInterval.milliseconds(10)
    /// More than this in one look: the line is faster than looks are.
    private static let most = 128 << 10

    /// Lets libcurl read what is there on a socket, and tells of it by `turnEnded`.
    var look: (curl_socket_t) -> Void = { _ in }
    private let timer: any DispatchSourceTimer
    private var resting: [curl_socket_t: SocketWatch] = [:]
    /// Bytes of long bodies that came in the present turn of libcurl.
    private var came = 0

    init() {
        timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .distantFuture)
        timer.setEventHandler { [weak self] in self?.lookAtAll() }
        timer.resume()
    }

    isolated deinit { timer.cancel() }

    /// Bytes came, with many more of the same body to come.
    func note(_ count: Int) { came += count }

    /// A turn of libcurl is over; it was about this socket.
    func turnEnded(_ socket: curl_socket_t, _ watch: SocketWatch?) {
        defer { came = 0 }
        guard let watch, came > 0, came < Self.most else { return goOn(socket) }
        guard resting[socket] == nil, watch.rest() else { return }
        if resting.isEmpty {
            timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(2))
        }
        resting[socket] = watch
    }

    /// The socket is closed, or watched for something else.
    func forget(_ socket: curl_socket_t) { goOn(socket) }

    private func goOn(_ socket: curl_socket_t) {
        guard let watch = resting.removeValue(forKey: socket) else { return }
        watch.goOn()
        if resting.isEmpty { timer.schedule(deadline: .distantFuture) }
    }

    private func lookAtAll() {
        for socket in Array(resting.keys) where resting[socket] != nil { look(socket) }
    }
}
