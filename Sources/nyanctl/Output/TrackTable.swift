import NyanCore
import NyanWords

/// Listings for people: a row number, artist and title, length and marks, in columns cut to the terminal's width.
enum TrackTable {
    /// Prints a listing and remembers what its rows mean; a JSON listing has no row numbers to remember.
    /// `notes`: what stands between number and name of each row, as wide in all of them. `daemon` is asked what goes on
    /// with the tracks. `copies`: tell of the files.
    @MainActor static func show(
        _ tracks: [ListedTrack], asJSON: Bool, current: Int? = nil, isQueue: Bool = false, notes: [String] = [],
        daemon: Daemon? = nil, copies: Bool = false
    ) {
        if asJSON {
            let documents = tracks.enumerated().map { place, listed in
                isQueue
                    ? TrackDocument(listed, position: place + 1, current: place + 1 == current) : TrackDocument(listed)
            }
            return Terminal.print(JSONText.encode(documents))
        }
        LastListing.remember(tracks.map(\.track.reference))
        var marks = tracks.isEmpty ? TrackMarks() : TrackMarks.now(daemon)
        // The same track may stand in the queue twice; its place says which one sounds.
        if isQueue { marks.current = nil }
        Pager.show(
            lines(
                tracks, columns: Terminal.columns, current: current, notes: notes, marks: marks,
                copies: copies ? tracks.map { CopyText($0) } : []))
    }

    /// The rows: `  3  Artist – Title     3:34  ↓`, the current one with `>` in front. `columns` is the most a row may
    /// take; nil = as wide as it likes. `copies`: none, or one for each row; their columns give way to the names.
    static func lines(
        _ tracks: [ListedTrack], columns: Int?, current: Int? = nil, notes: [String] = [],
        marks: TrackMarks = TrackMarks(), copies: [CopyText] = []
    ) -> [String] {
        let digits = "\(tracks.count)".count
        let isNarrow = columns.map { $0 < leastForTimes } ?? false
        let (names, widths, lengths, ends, isAnyExplicit) = cells(tracks, marks)
        var times = isNarrow ? 0 : 4
        if !isNarrow { for length in lengths { times = max(times, length.utf8.count) } }
        let hasExplicit = !isNarrow && isAnyExplicit
        // A mark in front, gaps, and what stands behind the time.
        var taken = 1 + digits + 2 + (notes.first.map { DisplayText.columns($0) + 2 } ?? 0)
        taken += (isNarrow ? 0 : 2 + times) + (hasExplicit ? 2 : 0) + 2 + endWidth(ends, columns)
        let widest = widths.reduce(0, max)
        let details = details(copies, room: columns.map { $0 - taken - min(widest, nameShare(of: $0)) })
        taken += details.reduce(0) { $0 + $1.width + 2 }
        let room = min(widest, columns.map { max(leastName, $0 - taken) } ?? mostPadding)
        var rows: [String] = []
        rows.reserveCapacity(tracks.count)
        for place in tracks.indices {
            let isCurrent = place + 1 == current || marks.current == tracks[place].track.id
            var line = isCurrent ? ">" : " "
            line.reserveCapacity(names[place].utf8.count + taken + room)
            append(&line, String(place + 1), right: digits)
            line += "  "
            if !notes.isEmpty { line += notes[place] + "  " }
            line += columns == nil ? names[place] : DisplayText.cut(names[place], to: room)
            if !isNarrow {
                pad(&line, room - min(widths[place], room) + 2)
                append(&line, lengths[place], right: times)
            } else if ends[place].isEmpty {
                while line.last == " " { line.removeLast() }
            } else {
                pad(&line, room - min(widths[place], room))
            }
            appendTail(
                &line, explicit: hasExplicit ? tracks[place].track.isExplicit : nil,
                details.map { ($0.width, $0.cells[place]) }, ends[place], columns)
            if let columns { line = DisplayText.cut(line, to: columns) }
            rows.append(line)
        }
        return rows
    }

