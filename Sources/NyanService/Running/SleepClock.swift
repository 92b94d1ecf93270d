import Glibc

/// Port: how long the machine has been awake, and how long it has slept.
public protocol SleepClock {
    /// Since any fixed moment, sleeps not counted.
    var awake: Duration { get }
    /// Since any fixed moment, all sleeps together.
    var asleep: Duration { get }
}

/// Linux has two clocks since the start of the machine; only one of them runs while it sleeps (clock_gettime(2)).
public struct SystemSleepClock: SleepClock {
    public nonisolated init() {}

    public var awake: Duration { read(CLOCK_MONOTONIC) }

    public var asleep: Duration { read(CLOCK_BOOTTIME) - read(CLOCK_MONOTONIC) }

    private func read(_ clock: clockid_t) -> Duration {
        var now = timespec()
        clock_gettime(clock, &now)
        return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
    }
}
