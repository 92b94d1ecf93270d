/// What the engine reports, each with the number of the load it is about.
public enum EngineEvent: Sendable, Equatable {
    /// The load is audible (or would be, were it not paused): after `load`, and at a gapless switch to a staged one.
    case started(LoadNumber)
    /// The sound's true length is known or has changed.
    case lengthKnown(LoadNumber, Duration)
    /// The feed ran dry: the engine holds the clock at this position.
    case hungry(LoadNumber, at: Duration)
    /// Enough bytes came: the clock runs again (if playing) from this position.
    case fed(LoadNumber, at: Duration)
    /// A seek is done; the sound is at this position.
    case seeked(LoadNumber, Duration)
    /// The last sample was heard and nothing was staged.
    case ended(LoadNumber)
    /// The load cannot go on. Comes once per load.
    case failed(LoadNumber, Failure)
    /// Somebody else moved the stream's volume, 0…1.
    case volumeChanged(Double)
    /// The output went away, came back, or was never there.
    case outputChanged(AudioOutput)
}
