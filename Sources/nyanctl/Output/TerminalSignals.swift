import Dispatch

/// The signals a live view listens to, as long as it lives. What they would do to the program is the view's to prevent.
@MainActor final class TerminalSignals {
    private var sources: [any DispatchSourceSignal] = []

    /// Runs `handler` on the main queue whenever the signal comes.
    func on(_ signal: Int32, _ handler: @escaping () -> Void) {
        let source = DispatchSource.makeSignalSource(signal: signal, queue: .main)
        source.setEventHandler(handler: handler)
        sources.append(source)
        source.activate()
    }
}
