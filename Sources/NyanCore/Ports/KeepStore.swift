/// Port: which lists are always offline, and what their rules brought, on disk. Returning means durable.
public protocol KeepStore: Sendable {
    /// The rules that hold, the profile's first, without their counts.
    func keepRules() async throws(Failure) -> [KeepRule]
    /// Begins or ends a rule. The playlist must be known (`PlaylistStore.setDescription`).
    func setKept(_ list: KeptList, _ isKept: Bool) async throws(Failure)
    /// The list as it was read last, in its order; nil = it was never read.
    func keptTracks(of list: KeptList) async throws(Failure) -> [KeptTrack]?
    /// What the person took away of this list's tracks may come again.
    func takeBack(_ list: KeptList) async throws(Failure)
    /// Notes which tracks a rule brings.
    func mark(_ ids: [TrackID], by list: KeptList) async throws(Failure)
    /// The rule no longer counts as having brought these.
    func unmark(_ ids: [TrackID], by list: KeptList) async throws(Failure)
    /// What this rule brought, also after its end.
    func brought(by list: KeptList) async throws(Failure) -> [BroughtTrack]
    /// The person wishes for these himself: they belong to no rule any more.
    func wished(_ ids: [TrackID]) async throws(Failure)
    /// The person took these away: those that a rule would bring are never brought again by one.
    func declined(_ ids: [TrackID]) async throws(Failure)
}
