/// Port: monotonic time that stands still while the machine sleeps, and waiting for it.
public protocol TimeSource: Sendable {
    /// Since any fixed moment.
    var now: Duration { get }
    /// Returns after `duration`, or at once with an error when the task is cancelled.
    func wait(for duration: Duration) async throws(CancellationError)
}
