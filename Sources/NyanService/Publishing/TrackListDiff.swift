public import NyanCore

/// From one track list to the next: what has to be told (mpris.md §6). Pure.
nonisolated public enum TrackListDiff {
    public enum Change: Sendable, Equatable {
        /// The whole list is another one.
        case replaced
        case removed(EntryID)
        /// `after`: the entry before it by then; nil = it is the first.
        case added(TrackListProjection.Row, after: EntryID?)
        /// The same entry is described otherwise.
        case described(TrackListProjection.Row)
    }

    /// With more single steps than this the list counts as another one.
    public static let mostSteps = 6

    /// Whoever takes the changes in order to `old` has `new` in the end. Each entry is in a list once.
    public static func changes(
        from old: [TrackListProjection.Row], to new: [TrackListProjection.Row]
    ) -> [Change] {
        let before = Dictionary(old.map { ($0.entry.id, $0) }, uniquingKeysWith: { first, _ in first })
        let described = new.filter { row in before[row.entry.id].map { $0 != row } ?? false }.map(Change.described)
        return steps(from: old.map(\.entry.id), to: new) + described
    }

    private static func steps(
        from old: [EntryID], to new: [TrackListProjection.Row]
    ) -> [Change] {
        let ids = new.map(\.entry.id)
        guard ids != old else { return [] }
        let (were, are) = (Set(old), Set(ids))
        let gone = old.filter { !are.contains($0) }
        let staying = old.filter(are.contains)
        let count = gone.count + ids.count - staying.count
        guard !staying.isEmpty, count <= mostSteps, ids.filter(were.contains) == staying else { return [.replaced] }
        var changes = gone.map(Change.removed)
        for (place, row) in new.enumerated() where !were.contains(row.entry.id) {
            changes.append(.added(row, after: place > 0 ? ids[place - 1] : nil))
        }
        return changes
    }
}
