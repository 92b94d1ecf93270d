import Dispatch

/// Turns any number of "something came" into at most ten calls a second, on the main queue and never from inside
/// libcurl. Without news there is no timer.
final class ProgressPacer {
    private static let interval = DispatchTimeInterval.milliseconds(100)

    private let tell: () -> Void
    private var isDue = false
    private var earliest = DispatchTime.now()
    private var isStopped = false

    init(_ tell: @escaping () -> Void) { self.tell = tell }

    func note() {
        guard !isDue, !isStopped else { return }
        isDue = true
        DispatchQueue.main.asyncAfter(deadline: max(.now(), earliest)) { [weak self] in self?.flush() }
    }

    /// Tells at once what has not been told yet.
    func flush() {
        guard isDue, !isStopped else { return }
        isDue = false
        earliest = .now() + Self.interval
        tell()
    }

    func stop() { isStopped = true }
}
