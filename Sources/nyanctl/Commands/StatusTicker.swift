import Dispatch
import NyanCore
import NyanWire

/// `status --follow --every`: the position again and again while something plays, by this program's own clock. The
/// daemon is asked nothing for it, and while nothing moves nobody wakes up.
@MainActor final class StatusTicker {
    /// Seconds between two lines; 1…3600.
    private let interval: Int
    private let timer = DispatchSource.makeTimerSource(queue: .main)
    private var told: StatusReport?
    /// When `told.position` was true.
    private var asOf = SuspendingClock.now

    init(every interval: Int, _ tick: @escaping @Sendable () -> Void) {
        self.interval = interval
        timer.setEventHandler { tick() }
        timer.schedule(deadline: .distantFuture)
        timer.activate()
    }

    isolated deinit { timer.cancel() }

    /// What the daemon said last; nil = it is away.
    func take(_ report: StatusReport?) {
        told = report
        asOf = .now
        rearm()
    }

    /// What is true now; nil where nothing moves.
    func current() -> StatusReport? {
        guard var report = told, report.state == .playing else { return nil }
        rearm()
        let (seconds, attoseconds) = asOf.duration(to: .now).components
        let position = report.position + Double(seconds) + Double(attoseconds) / 1e18
        report.position = min(position, report.duration ?? position)
        return report
    }

    private func rearm() {
        let moves = told?.state == .playing
        timer.schedule(deadline: moves ? .now() + .seconds(interval) : .distantFuture, leeway: .milliseconds(50))
    }
}
