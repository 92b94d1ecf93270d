/// What a complete reading of the profile changes (DESIGN.md §7: nothing is removed on doubt).
public struct SyncPlan: Sendable, Equatable {
    /// The profile as it is now, in VK's order, each track once.
    public var tracks: [Track]
    /// Ids that were not there before, in VK's order.
    public var added: [TrackID]
    /// Ids that left the profile and are certainly gone.
    public var removed: [TrackID]
    /// How many of `tracks` cannot be played now.
    public var unavailable: Int
    /// Descriptions or order differ from what is stored.
    public var changesAnything: Bool

    public init(
        tracks: [Track], added: [TrackID], removed: [TrackID], unavailable: Int, changesAnything: Bool
    ) {
        self.tracks = tracks
        self.added = added
        self.removed = removed
        self.unavailable = unavailable
        self.changesAnything = changesAnything
    }
}
