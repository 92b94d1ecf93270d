import Dispatch

/// Where a database's actor runs: a serial queue of its own. The pool that actors share otherwise is meant for work that
/// never waits for a disk, and, once used, makes libdispatch look after it every second until the process ends.
final class DatabaseQueue: SerialExecutor {
    private let queue: DispatchQueue

    /// `name`: of the database, for debuggers.
    init(_ name: String) { queue = DispatchQueue(label: "org.nyantunes.Nyand.\(name)") }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}
