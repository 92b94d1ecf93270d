import NyanCore
import NyanDBus
import NyanWire

/// What the TRACK words of a command stand for.
struct SelectedTracks: Equatable {
    var references: [TrackReference]
    /// Where to start in `references`, for `play`.
    var start = 0

    var busValue: BusValue { .strings(references.map(\.description)) }
}

/// Reads TRACK words: ids, rows of the last listing, and texts where the command only reads or plays.
@MainActor struct TrackWords {
    /// A whole number of a few digits is a row; VK ids have an underscore.
    private static func row(_ word: String) -> Int? {
        guard !word.isEmpty, word.count <= 7, word.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Int(word)
    }

    /// Ids and rows only: for commands that remove or keep something.
    static func exact(_ words: [String], command: String) throws(Ending) -> SelectedTracks {
        let rows = LastListing.recall()
        var references: [TrackReference] = []
        for word in words {
            if let reference = TrackReference(word) {
                references.append(reference)
            } else if let row = row(word) {
                references.append(try reference(row, in: rows))
            } else {
                throw .usage("“\(word)” is neither a track id nor a row number", command: command)
            }
        }
        return SelectedTracks(references: references)
    }

    /// Ids, rows and texts: a text selects the library's matching tracks.
    static func any(_ words: [String], daemon: Daemon) throws(Ending) -> SelectedTracks {
        let rows = LastListing.recall()
        var references: [TrackReference] = []
        for word in words {
            if let reference = TrackReference(word) {
                references.append(reference)
            } else if let row = row(word) {
                references.append(try reference(row, in: rows))
            } else {
                let found = try daemon.ask { client throws(ClientFailure) in
                    try client.listing("Select", [.string(word)])
                }
                references += found.map(\.track.reference)
            }
        }
        return SelectedTracks(references: references)
    }

    /// `play ROW` means the whole listing the row came from, starting there (CONTRACT.md §5 Mini player).
    static func toPlay(_ words: [String], daemon: Daemon) throws(Ending) -> SelectedTracks {
        if words.count == 1, let row = row(words[0]) {
            let rows = LastListing.recall()
            _ = try reference(row, in: rows)
            return SelectedTracks(references: rows, start: row - 1)
        }
        return try any(words, daemon: daemon)
    }

    private static func reference(_ row: Int, in rows: [TrackReference]) throws(Ending) -> TrackReference {
        guard rows.indices.contains(row - 1) else {
            let sentence =
                rows.isEmpty
                ? "there is no row \(row): list something first, such as `nyanctl profile`"
                : "there is no row \(row): the last listing had 1 to \(rows.count)"
            throw .failed(code: Failure.Code.notFound.rawValue, message: sentence, status: 5)
        }
        return rows[row - 1]
    }
}
