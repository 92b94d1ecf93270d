/// One play that was long enough to count, as the history lists it.
public struct PlayedTrack: Sendable, Equatable {
    public var track: Track
    /// When it began, in seconds since 1970 by the wall clock: for showing only.
    public var playedAt: Int64
    /// Seconds it sounded.
    public var heard: Double
    public init(track: Track, playedAt: Int64, heard: Double) {
        self.track = track
        self.playedAt = playedAt
        self.heard = heard
    }
}

/// Port: what was heard, on disk, bounded. Returning means durable against kill -9.
public protocol HistoryStore: Sendable {
    /// Lists a play as the newest; returns the number it is known by.
    func addPlay(_ play: PlayedTrack) async throws(Failure) -> Int64
    /// It was heard for longer than told so far.
    func setHeard(_ seconds: Double, of number: Int64) async throws(Failure)
    /// The newest plays, newest first, at most `count`.
    func plays(_ count: Int) async throws(Failure) -> [PlayedTrack]
}
