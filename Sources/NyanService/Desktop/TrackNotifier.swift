public import NyanCore
import NyanDBus

/// Tells the desktop what is heard now (`desktop.notify`), as `TrackNoticeMachine` decides. Costs nothing while it is off.
public final class TrackNotifier {
    private let notifications: any Notifications
    private let time: any TimeSource
    private let snapshot: () -> Snapshot
    private var machine = TrackNoticeMachine()
    private var timer: (moment: Duration, task: Task<Void, Never>)?

    /// The setting; what is heard when it is turned on is no news.
    public var isOn = false {
        didSet {
            guard isOn != oldValue else { return }
            take(.setOn(isOn))
            look()
        }
    }

    public init(
        _ notifications: any Notifications, hub: EventHub, time: any TimeSource, snapshot: @escaping () -> Snapshot
    ) {
        self.notifications = notifications
        self.time = time
        self.snapshot = snapshot
        hub.subscribe { [weak self] changes in
            if changes.contains(.playback) { self?.look() }
        }
    }

    private func look() {
        guard isOn else { return }
        let now = snapshot()
        guard now.playback.status != .stopped, let entry = now.playback.currentEntry else { return take(.stopped) }
        guard now.playback.position.runningSince != nil else { return take(.silent) }
        let track = entry.track
        take(
            .heard(
                TrackNoticeMachine.Heard(
                    entry: entry.id, title: track.title, artist: track.artist, album: track.album,
                    picture: now.track?.coverPath)))
    }

    private func take(_ input: TrackNoticeMachine.Input) {
        if let notice = machine.handle(input, at: time.now) { notifications.show(notice) }
        guard timer?.moment != machine.nextMoment else { return }
        timer?.task.cancel()
        timer = machine.nextMoment.map { moment in
            let task = Task.onMain { [weak self, time] in
                do { try await time.wait(for: max(.zero, moment - time.now)) } catch { return }
                self?.timer = nil
                self?.take(.moment)
            }
            return (moment, task)
        }
    }
}
