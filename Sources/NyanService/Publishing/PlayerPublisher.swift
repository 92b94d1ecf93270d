import NyanCore
public import NyanDBus
import NyanWire

/// Tells the bus what changed: one projection, one diff, one signal per turn (DESIGN.md §1), then
/// where the position jumped to.
public final class PlayerPublisher {
    private let connection: Connection
    private let snapshot: () -> Snapshot
    private let takeJump: () -> Duration?
    private let trackList: TrackListPublisher?
    private var told: [String: BusValue]
    private var toldStatus: StatusReport
    /// By its moment: the seconds that are left differ all the time.
    private var toldSleepTimer: SleepTimer?

    public init(
        connection: Connection, hub: EventHub, trackList: TrackListPublisher? = nil,
        snapshot: @escaping () -> Snapshot, takeJump: @escaping () -> Duration?
    ) {
        self.trackList = trackList
        self.connection = connection
        self.snapshot = snapshot
        self.takeJump = takeJump
        let now = snapshot()
        told = MPRISProjection.told(now)
        toldStatus = StatusProjection.report(now)
        toldSleepTimer = now.playback.sleepTimer
        hub.subscribe { [weak self] changes in
            // Downloads make the most noise, and nothing of it is the player's.
            if changes != .downloads { self?.publish() }
        }
    }

    private func publish() {
        let now = snapshot()
        let next = MPRISProjection.told(now)
        let changed = next.filter { told[$0.key] != $0.value }
        told = next
        let jump = takeJump()
        // First, so that the entry that the player names next is in the list by then.
        trackList?.publish(now)
        // A closed bus hears nothing; the daemon learns of that by `onDisconnect`.
        try? connection.emitPropertiesChanged(Names.mprisPath, PlayerInterface.name, changed)
        if let jump {
            let position = MetadataCoding.microseconds(jump)
            try? connection.emit(Names.mprisPath, PlayerInterface.name, "Seeked", [.int64(position)])
        }
        let isNews = jump != nil || toldSleepTimer != now.playback.sleepTimer
        toldSleepTimer = now.playback.sleepTimer
        publishStatus(StatusProjection.report(now), isNews: isNews)
    }

    /// One line for followers per change that a person would see: the clock's own running is none, nor is a percent
    /// more of the buffer.
    private func publishStatus(_ report: StatusReport, isNews: Bool) {
        guard isNews || comparable(report) != comparable(toldStatus) else { return }
        toldStatus = report
        try? connection.emit(
            Names.nyandPath, NyandInterfaces.player.name, "StatusChanged", [report.busValue])
    }

    private func comparable(_ report: StatusReport) -> StatusReport {
        var report = report
        report.position = 0
        report.sleepTimer = nil
        report.buffered = report.buffered.map { $0 >= 1 ? 1 : 0 }
        return report
    }
}
