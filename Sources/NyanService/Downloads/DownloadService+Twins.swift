public import NyanCore

// One recording under several ids is fetched and kept once.
extension DownloadService {
    /// The ids under which these tracks are kept or being fetched: a twin's where it is not the track's own.
    public func standing(for ids: [TrackID]) async throws(Failure) -> [TrackID] {
        var found: [TrackID] = []
        for id in ids {
            if machine[id] != nil {
                found.append(id)
            } else if let copy = try await library.copy(of: id) {
                found.append(copy.id)
            } else {
                found.append(try await twins(id).first { machine[$0] != nil } ?? id)
            }
        }
        return found
    }

    func allTwins(of ids: [TrackID]) async throws(Failure) -> [TrackID: [TrackID]] {
        if let twinsAmong { return try await twinsAmong(ids) }
        var all: [TrackID: [TrackID]] = [:]
        for id in ids { all[id] = try await twins(id) }
        return all
    }

}

/// Whether a track is on its way under another of its recording's ids.
struct Coming {
    let twins: [TrackID: [TrackID]]
    private var wanted: Set<TrackID> = []

    init(twins: [TrackID: [TrackID]]) { self.twins = twins }

    mutating func add(_ id: TrackID) { wanted.insert(id) }

    func has(_ id: TrackID, _ machine: DownloadMachine) -> Bool {
        twins[id, default: []].contains { twin in
            twin != id && (machine[twin]?.state.isUnderWay == true || wanted.contains(twin))
        }
    }
}
