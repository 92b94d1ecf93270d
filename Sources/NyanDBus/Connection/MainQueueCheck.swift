import Dispatch
import Synchronization

/// Tells whether code runs on the main queue, for what is given back with a last reference. An isolated `deinit` is no
/// way to tell: the main queue has no thread of its own here, so Swift makes a job of each and lets it wait in line.
nonisolated enum MainQueueCheck {
    private static let key = DispatchSpecificKey<Bool>()
    private static let isBegun = Atomic(false)

    /// From the first connection on the main queue on; before that nothing has to happen there, and a short-lived client
    /// need not pay for the check.
    static func begin() {
        guard !isBegun.exchange(true, ordering: .relaxed) else { return }
        DispatchQueue.main.setSpecific(key: key, value: true)
    }

    /// False where libdbus must not be called.
    static var isPassed: Bool { !isBegun.load(ordering: .relaxed) || DispatchQueue.getSpecific(key: key) == true }
}
