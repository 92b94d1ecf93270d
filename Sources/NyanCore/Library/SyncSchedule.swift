/// When the profile is read by itself: in regular pauses, and after a failed call again and again in growing ones.
///
/// A value without clocks. Moments are durations since any fixed moment on a clock that runs on while the machine
/// sleeps, so that an hour asleep is an hour passed, and that no one can set.
public struct SyncSchedule: Sendable, Equatable {
    /// The pause after the first call that came to nothing for want of a network; doubled each time.
    static let firstRetry = Duration.seconds(5)
    static let longestRetry = Duration.seconds(600)
    /// After a sign that the network is back, or that the machine woke: addresses and names take a moment to follow.
    static let settling = Duration.seconds(1)

    /// nil: never by itself (`vk.sync-interval=off`).
    public let interval: Duration?
    /// When the next one is due; nil: never.
    public private(set) var due: Duration?
    /// The last one met no network: it is made up for as soon as there is one.
    public private(set) var isMissed = false
    private var retries = 0

    public init(interval: Duration?, firstAfter first: Duration, at now: Duration) {
        self.interval = interval
        due = interval.map { _ in now + first }
    }

    /// A sync ended, whoever asked for it; nil: well.
    public mutating func ended(_ failure: Failure?, at now: Duration) {
        guard let interval else { return }
        guard failure?.code == .network || failure?.code == .timeout else {
            isMissed = false
            retries = 0
            // Stopped by offline mode or another login: what comes after that decides.
            if failure?.code == .cancelled || failure?.code == .offline { isMissed = true }
            due = now + interval
            return
        }
        isMissed = true
        let pause = Self.firstRetry * (1 << min(retries, 8))
        retries += 1
        due = now + min(pause, min(Self.longestRetry, interval))
    }

    /// The network may be there again, or calls are allowed again: what was missed is made up for.
    public mutating func mayGoOn(at now: Duration) {
        guard let due, isMissed else { return }
        retries = 0
        self.due = min(due, now + Self.settling)
    }

    /// The machine woke: what became due in its sleep is done when the network has had its moment.
    public mutating func woke(at now: Duration) {
        guard let due, due < now + Self.settling else { return }
        self.due = now + Self.settling
    }
}
