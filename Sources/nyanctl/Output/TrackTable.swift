import NyanCore

/// Listings for people: a row number, artist and title, length and marks, in columns cut to the terminal's width.
enum TrackTable {
    /// Prints a listing and remembers what its rows mean; a JSON listing has no row numbers to remember.
    /// `notes`: what stands between number and name of each row, in ASCII and as wide in all of them.
    @MainActor static func show(
        _ tracks: [ListedTrack], asJSON: Bool, current: Int? = nil, isQueue: Bool = false, notes: [String] = []
    ) {
        if asJSON {
            let documents = tracks.enumerated().map { place, listed in
                isQueue
                    ? TrackDocument(listed, position: place + 1, current: place + 1 == current) : TrackDocument(listed)
            }
            return Terminal.print(JSONText.encode(documents))
        }
        LastListing.remember(tracks.map(\.track.reference))
        var text = ""
        for line in lines(tracks, columns: Terminal.columns, current: current, notes: notes) {
            text += line
            text += "\n"
        }
        Terminal.show(text)
    }

    /// The rows: `  3  Artist – Title     3:34  ↓`, the current one with `>` in front. `columns` is the most a row may
    /// take; nil = as wide as it likes.
    static func lines(
        _ tracks: [ListedTrack], columns: Int?, current: Int? = nil, notes: [String] = []
    ) -> [String] {
        let digits = "\(tracks.count)".count
        let names = tracks.map { name($0.track) }
        let lengths = tracks.map { $0.track.duration > 0 ? TimeText.text(Double($0.track.duration)) : "-" }
        let times = lengths.reduce(4) { max($0, $1.utf8.count) }
        // A mark in front, two gaps, and an arrow behind the time.
        let taken = 1 + digits + 2 + (notes.first.map { $0.utf8.count + 2 } ?? 0) + 2 + times + 3
        let widths = names.map { DisplayText.columns($0) }
        let widest = widths.reduce(0, max)
        let room = min(widest, columns.map { max(leastName, $0 - taken) } ?? mostPadding)
        return tracks.indices.map { place in
            let mark = place + 1 == current ? ">" : " "
            let name = columns == nil ? names[place] : DisplayText.cut(names[place], to: room)
            let gap = blanks(room - (columns == nil ? widths[place] : min(widths[place], room)))
            let marks = marks(tracks[place])
            let line =
                mark + left("\(place + 1)", to: digits) + "  " + (notes.isEmpty ? "" : notes[place] + "  ") + name + gap
                + "  " + left(lengths[place], to: times)
                + (marks.isEmpty ? "" : "  " + marks)
            return columns.map { DisplayText.cut(line, to: $0) } ?? line
        }
    }

    private static let leastName = 8
    /// Into a pipe names are never cut, and those longer than this push their row's rest to the right.
    private static let mostPadding = 60

    /// `Artist – Title` on one line, harmless on a terminal.
    static func name(_ track: Track) -> String {
        // A file has a name and, as far as we know, nobody who made it.
        if track.artist.isEmpty, !track.id.isVKs { return Terminal.printable(track.title) }
        let artist = track.artist.isEmpty ? "Unknown" : track.artist
        let title = track.title.isEmpty ? "Unknown" : track.title
        return Terminal.printable("\(artist) – \(title)")
    }

    /// `↓` kept on disk, `✗` cannot be had now.
    private static func marks(_ listed: ListedTrack) -> String {
        if listed.copyPath != nil { return "↓" }
        if !listed.track.isAvailable {
            return "✗ " + Terminal.printable(listed.track.unavailableReason ?? "unavailable")
        }
        return ""
    }

    /// ASCII text, padded at its left.
    private static func left(_ text: String, to width: Int) -> String { blanks(width - text.utf8.count) + text }

    private static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
