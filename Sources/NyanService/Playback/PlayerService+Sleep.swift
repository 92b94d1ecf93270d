import NyanCore

// The machine's sleep, as `SleepWatch` tells it.
extension PlayerService {
    /// Holds the sound if it plays, and returns when queue and position are on disk.
    public func prepareForSleep() async {
        handle(.willSleep)
        saver.save(machine.saved(at: time.now))
        try? await saver.flush()
    }

    /// Goes on where it was if it played; what waits for bytes gets fresh patience.
    public func wake() {
        wokeAt = time.now
        handle(.didWake)
        for load in loads.values { load.woke() }
    }

    /// The process was stopped for so long up to now.
    public func stoodStill(for time: Duration) { handle(.stoodStill(since: self.time.now - time)) }

    /// Whether ticks come, one a second.
    public var isTicking: Bool { state.position.runningSince != nil }

    /// The network may still be on its way after a wake-up.
    var isFreshlyAwake: Bool { wokeAt.map { time.now - $0 < LoadPatience.afterWake } ?? false }
}
