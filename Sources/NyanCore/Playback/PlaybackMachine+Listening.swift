extension PlaybackMachine {
    /// The tracks a listener hears now and next, as far as the order tells: what is wanted most. None
    /// while it is stopped.
    public var listening: [TrackID] {
        guard state.status != .stopped, let current = state.currentEntry else { return [] }
        // A copy: where a new round would be drawn, what is next is not known yet, and a guess does no harm.
        var order = order
        let next = order.ahead(1).first.flatMap { queue[$0] }
        return [current.track.id] + (next.map { [$0.track.id] } ?? [])
    }
}
