import Glibc

/// The way out for the lines of a follower. A reader that does not read holds up nothing: neither are changes left
/// unread, which the bus would have to keep, nor does anything grow here. Lives to the program's end.
@MainActor final class LineOutlet {
    private var backlog = Backlog()
    /// What is still to be written of the line that was begun: half a line is never left.
    private var begun: ArraySlice<UInt8> = []
    /// So much is taken at once by whatever says that it has room.
    private let piece: Int
    private let room = RoomToWrite(1)
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
        room.onRoom = { [weak self] in self?.flush() }
    }

    /// All that was given is written, and there is room for more. Where it is not, `onClear` is called once it is.
    func isClear() -> Bool {
        let isClear = begun.isEmpty && backlog.isEmpty && room.isThere
        if !isClear { room.wait() }
        return isClear
    }

    func print(_ line: String) {
        backlog.add(line)
        flush()
    }

    private func flush() {
        let wasHeldUp = room.isWaitedFor
        while true {
            if begun.isEmpty {
                // Asked first: a line that was taken out is not replaced by a newer one any more.
                guard !backlog.isEmpty else { break }
                guard room.isThere, let line = backlog.next() else { return room.wait() }
                begun = Array((line + "\n").utf8)[...]
            }
            guard room.isThere else { return room.wait() }
            let count = begun.prefix(piece).withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
            if count > 0 {
                begun = begun.dropFirst(count)
            } else if errno == EAGAIN {
                return room.wait()
            } else if errno != EINTR {
                return Terminal.lost(1, errno)
            }
        }
        room.waitNoMore()
        if wasHeldUp { onClear() }
    }
}
