import NyanCore
import NyanWire

/// The list of downloads as it was told, kept up to date by what changes. A value.
struct DownloadRows {
    private(set) var all: [DownloadReport] = []
    private var places: [TrackID: Int] = [:]

    subscript(id: TrackID) -> DownloadReport? { places[id].map { all[$0] } }

    mutating func set(_ rows: [DownloadReport]) {
        all = rows
        places = Dictionary(rows.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { $1 })
    }

    /// New ones go to the end.
    mutating func take(_ changed: [DownloadReport]) {
        for row in changed {
            if let place = places[row.id] {
                all[place] = row
            } else {
                places[row.id] = all.count
                all.append(row)
            }
        }
    }

    mutating func remove(_ ids: [TrackID]) {
        let gone = Set(ids)
        set(all.filter { !gone.contains($0.id) })
    }

    /// What runs and was not told of for this long has stopped for now: its speed is old.
    mutating func forgetSpeeds(except fresh: Set<TrackID>) {
        for place in all.indices where all[place].speed != nil && !fresh.contains(all[place].id) {
            all[place].speed = nil
        }
    }
}

/// Encoded rows: where one of ten thousand changed, the rest is not encoded again.
struct DownloadDocuments {
    private var texts: [TrackID: (row: DownloadReport, text: String)] = [:]

    /// The same text as of the whole list encoded at once.
    mutating func text(_ rows: [DownloadReport]) -> String {
        var fresh: [TrackID: (row: DownloadReport, text: String)] = [:]
        fresh.reserveCapacity(rows.count)
        let parts = rows.map { row in
            let known = texts[row.id].flatMap { $0.row == row ? $0.text : nil }
            let text = known ?? JSONText.encode(DownloadDocument(row))
            fresh[row.id] = (row, text)
            return text
        }
        texts = fresh
        return "[" + parts.joined(separator: ",") + "]"
    }
}
