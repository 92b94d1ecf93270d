/// What a listener asks of the sleep timer.
public enum SleepWish: Sendable, Equatable {
    /// Pause after so much time.
    case after(Duration)
    /// Pause where the current track ends; nothing of the next one sounds.
    case endOfTrack

    /// The shortest and the longest time that makes sense.
    public static var range: ClosedRange<Duration> { .seconds(1) ... .seconds(86_400) }
}

/// When playback will pause by itself.
public enum SleepTimer: Sendable, Equatable {
    /// At this monotonic moment, of the same origin as `PlaybackMachine.handle`'s.
    case at(Duration)
    case endOfTrack
}
