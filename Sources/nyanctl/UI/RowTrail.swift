import NyanCore

/// Where a row went when its listing was read anew. A queue may hold one track several times, so that a track's id alone
/// does not tell: what stands before and behind the row tells it apart from its twins.
nonisolated enum RowTrail {
    /// The number in `fresh` of a row that has the number `old` in `rows`, both from 0; nil where it is gone.
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
        let same = fresh.indices.filter { fresh[$0].track.id == rows[old].track.id }
        return nearest(to: old, in: rows, same.filter(changed.contains), fresh)
            ?? nearest(to: old, in: rows, same, fresh)
    }

    /// The nearest of the twins; of two as near the one with the row's neighbours.
    private static func nearest(
        to old: Int, in rows: [ListedTrack], _ same: [Int], _ fresh: [ListedTrack]
    ) -> Int? {
        func strangers(_ place: Int) -> Int {
            [-1, 1].count { step in
                let isThere = (rows.indices.contains(old + step), fresh.indices.contains(place + step))
                guard isThere.0, isThere.1 else { return isThere.0 != isThere.1 }
                return rows[old + step].track.id != fresh[place + step].track.id
            }
        }
        return same.min { (abs($0 - old), strangers($0)) < (abs($1 - old), strangers($1)) }
    }
}
