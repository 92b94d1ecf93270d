import NyanCore
public import NyanDBus
import NyanWire

/// `org.nyantunes.Nyand1.History`: what was really heard.
public final class HistoryFrontend: InterfaceHandler {
    private let player: PlayerService
    private let library: LibraryService

    public init(player: PlayerService, library: LibraryService) {
        self.player = player
        self.library = library
    }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        guard member == "List" else { throw .unknownMethod(member) }
        return .working { [player, library] () throws(Failure) in
            let plays = try await player.plays(arguments[0].integer ?? 0)
            let listed = try await library.listed(plays.map(\.track))
            let moments = plays.map { BusValue.structure([.int64($0.playedAt), .double($0.heard)]) }
            return [TrackCoding.list(listed), .array(moments, of: "(xd)")]
        }
    }
}
