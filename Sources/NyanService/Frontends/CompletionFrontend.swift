public import NyanCore
public import NyanDBus
import NyanWire

/// `org.nyantunes.Nyand1.Completion`: what a shell offers. Everything is read from memory and disk, and little of it.
public final class CompletionFrontend: InterfaceHandler {
    /// Where it is read.
    public struct Sources {
        /// Known tracks that have the words of a text one behind the other, at most so many.
        public var matching: @MainActor (String, Int) async throws(Failure) -> [Track]
        /// Known tracks, in this order.
        public var tracks: @MainActor ([TrackID]) async throws(Failure) -> [Track]
        /// Downloads of the list, at most so many.
        public var downloads: @MainActor (Int) -> [TrackID]
        /// The first tracks of the queue.
        public var queue: @MainActor (Int) async -> [Track]
        public var playlists: @MainActor () async throws(Failure) -> [Playlist]
        public var people: @MainActor () async -> [Person]

        public init(
            matching: @escaping @MainActor (String, Int) async throws(Failure) -> [Track],
            tracks: @escaping @MainActor ([TrackID]) async throws(Failure) -> [Track],
            downloads: @escaping @MainActor (Int) -> [TrackID], queue: @escaping @MainActor (Int) async -> [Track],
            playlists: @escaping @MainActor () async throws(Failure) -> [Playlist],
            people: @escaping @MainActor () async -> [Person]
        ) {
            (self.matching, self.tracks, self.downloads) = (matching, tracks, downloads)
            (self.queue, self.playlists, self.people) = (queue, playlists, people)
        }
    }

    private static let most = 200
    private let sources: Sources

    public init(_ sources: Sources) { self.sources = sources }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        guard member == "Offer" else { throw .unknownMethod(member) }
        let (kind, text) = (arguments[0].string ?? "", arguments[1].string ?? "")
        let ids = (arguments[2].strings ?? []).prefix(Self.most).compactMap { TrackReference($0)?.id }
        let limit = min(arguments[3].integer ?? 0, Self.most)
        return .working { [self] () async throws(Failure) in
            let offers = try await offers(kind, text, ids, limit)
            let pairs = offers.prefix(limit).map { BusValue.structure([.string($0.0), .string($0.1)]) }
            return [.array(pairs, of: "(ss)")]
        }
    }

    private func offers(
        _ kind: String, _ text: String, _ ids: [TrackID], _ limit: Int
    ) async throws(Failure) -> [(String, String)] {
        switch kind {
        case "titles":
            let start = FoldedText.fold(text)
            return try await sources.matching(text, limit * 4).filter { track in
                FoldedText.fold(track.title).hasPrefix(start) || FoldedText.fold(track.artist).hasPrefix(start)
                    || FoldedText.fold("\(track.artist) \(track.title)").hasPrefix(start)
            }.map { ($0.artist, $0.title) }
        case "tracks": return try await sources.tracks(ids).map(Self.named)
        case "downloads": return try await sources.tracks(sources.downloads(limit)).map(Self.named)
        case "queue":
            let tracks = await sources.queue(limit)
            return zip(1..., tracks).map { ("\($0)", Self.named($1).1) }
        case "playlists": return try await sources.playlists().map { ($0.id.description, $0.title) }
        case "people":
            return await sources.people().filter(\.canListen).map { ($0.screenName ?? "\($0.id)", $0.name) }
        default: return []
        }
    }

    private static func named(_ track: Track) -> (String, String) {
        (track.id.description, "\(track.artist) – \(track.title)")
    }
}
