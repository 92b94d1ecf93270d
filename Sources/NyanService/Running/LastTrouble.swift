import Glibc
import Synchronization

/// The last warning or error that was logged, for whoever asks what went wrong.
public final class LastTrouble: Sendable {
    public struct Line: Sendable, Equatable {
        public var level: LogLevel
        public var text: String
        /// On the machine's monotonic clock, in seconds.
        public var moment: Int
    }

    private let held = Mutex<Line?>(nil)

    public nonisolated init() {}

    public nonisolated var line: Line? { held.withLock { $0 } }

    nonisolated func note(_ level: LogLevel, _ text: String) {
        let moment = Self.now
        held.withLock { $0 = Line(level: level, text: text, moment: moment) }
    }

    public nonisolated static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return time.tv_sec
    }
}
