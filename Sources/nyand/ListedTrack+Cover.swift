import Glibc
import NyanCore

extension ListedTrack {
    /// Without a cover that is not there any more: a cache may be emptied by anybody at any time.
    var withCoverInSight: ListedTrack {
        guard let coverPath, access(coverPath, F_OK) != 0 else { return self }
        var track = self
        track.coverPath = nil
        return track
    }
}
