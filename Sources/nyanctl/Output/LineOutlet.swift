import Dispatch
import Glibc

/// The way out for the lines of a follower. A reader that does not read holds up nothing: neither are changes left
/// unread, which the bus would have to keep, nor does anything grow here. Lives to the program's end.
@MainActor final class LineOutlet {
    private var backlog = Backlog()
    /// What is still to be written of the line that was begun: half a line is never left.
    private var begun: ArraySlice<UInt8> = []
    /// So much is taken at once by whatever says that it has room.
    private let piece: Int
    /// Tells of room while somebody waits for it.
    private var room: (any DispatchSourceWrite)?
    /// Called when all is written and there is room, after it was held up.
    var onClear: () -> Void = {}

    /// - Parameter keepsLittle: a pipe holds one page at most. Where it holds the usual 64 KiB, a reader that wakes finds
    ///   hundreds of old lines there; with one page it has room only when everything was read.
    init(keepsLittle: Bool) {
        var output = stat()
        let isPipe = fstat(1, &output) == 0 && output.st_mode & S_IFMT == S_IFIFO
        // F_SETPIPE_SZ, which Glibc's module does not show. A pipe that has more in it stays as it is.
        if isPipe, keepsLittle { _ = fcntl(1, 1031, 4096) }
        // A pipe with room takes PIPE_BUF bytes without waiting (pipe(7)); a terminal promises 256 (tty(4)'s WAKEUP_CHARS).
        piece = Terminal.outputIsTerminal ? 256 : 4096
    }

    /// All that was given is written, and there is room for more. Where it is not, `onClear` is called once it is.
    func isClear() -> Bool {
        let isClear = begun.isEmpty && backlog.isEmpty && hasRoom
        if !isClear { wait() }
        return isClear
    }

    func print(_ line: String) {
        backlog.add(line)
        flush()
    }

    private func flush() {
        let wasHeldUp = room != nil
        while true {
            if begun.isEmpty {
                // Asked first: a line that was taken out is not replaced by a newer one any more.
                guard !backlog.isEmpty else { break }
                guard hasRoom, let line = backlog.next() else { return wait() }
                begun = Array((line + "\n").utf8)[...]
            }
            guard hasRoom else { return wait() }
            let count = begun.prefix(piece).withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
            if count > 0 {
                begun = begun.dropFirst(count)
            } else if errno == EAGAIN {
                return wait()
            } else if errno != EINTR {
                return Terminal.lost(1, errno)
            }
        }
        room?.cancel()
        room = nil
        if wasHeldUp { onClear() }
    }

    /// A file always has. One that nobody reads any more has, too: writing then says so.
    private var hasRoom: Bool {
        var output = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
        return poll(&output, 1, 0) > 0
    }

    private func wait() {
        guard room == nil else { return }
        let descriptor = dup(1)
        guard descriptor >= 0 else { return }
        let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: .main)
        source.setEventHandler { [weak self] in self?.flush() }
        source.setCancelHandler { @Sendable in close(descriptor) }
        room = source
        source.activate()
    }
}
