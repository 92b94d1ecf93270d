import CDBus
import Dispatch

/// libdbus' timeouts (one per call under way) on one Dispatch timer.
///
/// The timer is set for the earliest deadline and is not moved when a timeout goes, so quick calls cost no timer work;
/// at most one idle firing follows the last call.
final class MainQueueTimeouts {
    private var deadlines: [OpaquePointer: UInt64] = [:]
    private var timer: (any DispatchSourceTimer)?
    /// When the timer fires; `.max` while it is not set.
    private var armedFor = UInt64.max
    private let afterTurn: () -> Void

    init(afterTurn: @escaping () -> Void) { self.afterTurn = afterTurn }

    func add(_ timeout: OpaquePointer) {
        guard dbus_timeout_get_enabled(timeout) != 0 else { return }
        let deadline = Self.now + interval(of: timeout)
        deadlines[timeout] = deadline
        arm(for: deadline)
    }

    func remove(_ timeout: OpaquePointer) { deadlines.removeValue(forKey: timeout) }

    func toggled(_ timeout: OpaquePointer) {
        remove(timeout)
        add(timeout)
    }

    func cancelAll() {
        deadlines = [:]
        timer?.cancel()
        timer = nil
        armedFor = .max
    }

    private func arm(for deadline: UInt64) {
        guard deadline < armedFor else { return }
        armedFor = deadline
        let timer = self.timer ?? makeTimer()
        self.timer = timer
        timer.schedule(deadline: DispatchTime(uptimeNanoseconds: deadline), leeway: .milliseconds(1))
    }

    private func makeTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.setEventHandler { [weak self] in self?.fire() }
        timer.activate()
        return timer
    }

    private func fire() {
        armedFor = .max
        let now = Self.now
        let due = deadlines.filter { $0.value <= now }.sorted { $0.value < $1.value }.map(\.key)
        // Handling one may remove another.
        for timeout in due where deadlines[timeout] != nil {
            // libdbus repeats a timeout until it is removed.
            deadlines[timeout] = now + interval(of: timeout)
            dbus_timeout_handle(timeout)
        }
        if let earliest = deadlines.values.min() { arm(for: earliest) }
        afterTurn()
    }

    private func interval(of timeout: OpaquePointer) -> UInt64 {
        UInt64(max(0, dbus_timeout_get_interval(timeout))) * 1_000_000
    }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
