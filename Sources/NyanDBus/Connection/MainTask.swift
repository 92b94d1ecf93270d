import Dispatch

/// Where a task goes on after a wait: the main queue.
///
/// Swift resumes whoever waited on its own pool of threads first, whatever actor they are on (6.3: `SerialExecutorRef`
/// of a continuation is generic), and once that pool was used libdispatch looks after it every second until the
/// process ends. A task that prefers this executor never sees the pool, and saves two thread switches a wait.
private nonisolated final class MainQueue: TaskExecutor {
    static let shared = MainQueue()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue.main.async { [self] in
            // The main queue is the main actor's, so that it need not be entered again.
            job.runSynchronously(
                isolatedTo: MainActor.sharedUnownedExecutor, taskExecutor: asUnownedTaskExecutor())
        }
    }
}

extension Task where Success: Sendable, Failure == Never {
    /// Begins a task of the main actor that never leaves the main queue except for actors of another executor. The
    /// program's tasks are all begun by this, so that it does not wake up while it has nothing to do.
    @discardableResult
    public nonisolated static func onMain(_ operation: @escaping @MainActor () async -> Success) -> Task {
        Task(executorPreference: MainQueue.shared, operation: operation)
    }
}
