import NyanCore

/// What was changed in the profile while it was read: a list that was read before a change must not undo it here.
final class ProfileChangeLog {
    enum Change: Sendable, Equatable {
        case added(Track)
        case removed(TrackID)
    }

    /// Changes are told apart by their number, from 1.
    private var changes: [(number: Int, change: Change)] = []
    private(set) var mark = 0
    /// Called by whoever made a change, once the library has what was added.
    var onChange: () -> Void = {}
    /// Far more than anybody changes during one reading.
    private static let most = 2_000

    func note(_ change: Change) {
        mark += 1
        changes.append((mark, change))
        if changes.count > Self.most { changes.removeFirst(changes.count - Self.most) }
    }

    /// The plan as it is after the changes made since `mark`: added tracks stand first, removed ones are gone.
    func rebase(_ plan: SyncPlan, since mark: Int) -> SyncPlan {
        var plan = plan
        for (number, change) in changes where number > mark {
            switch change {
            case .added(let track):
                plan.removed.removeAll { $0 == track.id }
                if !plan.tracks.contains(where: { $0.id == track.id }) { plan.tracks.insert(track, at: 0) }
            case .removed(let id):
                plan.added.removeAll { $0 == id }
                plan.tracks.removeAll { $0.id == id }
            }
            plan.changesAnything = true
        }
        return plan
    }
}
