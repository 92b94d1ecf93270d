import NyanCore
public import NyanDBus
import NyanWire

/// `org.nyantunes.Nyand1.Profile`: what is answered is done at VK and on disk.
public final class ProfileFrontend: InterfaceHandler {
    private let profile: ProfileService
    private let player: PlayerService

    public init(profile: ProfileService, player: PlayerService) {
        self.profile = profile
        self.player = player
    }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        switch member {
        case "Add":
            .working { [profile] () throws(Failure) in
                Self.values(try await profile.add(try arguments[0].trackReferences()))
            }
        case "Like":
            .working { [profile, player] () throws(Failure) in
                guard let track = player.state.currentEntry?.track else {
                    throw Failure(.notFound, "there is no current track to like")
                }
                return Self.values(try await profile.add([track.reference]))
            }
        case "Remove":
            .working { [profile] () throws(Failure) in
                let outcome = try await profile.remove(try arguments[0].trackReferences().map(\.id))
                return [Self.ids(outcome.removed), Self.rows(outcome.refused), Self.reason(outcome.stopped)]
            }
        case "Restore":
            .working { [profile] () throws(Failure) in
                let reference = try BusValue.strings([arguments[0].string ?? ""]).trackReferences()[0]
                let restored = try await profile.restore(reference.id)
                return [.string(restored.id.description), .bool(restored.wasThere)]
            }
        default: throw .unknownMethod(member)
        }
    }

    private static func values(_ outcome: AddOutcome) -> [BusValue] {
        [ids(outcome.added), ids(outcome.present), rows(outcome.refused), reason(outcome.stopped)]
    }

    private static func ids(_ ids: [TrackID]) -> BusValue { .strings(ids.map(\.description)) }

    private static func rows(_ refused: [RefusedTrack]) -> BusValue {
        .array(
            refused.map { .structure([.string($0.id.description), .string($0.failure.message)]) }, of: "(ss)")
    }

    private static func reason(_ failure: Failure?) -> BusValue {
        .structure([.string(failure?.code.rawValue ?? ""), .string(failure?.message ?? "")])
    }
}
