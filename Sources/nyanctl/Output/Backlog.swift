/// Lines that wait for a slow reader. A value without I/O.
///
/// A reader that is merely busy gets every line. One that is asleep (a stopped pager, a bar behind a locked screen) finds
/// the newest line when it wakes, not all that has happened meanwhile (decision 0038).
struct Backlog {
    /// A reader that leaves a line unread for so long is asleep.
    static let patience: Duration = .seconds(1)
    /// More lines, or more bytes, are not kept for anybody.
    static let (lines, bytes) = (64, 256 * 1024)

    private var waiting: [(line: String, since: ContinuousClock.Instant)] = []

    var isEmpty: Bool { waiting.isEmpty }
    var count: Int { waiting.count }

    mutating func add(_ line: String, at now: ContinuousClock.Instant = .now) {
        waiting.append((line, now))
        forget(at: now)
    }

    /// The line to write next; nil = there is none.
    mutating func next(at now: ContinuousClock.Instant = .now) -> String? {
        forget(at: now)
        return waiting.isEmpty ? nil : waiting.removeFirst().line
    }

    private mutating func forget(at now: ContinuousClock.Instant) {
        guard waiting.count > 1, let first = waiting.first, let last = waiting.last else { return }
        let isOld = now - first.since > Self.patience
        guard isOld || waiting.count > Self.lines || waiting.reduce(0, { $0 + $1.line.utf8.count }) > Self.bytes else {
            return
        }
        waiting = [last]
    }
}
