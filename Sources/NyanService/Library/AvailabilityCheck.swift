import NyanCore

/// Asks VK once more about the tracks whose availability a list leaves open: those come without an address, and often
/// have one when asked by id (vk-api.md §2.2 `getById`). Belongs to one reading of the profile; each track is asked
/// about once, however many passes the reading takes.
final class AvailabilityCheck {
    typealias Ask = ([TrackReference]) async throws(Failure) -> [TrackID: ResolvedTrack]

    /// What the library holds, for when VK does not answer.
    private let known: [TrackID: Track]
    private var settled: [TrackID: Track] = [:]

    init(known: [Track]) {
        self.known = Dictionary(known.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Puts what VK says of the page's doubtful tracks into it. Where it cannot be asked their availability stays as
    /// it was known.
    func settle(_ page: inout TrackPage, ask: Ask) async {
        let doubtful = Set(page.doubtful)
        guard !doubtful.isEmpty else { return }
        let open = page.tracks.filter { doubtful.contains($0.id) && settled[$0.id] == nil }
        if !open.isEmpty, let answers = try? await ask(open.map(\.reference)) {
            for track in open { settled[track.id] = Self.judged(track, by: answers[track.id]) }
        }
        page.tracks = page.tracks.map { track in
            guard doubtful.contains(track.id) else { return track }
            return settled[track.id] ?? asKnown(track)
        }
    }

    /// The list's description with the answer's availability. Ids that cannot be had are simply missing from answers.
    private static func judged(_ track: Track, by answer: ResolvedTrack?) -> Track {
        var judged = track
        if let answer {
            // The list may say why where the answer only says that.
            judged.isAvailable = answer.track.isAvailable
            judged.unavailableReason =
                answer.track.isAvailable ? nil : track.unavailableReason ?? answer.track.unavailableReason
        } else {
            judged.isAvailable = false
            judged.unavailableReason = track.unavailableReason ?? "VK does not give this track now"
        }
        return judged
    }

    private func asKnown(_ track: Track) -> Track {
        guard let known = known[track.id] else { return track }
        var kept = track
        kept.isAvailable = known.isAvailable
        kept.unavailableReason = known.unavailableReason
        return kept
    }
}
