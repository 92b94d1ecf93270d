internal import Dispatch
internal import Synchronization

/// One call that may not return for a long time, or never, because a sound server does not answer: it is made on a queue
/// of its own, and the main actor waits for a moment only.
nonisolated enum Errand {
    /// What is sent off takes 1–4 ms as a rule; a listener notices more than this, and nothing on the bus may wait longer.
    static let patience: DispatchTimeInterval = .milliseconds(250)

    private enum Fate { case running, done, givenUp }

    /// Does `work` on `queue`.
    /// `whenLate` is called on the main actor once the work is done after all, if it was not done in time.
    /// - Returns: whether it was done in time.
    @MainActor static func run(
        on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void,
        whenLate: @escaping @MainActor @Sendable () -> Void
    ) -> Bool {
        let errand = Box()
        queue.async {
            work()
            let wasGivenUp = errand.fate.withLock { fate in
                defer { if fate == .running { fate = .done } }
                return fate == .givenUp
            }
            errand.isDone.signal()
            if wasGivenUp { DispatchQueue.main.async { MainActor.assumeIsolated { whenLate() } } }
        }
        if errand.isDone.wait(timeout: .now() + patience) == .success { return true }
        return errand.fate.withLock { fate in
            if fate == .running { fate = .givenUp }
            return fate == .done
        }
    }

    private final class Box: Sendable {
        let fate = Mutex(Fate.running)
        let isDone = DispatchSemaphore(value: 0)
    }
}
