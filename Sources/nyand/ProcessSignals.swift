import Dispatch
import Glibc

/// SIGTERM and SIGINT ask to stop, SIGHUP to read the settings again. Delivered on the main queue.
final class ProcessSignals {
    private var sources: [any DispatchSourceSignal] = []

    init(stop: @escaping () -> Void, reload: @escaping () -> Void) {
        // A client that closes its pipe, or a server that resets, is an error to handle, not an end.
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGTERM, SIGINT] { watch(number, stop) }
        watch(SIGHUP, reload)
    }

    private func watch(_ number: Int32, _ action: @escaping () -> Void) {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
        source.setEventHandler { action() }
        source.activate()
        sources.append(source)
    }
}
