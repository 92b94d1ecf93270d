public import NyanCore
import NyanDBus

/// Tells the desktop how a batch of downloads went, if the person wants that (`desktop.notify`).
///
/// At most once in ten seconds: what ends before they are over is told together with what else ends in them, so that
/// a rule's trickle is no shower.
public final class DownloadNotifier {
    static let pause: Duration = .seconds(10)

    private let notifications: any Notifications
    private let time: any TimeSource
    /// What is not told yet.
    private var pending = DownloadBatch(finished: 0, failed: 0)
    private var resting: Task<Void, Never>?
    public var isOn: Bool {
        didSet { if !isOn { pending = DownloadBatch(finished: 0, failed: 0) } }
    }

    public init(_ notifications: any Notifications, time: any TimeSource, isOn: Bool) {
        self.notifications = notifications
        self.time = time
        self.isOn = isOn
    }

    public func batchEnded(_ batch: DownloadBatch) {
        guard isOn else { return }
        pending = pending.joined(with: batch)
        tell()
    }

    private func tell() {
        guard resting == nil, !pending.isEmpty else { return }
        notifications.show(Notice(.downloads, title: pending.title, body: pending.body))
        pending = DownloadBatch(finished: 0, failed: 0)
        resting = Task.onMain { [weak self, time] in
            try? await time.wait(for: Self.pause)
            self?.resting = nil
            self?.tell()
        }
    }
}
