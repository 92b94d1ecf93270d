import NyanCore

/// Where a row went when its listing was read anew. A queue may hold one track several times, so that a track's id alone
/// does not tell: what stands before and behind the row tells it apart from its twins.
nonisolated enum RowTrail {
    /// - Parameter old: the row's number in `rows`, from 0.
    /// - Returns: its number in `fresh`; nil where it is gone.
    static func number(of old: Int, in rows: [ListedTrack], after fresh: [ListedTrack]) -> Int? {
        let most = min(rows.count, fresh.count)
        var head = 0
        while head < most, rows[head].track.id == fresh[head].track.id { head += 1 }
        if old < head { return old }
        var tail = 0
        while tail < most - head, rows[rows.count - 1 - tail].track.id == fresh[fresh.count - 1 - tail].track.id {
            tail += 1
        }
        if rows.count - old <= tail { return old + fresh.count - rows.count }
        // It stood where something was changed. Its twins outside of that are others.
        let changed = head..<(fresh.count - tail)
        guard !changed.isEmpty else { return nil }
        let id = rows[old].track.id
        let turn = rows[head..<old].count { $0.track.id == id }
        return nearest(to: old, turn, changed.filter { fresh[$0].track.id == id })
            ?? nearest(to: old, turn, fresh.indices.filter { fresh[$0].track.id == id })
    }

    /// The nearest of the twins; of two as near the one with this turn.
    private static func nearest(to old: Int, _ turn: Int, _ same: [Int]) -> Int? {
        same.indices.min { (abs(same[$0] - old), abs($0 - turn)) < (abs(same[$1] - old), abs($1 - turn)) }
            .map { same[$0] }
    }
}
