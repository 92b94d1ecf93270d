public import NyanCore
public import NyanDBus
import NyanWire

/// Tells the bus how the track list changed: the difference between two projections, at most one of them per turn.
/// Works as a part of `PlayerPublisher`, so that both tell of the same snapshot.
public final class TrackListPublisher {
    private let connection: Connection
    private let coverPath: (TrackID) -> String?
    private var told: [TrackListProjection.Row]

    /// `told`: what the bus can know already.
    public init(connection: Connection, told snapshot: Snapshot, coverPath: @escaping (TrackID) -> String?) {
        self.connection = connection
        self.coverPath = coverPath
        told = TrackListProjection.rows(snapshot, coverPath: coverPath)
    }

    func publish(_ snapshot: Snapshot) {
        let rows = TrackListProjection.rows(snapshot, coverPath: coverPath)
        guard rows != told else { return }
        let changes = TrackListDiff.changes(from: told, to: rows)
        let isOther = rows.map(\.entry.id) != told.map(\.entry.id)
        told = rows
        for change in changes { emit(change, snapshot) }
        // Only named, as the specification wants it: whoever cares asks for the value.
        if isOther {
            try? connection.emitPropertiesChanged(
                Names.mprisPath, TrackListInterface.name, [:], invalidated: ["Tracks"])
        }
    }

    private func emit(_ change: TrackListDiff.Change, _ snapshot: Snapshot) {
        switch change {
        case .replaced:
            emit(
                "TrackListReplaced",
                [.objectPaths(told.map(\.path)), .objectPath(TrackListProjection.current(snapshot))])
        case .removed(let entry): emit("TrackRemoved", [.objectPath(MetadataCoding.trackID(of: entry))])
        case .added(let row, let entry):
            let after = entry.map { MetadataCoding.trackID(of: $0) } ?? Names.noTrack
            emit("TrackAdded", [.dictionary(row.metadata), .objectPath(after)])
        case .described(let row):
            emit("TrackMetadataChanged", [.objectPath(row.path), .dictionary(row.metadata)])
        }
    }

    private func emit(_ signal: String, _ values: [BusValue]) {
        // A closed bus hears nothing; the daemon learns of that by `onDisconnect`.
        try? connection.emit(Names.mprisPath, TrackListInterface.name, signal, .values(values))
    }
}
