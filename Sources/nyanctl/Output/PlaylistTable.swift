import NyanCore
import NyanWords

/// Playlists for people: a row number, the title, how many tracks, the id.
enum PlaylistTable {
    /// Prints the list and remembers what its rows mean.
    @MainActor static func show(_ playlists: [ListedPlaylist], asJSON: Bool) {
        if asJSON { return Terminal.print(JSONText.encode(playlists.map { PlaylistDocument($0) })) }
        LastListing.remember(playlists.map(\.playlist.reference))
        Pager.show(lines(playlists, columns: Terminal.columns))
    }

    /// `  1  Title        12 tracks  123456_17  followed`. `columns` as in `TrackTable.lines`.
    static func lines(_ playlists: [ListedPlaylist], columns: Int?) -> [String] {
        let digits = "\(playlists.count)".count
        let names = playlists.map { listed in
            Terminal.printable(listed.playlist.title.isEmpty ? Words.said("Untitled") : listed.playlist.title)
        }
        let counts = Self.counts(playlists.map(\.playlist.count))
        let countWidth = counts.first.map { DisplayText.columns($0) } ?? 0
        let ids = playlists.map(\.playlist.id.description)
        let idWidth = ids.map(\.utf8.count).max() ?? 0
        let taken = 1 + digits + 2 + 2 + countWidth + 2 + idWidth + 10
        let widest = names.map { DisplayText.columns($0) }.max() ?? 0
        let room = min(widest, columns.map { max(8, $0 - taken) } ?? 60)
        return playlists.indices.map { place in
            let name = columns == nil ? names[place] : DisplayText.cut(names[place], to: room)
            let marks = [
                playlists[place].playlist.isFollowed ? Words.said("followed") : "",
                playlists[place].isKept ? Words.said("kept") : "",
            ].filter { !$0.isEmpty }.joined(separator: " ")
            let line =
                " " + left("\(place + 1)", to: digits) + "  " + name + blanks(room - DisplayText.columns(name)) + "  "
                + counts[place] + "  " + ids[place]
                + (marks.isEmpty ? "" : blanks(idWidth - ids[place].utf8.count) + "  " + marks)
            return columns.map { DisplayText.cut(line, to: $0) } ?? line
        }
    }

    /// `12 tracks`, ` 1 track `: numbers below numbers, words below words.
    private static func counts(_ numbers: [Int]) -> [String] {
        let texts = numbers.map { Words.said("\($0) track\($0 == 1 ? "" : "s")").split(separator: " ", maxSplits: 1) }
        let (numberWidth, wordWidth) = (width(texts.map { $0[0] }), width(texts.map { $0.last ?? "" }))
        return texts.map { text in
            let word = text.last ?? ""
            return blanks(numberWidth - DisplayText.columns(text[0])) + text[0] + " " + word
                + blanks(wordWidth - DisplayText.columns(word))
        }
    }

    private static func width(_ texts: [Substring]) -> Int { texts.reduce(0) { max($0, DisplayText.columns($1)) } }

    private static func left(_ text: String, to width: Int) -> String { blanks(width - text.utf8.count) + text }

    private static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}

/// One row of CONTRACT.md's `playlists`.
struct PlaylistDocument: Encodable {
    var id: String
    var title: String
    var count: Int
    var kept: Bool

    init(_ listed: ListedPlaylist) {
        id = listed.playlist.id.description
        title = listed.playlist.title
        count = listed.playlist.count
        kept = listed.isKept
    }
}

/// What `playlist delete` did: `deleted` or `unfollowed`.
struct DeletedPlaylistDocument: Encodable {
    var id: String
    var title: String
    var outcome: String
}

/// `lyrics`: `begin` in milliseconds, null where nobody knows.
struct LyricsDocument: Encodable {
    struct Line: Encodable {
        var begin: Nullable<Int>
        var text: String
    }

    var id: String
    var timed: Bool
    var lines: [Line]
    var credits: Nullable<String>

    init(_ id: TrackID, _ lyrics: Lyrics) {
        self.id = id.description
        timed = lyrics.isTimed
        lines = lyrics.lines.map { Line(begin: Nullable($0.begin), text: $0.text) }
        credits = Nullable(lyrics.credits)
    }
}

/// One line of `lyrics --follow --json`, when it is sung.
struct SungLineDocument: Encodable {
    var id: String
    var begin: Nullable<Int>
    var text: String

    init(_ id: TrackID, _ line: Lyrics.Line) {
        self.id = id.description
        begin = Nullable(line.begin)
        text = line.text
    }
}
