public import NyanCore
public import NyanDBus
import NyanWire

/// `org.mpris.MediaPlayer2.TrackList`: the entries round the current one, and edits of them (mpris.md §6).
///
/// What is shown is a part of the queue; what is asked about any entry of it is answered and done, as the part may have
/// moved on while a call was under way.
public final class TrackListFrontend: InterfaceHandler {
    private let player: PlayerService
    private let snapshot: () -> Snapshot
    private let coverPath: (TrackID) -> String?

    public init(
        player: PlayerService, snapshot: @escaping () -> Snapshot, coverPath: @escaping (TrackID) -> String?
    ) {
        self.player = player
        self.snapshot = snapshot
        self.coverPath = coverPath
    }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        switch member {
        case "GetTracksMetadata": return .reply([metadata(of: arguments[0].elements ?? [])])
        case "AddTrack": return add(arguments)
        case "RemoveTrack": return remove(arguments[0])
        case "GoTo": if let entry = Self.entry(arguments[0]) { player.perform(.skip(to: entry)) }
        default: throw .unknownMethod(member, in: TrackListInterface.name)
        }
        return .done
    }

    public func get(_ property: String) -> BusValue? {
        switch property {
        case "Tracks": .objectPaths(player.state.nearby.map { MetadataCoding.trackID(of: $0.id) })
        case "CanEditTracks": .bool(true)
        default: nil
        }
    }

    /// In the order asked, each once; unknown ids are left out.
    private func metadata(of paths: [BusValue]) -> BusValue {
        let snapshot = snapshot()
        var seen: Set<EntryID> = []
        let entries = paths.compactMap { Self.entry($0).flatMap(player.entry) }.filter { seen.insert($0.id).inserted }
        return .dictionaries(
            entries.map { TrackListProjection.row(of: $0, in: snapshot, coverPath: coverPath).metadata })
    }

    /// Answered once it is in the list and on disk; what cannot be played changes nothing.
    private func add(_ arguments: [BusValue]) -> Answer {
        let (uri, after) = (arguments[0].string ?? "", arguments[1].objectPath ?? Names.noTrack)
        let choice = arguments[2].bool == true ? player.makeChoice() : nil
        return .desktop { [player] () async throws(Failure) in
            let track = try await player.track(called: uri)
            // A path that names no entry of ours is as good as one of an entry that is gone: the end.
            let entry = after == Names.noTrack ? nil : MetadataCoding.entryID(after) ?? EntryID(0)
            let becomesCurrent = choice.map { player.choices.carryOut($0) } ?? false
            player.perform(.insert([track], after: entry, becomingCurrent: becomesCurrent))
            try await player.saved()
        }
    }

    /// Out of the list at once, and answered once that is on disk.
    private func remove(_ path: BusValue) -> Answer {
        guard let entry = Self.entry(path) else { return .done }
        player.perform(.remove([entry]))
        return .desktop { [player] () async throws(Failure) in try await player.saved() }
    }

    private static func entry(_ value: BusValue) -> EntryID? { value.objectPath.flatMap(MetadataCoding.entryID) }
}
