import CCurl
import Dispatch
import Glibc

/// Watches one of libcurl's sockets on the main queue.
///
/// libcurl closes a socket right after it says "remove", and Dispatch would lose the next source on the same number. The
/// sockets of connections are closed by `ConnectionSockets` when the cancellation has gone through; for any other, each
/// source gets a duplicate of the descriptor and closes that.
final class SocketWatch {
    private let socket: curl_socket_t
    private let ready: (curl_socket_t, Int32) -> Void
    private var reading: (any DispatchSourceRead)?
    private var writing: (any DispatchSourceWrite)?
    private var isResting = false

    /// `ready` is called on the main queue with the socket and `CURL_CSELECT_IN` or `CURL_CSELECT_OUT`.
    init(_ socket: curl_socket_t, ready: @escaping (curl_socket_t, Int32) -> Void) {
        self.socket = socket
        self.ready = ready
    }

    /// Watches for what libcurl asks: `CURL_POLL_IN`, `_OUT`, `_INOUT` or none of them.
    func watch(_ what: Int32) {
        let wantsInput = what == CURL_POLL_IN || what == CURL_POLL_INOUT
        let wantsOutput = what == CURL_POLL_OUT || what == CURL_POLL_INOUT
        if !wantsInput { stopReading() } else if reading == nil { reading = startReading() }
        if !wantsOutput { stopWriting() } else if writing == nil { writing = startWriting() }
    }

    func stop() {
        stopReading()
        stopWriting()
    }

    /// Says nothing of incoming bytes until `goOn`; false where they are not watched for.
    func rest() -> Bool {
        guard let reading, !isResting else { return isResting }
        reading.suspend()
        isResting = true
        return true
    }

    func goOn() {
        guard isResting else { return }
        isResting = false
        reading?.resume()
    }

    private func startReading() -> (any DispatchSourceRead)? {
        guard let place = watched() else { return nil }
        let source = DispatchSource.makeReadSource(fileDescriptor: place.descriptor, queue: .main)
        source.setEventHandler { [weak self] in
            guard let self, reading != nil else { return }
            ready(socket, CURL_CSELECT_IN)
        }
        source.setCancelHandler { place.leave() }
        source.resume()
        return source
    }

    private func startWriting() -> (any DispatchSourceWrite)? {
        guard let place = watched() else { return nil }
        let source = DispatchSource.makeWriteSource(fileDescriptor: place.descriptor, queue: .main)
        source.setEventHandler { [weak self] in
            guard let self, writing != nil else { return }
            ready(socket, CURL_CSELECT_OUT)
        }
        source.setCancelHandler { place.leave() }
        source.resume()
        return source
    }

    private func stopReading() {
        reading?.cancel()
        // A source must not be let go while it is suspended.
        goOn()
        reading = nil
    }

    private func stopWriting() {
        writing?.cancel()
        writing = nil
    }

    /// What a source is put on: the socket itself or a duplicate.
    private struct Place {
        let descriptor: Int32
        let isDuplicate: Bool

        /// The source's cancellation has gone through.
        func leave() {
            if isDuplicate { _ = close(descriptor) } else { ConnectionSockets.left(descriptor) }
        }
    }

    /// Nil only when the process is out of descriptors; the transfer then ends by its own time limit.
    private func watched() -> Place? {
        if ConnectionSockets.enter(socket) { return Place(descriptor: socket, isDuplicate: false) }
        let copy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        return copy < 0 ? nil : Place(descriptor: copy, isDuplicate: true)
    }
}
