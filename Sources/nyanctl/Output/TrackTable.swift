import NyanCore
import NyanWords

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
            let width = min(widths[place], room)
            var line = place + 1 == current ? ">" : " "
            line.reserveCapacity(names[place].utf8.count + taken + room)
            append(&line, "\(place + 1)", right: digits)
            line += "  "
            if !notes.isEmpty { line += notes[place] + "  " }
            line += columns == nil ? names[place] : DisplayText.cut(names[place], to: room)
            pad(&line, room - width)
            line += "  "
            append(&line, lengths[place], right: times)
            let marks = marks(tracks[place])
            if !marks.isEmpty { line += "  " + marks }
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
        let artist = track.artist.isEmpty ? Words.said("Unknown") : track.artist
        let title = track.title.isEmpty ? Words.said("Unknown") : track.title
        return Terminal.printable(artist + " – " + title)
    }

    /// `↓` kept on disk, `✗` cannot be had now.
    private static func marks(_ listed: ListedTrack) -> String {
        if listed.copyPath != nil { return "↓" }
        if !listed.track.isAvailable {
            return "✗ " + Terminal.printable(Words.said(listed.track.unavailableReason ?? "unavailable"))
        }
        return ""
    }

    /// ASCII text, padded at its left.
    private static func append(_ line: inout String, _ text: String, right width: Int) {
        pad(&line, width - text.utf8.count)
        line += text
    }

    private static let blanks = String(repeating: " ", count: 64)

    private static func pad(_ line: inout String, _ count: Int) {
        var left = count
        while left > 0 {
            line += left >= 64 ? blanks : String(blanks.prefix(left))
            left -= 64
        }
    }
}
