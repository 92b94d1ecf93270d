import NyanCore

/// Listings for people: a row number, artist and title, length and marks, in columns cut to the terminal's width.
enum TrackTable {
    /// Prints a listing and remembers what its rows mean.
    @MainActor static func show(_ tracks: [ListedTrack], asJSON: Bool, current: Int? = nil, isQueue: Bool = false) {
        if asJSON {
            let documents = tracks.enumerated().map { place, listed in
                isQueue
                    ? TrackDocument(listed, position: place + 1, current: place + 1 == current) : TrackDocument(listed)
            }
            Terminal.print(JSONText.encode(documents))
            return
        }
        // Queue positions are the queue's own numbers; rows of other listings are for the next command.
        LastListing.remember(tracks.map(\.track.reference))
        let lines = tracks.enumerated().map { place, listed in
            line(listed, number: place + 1, of: tracks.count, isCurrent: place + 1 == current)
        }
        if !lines.isEmpty { Terminal.show(lines.map { $0 + "\n" }.joined()) }
    }

    /// One row: `  3  Artist – Title          3:34  ↓`.
    static func line(_ listed: ListedTrack, number: Int, of count: Int, isCurrent: Bool) -> String {
        let digits = "\(count)".count
        let mark = isCurrent ? ">" : " "
        let place = pad("\(number)", to: digits, left: true)
        let length = listed.track.duration > 0 ? TimeText.text(Double(listed.track.duration)) : "–"
        let tail = "  \(pad(length, to: 5, left: true))  \(marks(listed))"
        let name = self.name(listed.track)
        guard let columns = Terminal.columns else { return "\(mark)\(place)  \(name)\(tail)".trimmedEnd }
        let room = max(10, columns - digits - 3 - DisplayText.width(tail) - 1)
        let cut = DisplayText.cut(name, to: room)
        let gap = String(repeating: " ", count: max(0, room - DisplayText.width(cut)))
        return "\(mark)\(place)  \(cut)\(gap)\(tail)".trimmedEnd
    }

    static func name(_ track: Track) -> String {
        let artist = track.artist.isEmpty ? "Unknown" : track.artist
        let title = track.title.isEmpty ? "Unknown" : track.title
        return Terminal.printable("\(artist) – \(title)")
    }

    /// `↓` kept on disk, `✗` cannot be had now.
    private static func marks(_ listed: ListedTrack) -> String {
        if listed.copyPath != nil { return "↓" }
        if !listed.track.isAvailable { return "✗ \(listed.track.unavailableReason ?? "unavailable")" }
        return ""
    }

    private static func pad(_ text: String, to width: Int, left: Bool) -> String {
        let gap = String(repeating: " ", count: max(0, width - DisplayText.width(text)))
        return left ? gap + text : text + gap
    }
}

extension String {
    /// Without trailing spaces, so that a pipe gets none.
    fileprivate var trimmedEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
