import CDBus
import Dispatch
import Glibc

/// libdbus' file descriptors on the Dispatch main queue.
///
/// libdbus switches its write watch on and off around every message it sends, nearly always within one call. So a
/// toggle only notes that something changed, and `reconcile()`, called at the end of every turn, makes sources for
/// watches that are still enabled. Each source has its own duplicate of the descriptor: Dispatch on Linux loses events
/// of a descriptor number that is reused after a cancel (swift-facts.md §2.3).
final class MainQueueWatches {
    private var sources: [OpaquePointer: any DispatchSourceProtocol] = [:]
    private var watches: Set<OpaquePointer> = []
    private var changed = false
    private var triesAgain = false
    /// Whether a watch is being handled, after which `afterTurn` comes.
    private(set) var isHandling = false
    /// Called after a watch was handled.
    private let afterTurn: () -> Void

    init(afterTurn: @escaping () -> Void) { self.afterTurn = afterTurn }

    func add(_ watch: OpaquePointer) {
        watches.insert(watch)
        changed = true
    }

    func remove(_ watch: OpaquePointer) {
        watches.remove(watch)
        sources.removeValue(forKey: watch)?.cancel()
    }

    func toggled(_ watch: OpaquePointer) {
        changed = true
        // The read watch goes off when too many received bytes are kept, and comes back when some message is given
        // back: at any time, not in a turn of ours.
        guard dbus_watch_get_flags(watch) & Self.readable != 0 else { return }
        DispatchQueue.main.async { [weak self] in self?.reconcile() }
    }

    /// Makes the sources match the enabled watches.
    func reconcile() {
        guard changed else { return }
        changed = false
        for watch in watches {
            let isEnabled = dbus_watch_get_enabled(watch) != 0
            if isEnabled, sources[watch] == nil {
                sources[watch] = makeSource(for: watch)
                if sources[watch] == nil { tryAgain() }
            } else if !isEnabled {
                sources.removeValue(forKey: watch)?.cancel()
            }
        }
    }

    /// The process may have no descriptor to spare just now, and libdbus does not ask twice.
    private func tryAgain() {
        changed = true
        guard !triesAgain else { return }
        triesAgain = true
        DispatchQueue.main.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
            self?.triesAgain = false
            self?.reconcile()
        }
    }

    func cancelAll() {
        for source in sources.values { source.cancel() }
        sources = [:]
        watches = []
    }

    private func makeSource(for watch: OpaquePointer) -> (any DispatchSourceProtocol)? {
        let descriptor = fcntl(dbus_watch_get_unix_fd(watch), F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        let writes = dbus_watch_get_flags(watch) & Self.writable != 0
        let source: any DispatchSourceProtocol =
            if writes {
                DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: .main)
            } else {
                DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
            }
        source.setEventHandler { [weak self] in self?.handle(watch, writes ? Self.writable : Self.readable) }
        source.setCancelHandler { @Sendable in _ = close(descriptor) }
        source.activate()
        return source
    }

    /// libdbus reads 2 KB at a time and then wants to be asked again. Asking it here while there is more spares a
    /// round through Dispatch for each; the limit keeps other work on the queue alive during long messages.
    private func handle(_ watch: OpaquePointer, _ flags: UInt32) {
        var left = Self.piecesPerTurn
        isHandling = true
        // The first test is for an event that was under way when its watch went.
        while sources[watch] != nil, left > 0 {
            dbus_watch_handle(watch, flags)
            left -= 1
            guard watches.contains(watch), dbus_watch_get_enabled(watch) != 0 else { break }
            var ready = pollfd(
                fd: dbus_watch_get_unix_fd(watch), events: Int16(flags == Self.writable ? POLLOUT : POLLIN), revents: 0)
            guard poll(&ready, 1, 0) > 0 else { break }
        }
        isHandling = false
        afterTurn()
    }

    private static let piecesPerTurn = 128

    // DBUS_WATCH_READABLE and DBUS_WATCH_WRITABLE.
    private static let readable: UInt32 = 1
    private static let writable: UInt32 = 2
}
