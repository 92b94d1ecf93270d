public import NyanCore

/// The machine's monotonic clock.
public struct SystemTime: TimeSource {
    private let origin = SuspendingClock.now

    public nonisolated init() {}

    public nonisolated var now: Duration { origin.duration(to: SuspendingClock.now) }

    public nonisolated func wait(for duration: Duration) async throws(CancellationError) {
        do {
            try await Task.sleep(for: duration, clock: .suspending)
        } catch {
            throw CancellationError()
        }
    }
}
