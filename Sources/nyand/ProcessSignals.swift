import Dispatch
import Glibc

/// SIGTERM and SIGINT ask to stop, SIGHUP to read the settings again. Delivered on the main queue; those that come
/// before it runs wait for it.
final class ProcessSignals {
    private var sources: [any DispatchSourceSignal] = []

    init(stop: @escaping () -> Void, reload: @escaping () -> Void) {
        // A client that closes its pipe, or a server that resets, is an error to handle, not an end.
        signal(SIGPIPE, SIG_IGN)
        // Nor is a file that met a size limit (`ulimit -f`): the write fails with EFBIG.
        signal(SIGXFSZ, SIG_IGN)
        // Dispatch looks at a source only once the main queue runs. Until then a blocked signal stays pending, where an
        // ignored one would be lost and any other would end us. Threads inherit the mask: one of theirs must not take it.
        var blocked = sigset_t()
        sigemptyset(&blocked)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&blocked, number) }
        pthread_sigmask(SIG_BLOCK, &blocked, nil)
        for number in [SIGTERM, SIGINT] { watch(number, stop) }
        watch(SIGHUP, reload)
    }

    private func watch(_ number: Int32, _ action: @escaping () -> Void) {
        let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
        source.setEventHandler { action() }
        source.activate()
        sources.append(source)
    }
}