    /// What stands in the rows, and the columns of the names. Loops, here and above: Swift makes sure of the actor in each
    /// closure that it gives to the standard library, which is a tenth of a row.
    private static func cells(
        _ tracks: [ListedTrack], _ marks: TrackMarks
    ) -> (names: [String], widths: [Int], lengths: [String], ends: [String], isAnyExplicit: Bool) {
        var (names, widths, lengths, ends): ([String], [Int], [String], [String]) = ([], [], [], [])
        names.reserveCapacity(tracks.count)
        widths.reserveCapacity(tracks.count)
        lengths.reserveCapacity(tracks.count)
        ends.reserveCapacity(tracks.count)
        var isAnyExplicit = false
        for listed in tracks {
            let name = name(listed.track)
            names.append(name)
            widths.append(DisplayText.columns(name))
            lengths.append(listed.track.duration > 0 ? TimeText.text(Double(listed.track.duration)) : "-")
            ends.append(marks.text(listed))
            if listed.track.isExplicit { isAnyExplicit = true }
        }
        return (names, widths, lengths, ends, isAnyExplicit)
    }

    /// What stands behind the time, without blanks at its end. `explicit` nil = no row of the listing is.
    private static func appendTail(
        _ line: inout String, explicit: Bool?, _ details: [(width: Int, cell: String)], _ end: String, _ columns: Int?
    ) {
        var gap = 0
        if let explicit { if explicit { line += " E" } else { gap = 2 } }
        for (width, cell) in details {
            gap += 2 + width
            guard !cell.isEmpty else { continue }
            pad(&line, gap - DisplayText.columns(cell))
            line += cell
            gap = 0
        }
        guard !end.isEmpty else { return }
        pad(&line, gap + 2)
        // Of a reason that has no room its mark stays.
        let room = columns.map { $0 - DisplayText.columns(line) } ?? .max
        line += room < leastReason && end.hasPrefix("✗") ? "✗" : end
    }

    /// A reason in fewer columns says nothing.
    private static let leastReason = 8

    /// Below this there is room for a name and a mark, and for no time between them.
    private static let leastForTimes = 30

    /// What marks behind the time get for sure: an arrow or how far it is, and on wide terminals most of a reason.
    private static func endWidth(_ ends: [String], _ columns: Int?) -> Int {
        guard let columns else { return 1 }
        let most = columns >= 60 ? columns / 4 : 1
        return ends.reduce(1) { width, end in
            max(
                width,
                min(DisplayText.columns(end), end.hasPrefix("✗") ? most : columns < leastForTimes ? 4 : mostState))
        }
    }

    /// The longest word for what goes on with a download that is shown whole.
    private static let mostState = 10

    /// What names keep at least, while there are other columns to give up.
    private static func nameShare(of columns: Int) -> Int { min(24, columns * 2 / 5) }

    /// Size, bitrate and form of the files, as far as there is room: in this order they are given up last.
    private static func details(_ copies: [CopyText], room: Int?) -> [(width: Int, cells: [String])] {
        guard !copies.isEmpty else { return [] }
        var left = room
        var chosen: [(width: Int, cells: [String])] = []
        for cells in [copies.map(\.size), copies.map(\.rate), copies.map(\.form)] {
            let width = cells.reduce(0) { max($0, DisplayText.columns($1)) }
            guard width > 0 else { continue }
            if let rest = left {
                guard rest >= width + 2 else { break }
                left = rest - width - 2
            }
            chosen.append((width, cells))
        }
        return chosen
    }

    private static let leastName = 8
    /// Into a pipe names are never cut, and those longer than this push their row's rest to the right.
    private static let mostPadding = 60

    /// `Artist – Title` on one line, harmless on a terminal.
    static func name(_ track: Track) -> String { Terminal.printable(plainName(track)) }

    /// The same for standard error.
    static func message(_ track: Track) -> String { Terminal.printableMessage(plainName(track)) }

    private static func plainName(_ track: Track) -> String {
        // A file has a name and, as far as we know, nobody who made it.
        if track.artist.isEmpty, !track.id.isVKs { return track.title }
        let artist = track.artist.isEmpty ? Words.said("Unknown") : track.artist
        let title = track.title.isEmpty ? Words.said("Unknown") : track.title
        return artist + " – " + title
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
            // By bytes, as by signs each blank is looked at.
            line.append(contentsOf: blanks[..<blanks.utf8.index(blanks.startIndex, offsetBy: min(left, 64))])
            left -= 64
        }
    }
}
