import Glibc

/// The way out for what is drawn over again and again. A terminal that takes nothing (Ctrl-S, a slow line) holds up nobody:
/// signals and keys are heard, and the newest frame is drawn when there is room. Lives to the program's end.
@MainActor final class FrameOutlet {
    /// The terminal opened once more, so that writing need not wait there while it does for all who share our descriptor.
    private let room: RoomToWrite
    /// What is still to be written of the frame that was begun: half a sequence is never left.
    private var begun: ArraySlice<UInt8> = []
    private var next: String?

    init() {
        let own = open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        // Without it each frame is asked for first, and only one on a line that stops in its midst waits.
        room = RoomToWrite(own >= 0 ? own : 1)
        room.onRoom = { [weak self] in self?.flush() }
    }

    /// Draws `frame`, or, where that cannot be now, whatever is the newest when it can.
    func show(_ frame: String) {
        next = frame
        flush()
    }

    private func flush() {
        while true {
            if begun.isEmpty {
                guard let frame = next else { break }
                next = nil
                begun = Array(frame.utf8)[...]
            }
            guard room.isThere else { return room.wait() }
            let count = begun.withUnsafeBytes { write(room.descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                begun = begun.dropFirst(count)
            } else if count == 0 || errno == EAGAIN {
                return room.wait()
            } else if errno != EINTR {
                return Terminal.lost(1, errno)
            }
        }
        room.waitNoMore()
    }
}
