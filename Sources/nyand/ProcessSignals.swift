import Dispatch
import Glibc
import Synchronization

/// SIGTERM and SIGINT ask to stop, SIGHUP to read the settings again.
///
/// They are heard on a queue of their own and carried out on the main one: a bus or a disk that holds up the main
/// thread must not keep us from ending in time (field-issues.md A10).
final class ProcessSignals {
    /// Seconds from the wish to stop until the end, whatever hangs; a little less than CONTRACT.md §1 allows.
    nonisolated private static let patience = 2.7

    private let queue = DispatchQueue(label: "org.nyantunes.Nyand.signals")
    private let serving = Serving()
    private var sources: [any DispatchSourceSignal] = []

    /// Whether there is anything to be saved before the end.
    private final class Serving: Sendable {
        let hasBegun = Atomic(false)
    }

    init(stop: @escaping @MainActor @Sendable () -> Void, reload: @escaping @MainActor @Sendable () -> Void) {
        // A client that closes its pipe, or a server that resets, is an error to handle, not an end.
        signal(SIGPIPE, SIG_IGN)
        // Nor is a file that met a size limit (`ulimit -f`): the write fails with EFBIG.
        signal(SIGXFSZ, SIG_IGN)
        // Dispatch looks at a source a moment after it was made. Until then a blocked signal stays pending, where an
        // ignored one would be lost and any other would end us. Threads inherit the mask: one of theirs must not take it.
        var blocked = sigset_t()
        sigemptyset(&blocked)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&blocked, number) }
        pthread_sigmask(SIG_BLOCK, &blocked, nil)
        for number in [SIGTERM, SIGINT] {
            watch(number) { [queue, serving] in
                // Before it serves it has changed nothing, and a store that is being opened may be left at any moment.
                guard serving.hasBegun.load(ordering: .acquiring) else { _exit(ExitCode.asked.rawValue) }
                queue.asyncAfter(deadline: .now() + Self.patience) { @Sendable in _exit(ExitCode.asked.rawValue) }
                DispatchQueue.main.async { @MainActor in stop() }
            }
        }
        watch(SIGHUP) { DispatchQueue.main.async { @MainActor in reload() } }
    }

    /// From now on an end is made in order.
    func beganToServe() { serving.hasBegun.store(true, ordering: .releasing) }

    private func watch(_ number: Int32, _ action: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { @Sendable in action() }
        source.activate()
        sources.append(source)
    }
}
