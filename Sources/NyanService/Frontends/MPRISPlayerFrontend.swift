import NyanCore
public import NyanDBus
import NyanWire

/// `org.mpris.MediaPlayer2.Player`: takes the calls; what it shows is the projection of the snapshot (mpris.md §4).
public final class MPRISPlayerFrontend: InterfaceHandler {
    private let player: PlayerService
    private let snapshot: () -> Snapshot

    public init(player: PlayerService, snapshot: @escaping () -> Snapshot) {
        self.player = player
        self.snapshot = snapshot
    }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        switch member {
        case "Next": player.perform(.next)
        case "Previous": player.perform(.previous)
        case "Pause": player.perform(.pause)
        case "PlayPause": player.perform(.toggle)
        case "Stop": player.perform(.stop)
        case "Play": player.perform(.play)
        case "Seek": player.perform(.seekBy(.microseconds(arguments[0].int64 ?? 0)))
        case "SetPosition":
            // A stale or foreign trackid is ignored silently (mpris.md §4.2).
            if let path = arguments[0].objectPath, let entry = MetadataCoding.entryID(path), let at = arguments[1].int64
            {
                player.perform(.seekTo(.microseconds(at), entry))
            }
        case "OpenUri": return open(arguments[0].string ?? "")
        default: throw .unknownMethod(member, in: PlayerInterface.name)
        }
        return .done
    }

    /// Answered once it plays; an address that is no good changes nothing (mpris.md §4.2).
    private func open(_ uri: String) -> Answer {
        let choice = player.makeChoice()
        return .desktop { [player] () async throws(Failure) in try await player.open(uri, choice: choice) }
    }

    public func get(_ property: String) -> BusValue? { MPRISProjection.value(of: property, in: snapshot()) }

    public func set(_ property: String, _ value: BusValue) throws(BusError) {
        switch property {
        case "Volume":
            guard let volume = value.double, volume.isFinite else { throw .invalidArguments("Volume must be a number") }
            player.perform(.setVolume(volume))
        case "Shuffle": player.perform(.setShuffle(value.bool ?? false))
        case "LoopStatus":
            guard let mode = value.string.flatMap(MPRISProjection.repeatMode) else {
                throw .invalidArguments("LoopStatus is None, Track or Playlist")
            }
            player.perform(.setRepeat(mode))
        case "Rate":
            guard let rate = value.double, rate.isFinite else { throw .invalidArguments("Rate must be a number") }
            // Only 1.0 can be played; 0 means Pause (mpris.md §4.1).
            if rate == 0 { player.perform(.pause) }
        default: throw .propertyReadOnly(property)
        }
    }
}
