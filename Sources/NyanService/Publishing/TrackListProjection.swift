public import NyanCore
public import NyanDBus
import NyanWire

/// What MPRIS' track list shows of a snapshot: the entries round the current one, in the order of playing (mpris.md §6).
nonisolated public enum TrackListProjection {
    /// One entry with what its metadata is made of. Cheap to make and to compare: the maps are made only when somebody
    /// is to see them.
    public struct Row: Sendable, Equatable {
        public var entry: Entry
        public var length: Duration?
        public var coverPath: String?

        public init(entry: Entry, length: Duration? = nil, coverPath: String? = nil) {
            self.entry = entry
            self.length = length
            self.coverPath = coverPath
        }

        public var path: ObjectPath { MetadataCoding.trackID(of: entry.id) }

        public var metadata: [String: BusValue] {
            MetadataCoding.metadata(of: entry, length: length, coverPath: coverPath)
        }
    }

    /// `coverPath`: where a track's picture is, if that is known already.
    public static func rows(_ snapshot: Snapshot, coverPath: (TrackID) -> String?) -> [Row] {
        snapshot.playback.nearby.map { row(of: $0, in: snapshot, coverPath: coverPath) }
    }

    /// The row of any entry of the queue. The current one's says exactly what `Player.Metadata` says.
    public static func row(
        of entry: Entry, in snapshot: Snapshot, coverPath: (TrackID) -> String?
    ) -> Row {
        guard entry.id == snapshot.playback.current else {
            return Row(entry: entry, length: entry.track.length, coverPath: coverPath(entry.track.id))
        }
        return Row(
            entry: entry, length: snapshot.playback.length ?? entry.track.length,
            coverPath: snapshot.track?.coverPath)
    }

    /// The `mpris:trackid` of the current entry, or NoTrack.
    public static func current(_ snapshot: Snapshot) -> ObjectPath {
        snapshot.playback.current.map { MetadataCoding.trackID(of: $0) } ?? Names.noTrack
    }
}
