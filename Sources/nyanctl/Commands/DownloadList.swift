import NyanCore
import NyanDBus
import NyanWire

/// A list that `download` queues as a whole, instead of tracks that are named.
@MainActor struct DownloadList {
    /// The bus method, and what it is given.
    let member: String
    let argument: BusValue

    /// nil where tracks are named.
    /// - Throws: where not exactly one kind of thing is asked for.
    init?(_ invocation: Invocation) throws(Ending) {
        let lists = ["--all", "--playlist", "--matching"].filter(invocation.has)
        guard lists.count + (invocation.words.isEmpty ? 0 : 1) == 1 else {
            throw .usage(
                "download needs one of: tracks, --all, --playlist ID, --matching TEXT", command: "download")
        }
        guard let list = lists.first else { return nil }
        let text = invocation.options[list] ?? ""
        if list != "--all", FilterWords(text).isEmpty {
            throw .usage("\(list) needs a text", command: "download")
        }
        member = list == "--playlist" ? "AddPlaylist" : "AddProfile"
        // A row of `playlists` is as good as an id, as everywhere.
        argument = .string(
            list == "--playlist" ? try PlaylistWord.reference(text).description : list == "--all" ? "" : text)
    }

    /// Says what is to be said of the list, and how many of it cannot be had and why: the rest is queued all the same.
    func tell(_ answer: [BusValue], _ refused: [BusValue]) {
        if answer.count > 3, let notice = answer[3].string, !notice.isEmpty { Terminal.complain(notice) }
        for (reason, count) in Self.reasons(refused.compactMap { $0[1]?.string }) {
            Terminal.complain("\(count) cannot be had: \(reason)")
        }
    }

    /// The ids that the answer says are to come.
    static func coming(_ answer: [BusValue]) -> [TrackID] {
        answer.count > 2 ? (answer[2].strings ?? []).compactMap { TrackID($0) } : []
    }

    /// How often each reason was given, the most frequent first.
    static func reasons(_ all: [String]) -> [(reason: String, count: Int)] {
        let counts = all.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        return counts.map { ($0.key, $0.value) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    }
}
