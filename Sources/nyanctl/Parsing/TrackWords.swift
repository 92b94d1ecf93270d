import Glibc
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

    /// Ids and rows only: for commands that remove or keep something. Each track once.
    static func exact(_ words: [String], command: String) throws(Ending) -> SelectedTracks {
        var reader = TrackWords(command)
        var references: [TrackReference] = []
        for word in words {
            if let found = try reader.references(word) {
                references += found
                continue
            }
            try refusePage(word, command: command)
            throw .usage("“\(word)” is neither a track id nor a row number", command: command)
        }
        var seen = Set<TrackReference>()
        return SelectedTracks(references: references.filter { seen.insert($0).inserted })
    }

    /// Ids, rows and texts: a text selects the library's matching tracks. `playing`: files, addresses and whole
    /// playlists, too. `isOne`: the caller takes the first and says so.
    static func any(
        _ words: [String], command: String, daemon: Daemon, playing: Bool = false, isOne: Bool = false
    ) throws(Ending) -> SelectedTracks {
        var reader = TrackWords(command)
        var found: [String] = []
        for word in words {
            if let references = try reader.references(word) {
                found += references.map(\.description)
                continue
            }
            if playing, let playlist = PlaylistReference(word) {
                found += try tracks(of: playlist, daemon)
                continue
            }
            try refusePage(word, command: command)
            if let address = try AddressWord.address(word, command: command) {
                guard playing else {
                    throw .usage("files and addresses can only be played", command: command)
                }
                found.append(address)
                continue
            }
            found += try matching(word, command, daemon, tells: !isOne)
        }
        return SelectedTracks(words: found)
    }

    /// The library's tracks that a text selects.
    private static func matching(
        _ word: String, _ command: String, _ daemon: Daemon, tells: Bool
    ) throws(Ending) -> [String] {
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
        // A person sees at once that it was more than they meant; scripts have asked for what they get.
        if tells, selected.count > 1, isatty(2) == 1 {
            Terminal.complain("\(selected.count) tracks match “\(Terminal.printableMessage(word))”")
        }
        return selected.map(\.track.reference.description)
    }

    /// What `playlist ID` lists.
    private static func tracks(of playlist: PlaylistReference, _ daemon: Daemon) throws(Ending) -> [String] {
        let (tracks, notice) = try daemon.ask { client throws(ClientFailure) in
            try client.playlistTracks(playlist.description, filter: "")
        }
        if let notice { Terminal.complain(Terminal.printableMessage(notice)) }
        guard !tracks.isEmpty else {
            throw .failed(code: Failure.Code.notFound.rawValue, message: "the playlist is empty", status: 5)
        }
        return tracks.map(\.track.reference.description)
    }

    /// Whether a word would be looked for in the library: it is no id, no rows, no address and no file's name.
    static func isText(_ word: String) -> Bool {
        guard TrackReference(PastedWord.bare(word)) == nil, VKAddress.track(word) == nil, RowWord(word) == nil,
            PlaylistReference(word) == nil, !VKAddress.isPage(word)
        else { return false }
        do throws(Ending) {
            return try AddressWord.address(word, command: "") == nil
        } catch {
            return false
        }
    }

    /// Pages of VK's that are no track's: what is meant is said, and nothing is fetched as if it were a sound.
    private static func refusePage(_ word: String, command: String) throws(Ending) {
        if let playlist = PlaylistReference(word), TrackReference(word) == nil {
            throw .usage(
                "that is a playlist: `nyanctl playlist \(playlist)` lists its tracks", command: command)
        }
        guard VKAddress.isPage(word) else { return }
        let owner: String
        // What was read, and not the address: a line of shell may be in that.
        switch VKAddress.owner(word) {
        case .id(let id): owner = "\(id)"
        case .screenName(let name): owner = name
        case nil: throw .usage("that page of VK is no track's", command: command)
        }
        throw .usage(
            "that is somebody's page: `nyanctl profile --owner \(owner)` lists its tracks", command: command)
    }

    /// `play ROW` means the whole listing the row came from, starting there (CONTRACT.md §5 Mini player).
    static func toPlay(_ words: [String], daemon: Daemon) throws(Ending) -> SelectedTracks {
        guard words.count == 1, let row = RowWord(words[0])?.single else {
            return try any(words, command: "play", daemon: daemon, playing: true)
        }
        var reader = TrackWords("play")
        _ = try reader.references(words[0])
        return SelectedTracks(references: reader.rows ?? [], start: row - 1)
    }

    /// nil for a word that is neither an id nor row numbers.
    private mutating func references(_ word: String) throws(Ending) -> [TrackReference]? {
        if let reference = TrackReference(PastedWord.bare(word)) ?? VKAddress.track(word) { return [reference] }
        guard let word = RowWord(word) else { return nil }
        var known = rows
        let found = try word.references(command: command, .tracks) { () throws(ListingFile.Absence) in
            if let known { return known }
            let listed = try LastListing.tracks()
            known = listed
            return listed
        }
        rows = known
        return found
    }
}
