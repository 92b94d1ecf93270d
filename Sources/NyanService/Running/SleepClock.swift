import Glibc

/// Port: how long the machine has slept.
public protocol SleepClock {
    /// Since any fixed moment, all sleeps together.
    var asleep: Duration { get }
}

/// Linux has two clocks since the start of the machine; only one of them runs while it sleeps (clock_gettime(2)).
public struct SystemSleepClock: SleepClock {
    public nonisolated init() {}

    public var asleep: Duration { read(CLOCK_BOOTTIME) - read(CLOCK_MONOTONIC) }

    private func read(_ clock: clockid_t) -> Duration {
        var now = timespec()
        clock_gettime(clock, &now)
        return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
    }
}
