import NyanCore
public import NyanDBus
import NyanWire

/// `org.nyantunes.Nyand1.Playlists`: playlists of VK, and what VK recommends.
public final class PlaylistsFrontend: InterfaceHandler {
    private let playlists: PlaylistService

    /// `connection`: hears of changes.
    public init(playlists: PlaylistService, connection: Connection) {
        self.playlists = playlists
        playlists.onChange = { [weak connection] in
            try? connection?.emit(Names.nyandPath, NyandInterfaces.playlists.name, "Changed", [])
        }
    }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        .working { [self] () throws(Failure) in
            switch member {
            case "List":
                let shown = try await playlists.playlists()
                return [PlaylistCoding.list(shown.rows), .string(shown.notice ?? "")]
            case "Create":
                return [PlaylistCoding.value(try await playlists.create(arguments[0].string ?? ""))]
            case "Recommendations": return [try await recommendations(arguments[0].string ?? "")]
            default: return try await change(member, try Self.reference(arguments[0]), arguments)
            }
        }
    }

    /// The calls about one playlist.
    private func change(
        _ member: String, _ reference: PlaylistReference, _ arguments: [BusValue]
    ) async throws(Failure) -> [BusValue] {
        switch member {
        case "Tracks":
            let filter = arguments[1].string ?? ""
            let shown = try await playlists.tracks(of: reference, matching: filter.isEmpty ? nil : filter)
            return [TrackCoding.list(shown.rows), .string(shown.notice ?? "")]
        case "Rename":
            try await playlists.rename(reference, to: arguments[1].string ?? "")
            return []
        case "Delete":
            let gone = try await playlists.delete(reference)
            return [.string(gone.title), .bool(gone.isFollowed)]
        case "Add":
            return [.uint32(UInt32(clamping: try await playlists.add(arguments[1].trackReferences(), to: reference)))]
        case "Remove":
            let removed = try await playlists.remove(arguments[1].trackReferences(), from: reference)
            return [.uint32(UInt32(clamping: removed))]
        default: throw Failure(.internal, "no such call: \(member)")
        }
    }

    private func recommendations(_ text: String) async throws(Failure) -> BusValue {
        let track = text.isEmpty ? nil : try BusValue.strings([text]).trackReferences().first
        return TrackCoding.list(try await playlists.recommendations(like: track))
    }

    private static func reference(_ value: BusValue) throws(Failure) -> PlaylistReference {
        guard let reference = PlaylistReference(value.string ?? "") else {
            throw Failure(
                .badArgument,
                "“\((value.string ?? "").prefix(80))” is no playlist id such as 123456_17, nor VK's address")
        }
        return reference
    }
}

/// `org.nyantunes.Nyand1.Lyrics`: words of tracks.
public final class LyricsFrontend: InterfaceHandler {
    private let lyrics: LyricsService
    private let player: PlayerService

    public init(lyrics: LyricsService, player: PlayerService) {
        self.lyrics = lyrics
        self.player = player
    }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        guard member == "Get" else { throw .unknownMethod(member) }
        return .working { [lyrics, player] () throws(Failure) in
            let text = arguments[0].string ?? ""
            let named = text.isEmpty ? nil : try BusValue.strings([text]).trackReferences().first
            guard let track = named ?? player.state.currentEntry?.track.reference else {
                throw Failure(.notFound, "there is no current track: name one")
            }
            return [.string(track.id.description)] + LyricsCoding.values(try await lyrics.lyrics(of: track))
        }
    }
}
