/// Port: which tracks were in the profile once and left it, so that one that returns is not taken for a new one.
public protocol FormerTracks: Sendable {
    /// Those of `ids` that have left the profile.
    func departed(_ ids: [TrackID]) async throws(Failure) -> Set<TrackID>
}
