/// The wish that a copy of a track is kept, and how far it is.
public struct Download: Sendable, Equatable, Identifiable {
    /// Raw values are CONTRACT.md's words.
    public enum State: String, Sendable, Codable, CaseIterable {
        /// Legal next: running, paused, cancelled (gone).
        case waiting
        /// Next: waiting (back-off), paused, failed, done, cancelled (gone).
        case running
        /// Next: waiting, cancelled (gone).
        case paused
        /// Next: waiting (retry), cancelled (gone).
        case failed
        /// Its file is in My Music. Next: gone when forgotten.
        case done
    }

    public var id: TrackID
    public var track: Track
    public var state: State
    public var received: Int64
    public var total: Int64?
    public var failure: Failure?
    /// Tries since the last progress; decides the back-off.
    public var attempts: Int
    /// Place in the queue; lower goes first.
    public var order: Int64

    public init(
        track: Track, state: State = .waiting, received: Int64 = 0, total: Int64? = nil, failure: Failure? = nil,
        attempts: Int = 0, order: Int64
    ) {
        id = track.id
        self.track = track
        self.state = state
        self.received = received
        self.total = total
        self.failure = failure
        self.attempts = attempts
        self.order = order
    }
}
