import Dispatch
import Glibc

/// Writing to a descriptor that others may share, as a terminal or a pipe is.
nonisolated enum Writing {
    /// Writes all of a text; waits where there is no room, also where somebody has made the descriptor non-blocking.
    /// - Returns: nil, or the `errno` it ended with before all was written.
    static func all(of text: String, to descriptor: Int32) -> Int32? {
        var text = text
        return text.withUTF8 { bytes in
            var done = 0
            while done < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
                if count > 0 {
                    done += count
                } else if count == 0 || errno == EAGAIN {
                    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&ready, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return nil
        }
    }
}

/// The room that a descriptor has for more, and the wait for it, which holds up nothing else. Lives to the program's end.
@MainActor final class RoomToWrite {
    let descriptor: Int32
    /// Called when there is room again, after `wait`.
    var onRoom: () -> Void = {}
    private var source: (any DispatchSourceWrite)?

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// A file always has. One that nobody reads any more has, too: writing then says so.
    var isThere: Bool {
        var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&output, 1, 0) > 0
    }

    var isWaitedFor: Bool { source != nil }

    func wait() {
        guard source == nil else { return }
        let own = dup(descriptor)
        guard own >= 0 else { return }
        let source = DispatchSource.makeWriteSource(fileDescriptor: own, queue: .main)
        source.setEventHandler { [weak self] in self?.onRoom() }
        source.setCancelHandler { @Sendable in close(own) }
        self.source = source
        source.activate()
    }

    func waitNoMore() {
        source?.cancel()
        source = nil
    }
}
