import Dispatch
import Glibc
import Synchronization

/// Our end of a pseudo-terminal, read on a thread of its own until it is closed: libdispatch's sources get into trouble
/// with a terminal that is hung up while they are suspended (crashes, and hang-ups that are not told).
nonisolated final class TerminalLine: Sendable {
    private struct State {
        var isPaused = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let master: Int32
    /// Written to, or closed, when the state has changed.
    private let (bell, ear): (Int32, Int32)

    /// `heard` is called on the main queue with what was read; with nil once, when nobody has the terminal open any more.
    init(_ master: Int32, _ heard: @escaping @MainActor @Sendable ([UInt8]?) -> Void) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Program.Trouble(what: "pipe", code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (ear, bell) = (ends[0], ends[1])
        self.master = master
        DispatchQueue(label: "org.nyantunes.test.terminal").async { [self] in
            serve { bytes in DispatchQueue.main.async { heard(bytes) } }
        }
    }

    func pause(_ isPaused: Bool) {
        state.withLock { $0.isPaused = isPaused }
        _ = write(bell, "!", 1)
    }

    /// The terminal is hung up. Once.
    func hangUp() {
        state.withLock { $0.isClosed = true }
        close(bell)
    }

    private func serve(_ tell: ([UInt8]?) -> Void) {
        var isOver = false
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let state = state.withLock { $0 }
            if state.isClosed { break }
            var watched = [
                pollfd(fd: ear, events: Int16(POLLIN), revents: 0),
                pollfd(fd: state.isPaused || isOver ? -1 : master, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&watched, 2, -1) > 0 else { continue }
            if watched[0].revents != 0 {
                _ = read(ear, &chunk, chunk.count)
                continue
            }
            let count = read(master, &chunk, chunk.count)
            if count > 0 {
                tell(Array(chunk[..<count]))
            } else if count == 0 || errno != EAGAIN && errno != EINTR {
                // EIO: the last of those who had the terminal open has closed it. Its settings may still be looked at.
                isOver = true
                tell(nil)
            }
        }
        close(master)
        close(ear)
    }
}
