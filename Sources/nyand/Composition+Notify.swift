import NyanCore
import NyanDBus
import NyanService

/// What the desktop is told, and what is asked of it.
extension Composition {
    /// From now on ended batches of downloads and new tracks are told where `desktop.notify` is on, and the machine is kept
    /// awake where `desktop.inhibit-sleep` is.
    func watchDesktop(on connection: Connection) {
        let notifications = DesktopNotifications(connection, log: log)
        let notifier = DownloadNotifier(notifications, time: time, isOn: settings.notify)
        self.notifier = notifier
        downloads.onBatchEnd = { notifier.batchEnded($0) }
        trackNotifier = TrackNotifier(notifications, hub: hub, time: time) { [unowned self] in snapshot() }
        hub.subscribe { [weak self] in if $0.contains(.playback) { self?.blockSleep() } }
        useDesktopSettings()
    }

    /// Called again when the settings were read anew.
    func useDesktopSettings() {
        notifier?.isOn = settings.notify
        trackNotifier?.isOn = settings.notify
        blockSleep()
    }

    /// While something is to be heard: also while bytes are waited for, which `LoadPatience` bounds, but not without an
    /// output, which may never come (decision 0027).
    private func blockSleep() {
        let state = player.state
        let wanted = settings.inhibitSleep && state.status == .playing && state.output == .ok
        guard wanted || sleepBlock != nil else { return }
        let block = sleepBlock ?? SleepBlock(log: log)
        sleepBlock = settings.inhibitSleep ? block : nil
        block.setWanted(wanted)
    }
}
