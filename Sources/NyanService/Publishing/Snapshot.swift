public import NyanCore

/// Everything a reader outside may see at one instant.
public struct Snapshot: Sendable, Equatable {
    public var playback: PlaybackState
    /// The position at this instant.
    public var position: Duration
    /// The current track as it is listed: cover, copy, whether it is in the profile.
    public var track: ListedTrack?
    /// How much of the current track is on disk, 0…1; nil where nothing is loaded.
    public var buffered: Double?
    public var isOnline: Bool
    public var isOfflineMode: Bool
    public var isSignedIn: Bool
    /// The first thing wrong that a person should know.
    public var problem: Failure?
    /// How long it is until the sleep timer is due; nil where it has no moment.
    public var sleepLeft: Duration?

    public nonisolated init(
        playback: PlaybackState, position: Duration = .zero, track: ListedTrack? = nil, buffered: Double? = nil,
        isOnline: Bool = true, isOfflineMode: Bool = false, isSignedIn: Bool = false, problem: Failure? = nil,
        sleepLeft: Duration? = nil
    ) {
        self.playback = playback
        self.position = position
        self.track = track
        self.buffered = buffered
        self.isOnline = isOnline
        self.isOfflineMode = isOfflineMode
        self.isSignedIn = isSignedIn
        self.problem = problem
        self.sleepLeft = sleepLeft
    }
}
