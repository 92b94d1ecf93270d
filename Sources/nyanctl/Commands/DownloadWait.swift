import NyanCore
import NyanWire

/// What has become of the downloads that `download --wait` waits for. A value: rows in, the end out.
struct DownloadWait {
    /// One for each wanted track, in the order they were named.
    private(set) var rows: [DownloadReport]
    private var places: [TrackID: Int] = [:]

    init(_ rows: [DownloadReport]) {
        self.rows = rows
        for (place, row) in rows.enumerated() { places[row.id] = place }
    }

    /// A paused one is not over: somebody may let it go on. One that waits for room on the disk is: it may be for ever.
    var isOver: Bool { rows.allSatisfy { $0.state == .done || Self.isBad($0) } }
    var failed: [DownloadReport] { rows.filter(Self.isBad) }

    private static func isBad(_ row: DownloadReport) -> Bool {
        let place = [Failure.Code.diskFull, .fileAccess].map(\.rawValue)
        return row.state == .failed || row.state == .waiting && row.problem.map { place.contains($0.code) } == true
    }

    /// Takes changed rows over; those of other tracks are ignored.
    mutating func take(_ changed: [DownloadReport]) {
        for row in changed { if let place = places[row.id] { rows[place] = row } }
    }

    /// Those that left the list were cancelled, unless they were done: then their file was deleted afterwards.
    mutating func remove(_ ids: [TrackID]) {
        for place in ids.compactMap({ places[$0] }) where rows[place].state != .done {
            rows[place].state = .failed
            rows[place].problem = .init(code: Failure.Code.cancelled.rawValue, message: "it was cancelled")
        }
    }
}

extension DownloadWait {
    /// The downloads of these tracks. One without a row is in My Music, or was never queued.
    init(_ wanted: [TrackID], listed: [DownloadReport], music: [TrackID: ListedTrack]) {
        let known = Dictionary(listed.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        var seen: Set<TrackID> = []
        self.init(
            wanted.filter { seen.insert($0).inserted }.map { id in
                if let row = known[id] { return row }
                if let track = music[id]?.track {
                    return DownloadReport(id: id, artist: track.artist, title: track.title, state: .done)
                }
                return DownloadReport(
                    id: id, artist: "", title: "", state: .failed,
                    problem: .init(
                        code: Failure.Code.unavailableTrack.rawValue,
                        message: "it was not queued: VK gives no sound for it now, or it was cancelled"))
            })
    }
}
