internal import Dispatch
internal import Glibc
internal import NyanCore

/// A timer on the main queue that fires once and can be armed again; armed only while something is awaited, so that an
/// idle engine never wakes.
final class OneShot {
    private var timer: (any DispatchSourceTimer)?

    isolated deinit { timer?.cancel() }

    /// Replaces what was armed before.
    func arm(after delay: Duration, _ action: @escaping () -> Void) {
        cancel()
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now() + .nanoseconds(Int(delay.nanoseconds)))
        timer.setEventHandler { [weak self] in
            self?.cancel()
            action()
        }
        self.timer = timer
        timer.activate()
    }

    func cancel() {
        timer?.cancel()
        timer = nil
    }
}

/// Monotonic time from an origin of its own.
nonisolated func monotonicNow() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
