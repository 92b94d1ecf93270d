/// What is to sound: the bytes, and what is known about them beforehand.
public struct Sound: Sendable {
    public var bytes: any ByteSource
    /// VK's length, until the truth is known.
    public var expectedLength: Duration?
    /// What was measured, where the bytes carry no ReplayGain tags of their own.
    public var loudness: Loudness?
    public init(bytes: any ByteSource, expectedLength: Duration?, loudness: Loudness? = nil) {
        self.bytes = bytes
        self.expectedLength = expectedLength
        self.loudness = loudness
    }
}

/// Port: makes sound of bytes. Decides nothing about what comes next.
///
/// Calls return at once; results come as events on the main actor, each with its load number. The volume holds from the
/// first buffer on. A seek or `unstage` that comes after the staged load was already handed over reloads the current one.
@MainActor public protocol AudioEngine: AnyObject {
    var onEvent: (@MainActor (EngineEvent) -> Void)? { get set }
    /// The feed of a load ran dry at this byte offset: whoever fetches should go on there first.
    var onWant: (@MainActor (LoadNumber, Int64) -> Void)? { get set }
    /// Starts `sound` at `position`, replacing whatever sounds.
    func load(_ load: LoadNumber, _ sound: Sound, at position: Duration, playing: Bool)
    /// Joins `sound` gaplessly to the end of the current one; replaces an earlier staged one.
    func stage(_ load: LoadNumber, _ sound: Sound)
    func unstage()
    func setPlaying(_ playing: Bool)
    func seek(to position: Duration)
    /// Ends the sound and gives the output back.
    func stop()
    /// Looks for an output once a second until there is one, which is told as `outputChanged`, or until the next `load` or
    /// `stop`.
    func awaitOutput()
    /// 0…1, linear as MPRIS means it; kept for every later load.
    func setVolume(_ volume: Double)
    /// Brings the sound down to silence within so much time, whatever plays; never louder, and the volume stays as set.
    func fadeOut(over time: Duration)
    /// The sound is at the volume that is set, from now on.
    func endFade()
    /// The position of the load that sounds, asked of the pipeline now; nil when it cannot say.
    func position() -> (load: LoadNumber, position: Duration)?
}
