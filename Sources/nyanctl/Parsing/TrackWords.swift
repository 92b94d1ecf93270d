import NyanCore
import NyanDBus
import NyanWire

/// What the TRACK words of a command stand for.
struct SelectedTracks: Equatable {
    /// As they travel: references, and for what is only played, addresses.
    var words: [String]
    /// Where to start in `words`, for `play`.
    var start = 0

    init(references: [TrackReference], start: Int = 0) {
        words = references.map(\.description)
        self.start = start
    }

    init(words: [String]) { self.words = words }

    var references: [TrackReference] { words.compactMap { TrackReference($0) } }
    var busValue: BusValue { .strings(words) }
}

/// Reads TRACK words: ids, rows of the last listing, and texts where the command only reads or plays.
@MainActor struct TrackWords {
    /// Rows are read once, and only when a word needs them.
    private var rows: [TrackReference]?
    private let command: String

    private init(_ command: String) { self.command = command }

    /// A whole number of up to seven digits is a row; VK ids have an underscore.
    private static func row(_ word: String) -> Int? { word.utf8.count <= 7 ? NumberText.whole(word) : nil }

    /// Ids and rows only: for commands that remove or keep something.
    static func exact(_ words: [String], command: String) throws(Ending) -> SelectedTracks {
        var reader = TrackWords(command)
        var references: [TrackReference] = []
        for word in words {
            guard let reference = try reader.reference(word) else {
                throw .usage("“\(word)” is neither a track id nor a row number", command: command)
            }
            references.append(reference)
        }
        return SelectedTracks(references: references)
    }

    /// Ids, rows and texts: a text selects the library's matching tracks. `playing`: files and addresses, too.
    static func any(
        _ words: [String], command: String, daemon: Daemon, playing: Bool = false
    ) throws(Ending) -> SelectedTracks {
        var reader = TrackWords(command)
        var found: [String] = []
        for word in words {
            if let reference = try reader.reference(word) {
                found.append(reference.description)
                continue
            }
            if let address = try AddressWord.address(word, command: command) {
                guard playing else {
                    throw .usage("files and addresses can only be played", command: command)
                }
                found.append(address)
                continue
            }
            // An empty text would select the whole library.
            guard word.contains(where: { !$0.isWhitespace }) else {
                throw .usage("an empty text is no track", command: command)
            }
            let selected = try daemon.ask { client throws(ClientFailure) in
                try client.listing("Select", [.string(word)])
            }
            guard !selected.isEmpty else {
                let sentence = "no track of the library matches “\(word)”"
                throw .failed(code: Failure.Code.notFound.rawValue, message: sentence, status: 5)
            }
            found += selected.map(\.track.reference.description)
        }
        return SelectedTracks(words: found)
    }

    /// `play ROW` means the whole listing the row came from, starting there (CONTRACT.md §5 Mini player).
    static func toPlay(_ words: [String], daemon: Daemon) throws(Ending) -> SelectedTracks {
        guard words.count == 1, let row = row(words[0]) else {
            return try any(words, command: "play", daemon: daemon, playing: true)
        }
        let rows = LastListing.recall()
        _ = try reference(row, in: rows)
        return SelectedTracks(references: rows, start: row - 1)
    }

    /// nil for a word that is neither an id nor a row number.
    private mutating func reference(_ word: String) throws(Ending) -> TrackReference? {
        if let reference = TrackReference(word) ?? VKAddress.track(word) { return reference }
        guard let row = Self.row(word) else { return nil }
        let known = rows ?? LastListing.recall()
        rows = known
        return try Self.reference(row, in: known)
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
