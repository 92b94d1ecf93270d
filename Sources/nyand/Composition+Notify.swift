import NyanCore
import NyanDBus
import NyanService

/// What the desktop is told.
extension Composition {
    /// From now on ended batches of downloads are told where `desktop.notify` is on.
    func watchBatches(on connection: Connection) {
        let notifier = DownloadNotifier(
            DesktopNotifications(connection, log: log), time: time, isOn: settings.notify)
        self.notifier = notifier
        downloads.onBatchEnd = { notifier.batchEnded($0) }
    }
}
