import Dispatch
public import NyanCore

/// The machine's monotonic clock; waits are timers on the main queue.
///
/// Not `Task.sleep`: one use of the pool of threads behind it, and libdispatch looks after that pool every second until
/// the process ends.
public struct SystemTime: TimeSource {
    private let origin = SuspendingClock.now

    public nonisolated init() {}

    public nonisolated var now: Duration { origin.duration(to: SuspendingClock.now) }

    @MainActor public func wait(for duration: Duration) async throws(CancellationError) {
        guard !Task.isCancelled else { throw CancellationError() }
        let pause = Pause()
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { pause.begin(duration, $0) }
        } onCancel: {
            Task { @MainActor in pause.end(isOver: false) }
        }
        if !isOver { throw CancellationError() }
    }
}

/// One wait: ends with its timer or with the waiting task, whichever is first.
private final class Pause {
    private var timer: (any DispatchSourceTimer)?
    private var ended: CheckedContinuation<Bool, Never>?

    /// Begins the wait; `ended` is resumed with whether the time has passed.
    func begin(_ duration: Duration, _ ended: CheckedContinuation<Bool, Never>) {
        self.ended = ended
        // Thirty years are as good as any longer time, and fit.
        let nanoseconds = Int(min(max(duration / .nanoseconds(1), 0), 1e18))
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now() + .nanoseconds(nanoseconds))
        timer.setEventHandler { [self] in end(isOver: true) }
        self.timer = timer
        timer.activate()
    }

    func end(isOver: Bool) {
        timer?.cancel()
        timer = nil
        ended?.resume(returning: isOver)
        ended = nil
    }
}
