public import NyanCore
public import NyanDBus
import NyanWire

/// Tells the bus which downloads changed: at most four times a second, so that a fast line is no flood. The end of all work
/// is told at once: people and scripts wait for it.
public final class DownloadsPublisher {
    private static let pause: Duration = .milliseconds(250)

    private let connection: Connection
    private let downloads: DownloadService
    private let time: any TimeSource
    private let paces: DownloadPaces
    private var isResting = false
    private var isDue = false

    /// `paces`: where the speeds are kept; nil = its own.
    public init(
        connection: Connection, downloads: DownloadService, hub: EventHub, time: any TimeSource,
        paces: DownloadPaces? = nil
    ) {
        self.paces = paces ?? DownloadPaces(time: time)
        self.connection = connection
        self.downloads = downloads
        self.time = time
        hub.subscribe { [weak self] changes in
            if changes.contains(.downloads) { self?.due() }
        }
    }

    private func due() {
        isDue = true
        // Where nothing was said nobody needs a rest from it.
        guard !isResting || downloads.isQuiet, publish(), !isResting else { return }
        isResting = true
        Task.onMain { [self] in
            try? await time.wait(for: Self.pause)
            isResting = false
            if isDue { due() }
        }
    }

    /// - Returns: whether there was anything to tell.
    private func publish() -> Bool {
        isDue = false
        let (changed, removed) = downloads.takeChanges()
        paces.note(changed)
        paces.forget(removed)
        let interface = NyandInterfaces.downloads.name
        if !changed.isEmpty {
            try? connection.emit(
                Names.nyandPath, interface, "Changed", [DownloadCoding.list(changed.map(paces.report))])
        }
        if !removed.isEmpty {
            try? connection.emit(
                Names.nyandPath, interface, "Removed", [.strings(removed.map(\.description))])
        }
        return !changed.isEmpty || !removed.isEmpty
    }
}
