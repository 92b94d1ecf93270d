import NyanCore
public import NyanDBus
import NyanWire

/// `org.nyantunes.Nyand1.Player`: transport for the client, with answers a person can act on.
public final class PlayerFrontend: InterfaceHandler {
    private let player: PlayerService
    private let library: LibraryService
    private let origin: QueueOrigin?
    private let snapshot: () -> Snapshot

    /// `origin`: told where a whole list is queued.
    public init(
        player: PlayerService, library: LibraryService, origin: QueueOrigin? = nil,
        snapshot: @escaping () -> Snapshot
    ) {
        self.player = player
        self.library = library
        self.origin = origin
        self.snapshot = snapshot
    }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        switch member {
        case "GetStatus": .reply([StatusProjection.report(snapshot()).busValue])
        case "Play": playAnything()
        case "PlayTracks": playTracks(arguments[0], start: arguments[1].integer ?? 0)
        case "SetSleepTimer": try Answer.doing { () throws(Failure) in try setSleepTimer(arguments) }
        case "Pause", "Toggle": try Answer.doing { () throws(Failure) in try transport(member, arguments) }
        default:
            try Answer.durable { () throws(Failure) in
                try transport(member, arguments)
            } saved: { [player] () throws(Failure) in
                try await player.saved()
            }
        }
    }

    /// What is done on return. All but a pause is answered once it is on disk.
    private func transport(_ member: String, _ arguments: [BusValue]) throws(Failure) -> [BusValue] {
        switch member {
        case "SetVolume": return try setVolume(arguments[0].double ?? .nan)
        case "ChangeVolume": return try setVolume(player.state.volume + (arguments[0].double ?? .nan))
        case "SetShuffle": player.perform(.setShuffle(arguments[0].bool ?? false))
        case "SetRepeat":
            guard let mode = arguments[0].string.flatMap(RepeatMode.init) else {
                throw Failure(.badArgument, "repeat is off, track or queue")
            }
            player.perform(.setRepeat(mode))
        default:
            try requireTrack()
            try move(member, arguments)
        }
        return []
    }

    /// What needs a current track.
    private func move(_ member: String, _ arguments: [BusValue]) throws(Failure) {
        switch member {
        case "Pause": player.perform(.pause)
        case "Toggle": player.perform(.toggle)
        case "Stop": player.perform(.stop)
        case "Next":
            guard player.state.canGoNext else { throw Failure(.notFound, "this is the last track of the queue") }
            player.perform(.next)
        case "Previous": player.perform(.previous)
        case "SeekBy":
            try requireSeekable()
            player.perform(.seekBy(.microseconds(arguments[0].int64 ?? 0)))
        case "SeekTo": try seek(to: .microseconds(arguments[0].int64 ?? 0))
        case "SeekToFraction":
            guard let length = player.state.length, let fraction = arguments[0].double, (0...1).contains(fraction)
            else {
                throw Failure(.badArgument, "the track's length is not known yet, or the part is not 0 to 100 %")
            }
            try seek(to: length * fraction)
        default: throw Failure(.internal, "no such command: \(member)")
        }
    }

    private func seek(to position: Duration) throws(Failure) {
        try requireSeekable()
        if let length = player.state.length, position > length {
            throw Failure(.badArgument, "the track is shorter than that: \(length.components.seconds) s")
        }
        guard position >= .zero else { throw Failure(.badArgument, "there is nothing before the track's start") }
        player.perform(.seekTo(position, nil))
    }

    private func setVolume(_ volume: Double) throws(Failure) -> [BusValue] {
        guard volume.isFinite else { throw Failure(.badArgument, "the volume must be a number") }
        player.perform(.setVolume(volume))
        return [.double(player.state.volume)]
    }

    private func setSleepTimer(_ arguments: [BusValue]) throws(Failure) -> [BusValue] {
        let wish: SleepWish?
        switch arguments[0].string {
        case "off": wish = nil
        case "track": wish = .endOfTrack
        case "time":
            let time = Duration.microseconds(arguments[1].int64 ?? 0)
            guard SleepWish.range.contains(time) else {
                throw Failure(.badArgument, "the sleep timer takes 1 s to 24 h")
            }
            wish = .after(time)
        default: throw Failure(.badArgument, "the sleep timer is off, track or time")
        }
        if wish != nil { try requirePosition() }
        player.perform(.setSleepTimer(wish))
        return []
    }

    private func requireTrack() throws(Failure) {
        guard player.state.current != nil else { throw Failure(.notFound, "the queue is empty") }
    }

    private func requirePosition() throws(Failure) {
        guard player.state.status != .stopped else { throw Failure(.notFound, "nothing is playing") }
    }

    private func requireSeekable() throws(Failure) {
        try requirePosition()
        guard player.state.isSeekable else {
            throw Failure(.unsupported, "there is no seeking in what has no length, such as radio")
        }
    }

    /// Resume, or start the queue, or queue the profile; without an account or in offline mode My Music.
    private func playAnything() -> Answer {
        if player.state.current != nil {
            player.perform(.play)
            return .done
        }
        return .working { [player, library, origin] () throws(Failure) in
            let (list, tracks) = try await library.everythingToPlay()
            guard !tracks.isEmpty else {
                throw Failure(.notFound, "there is nothing to play yet: sign in and run `nyanctl sync`")
            }
            player.perform(.playTracks(tracks.map(\.track), startAt: 0))
            origin?.filled(from: list, entries: player.state.entries)
            try await player.saved()
            return []
        }
    }

    private func playTracks(_ references: BusValue, start: Int) -> Answer {
        .working { [player, library] () throws(Failure) in
            let tracks = try await player.tracks(references.strings ?? [], knownTo: library)
            guard tracks.indices.contains(start) else { throw Failure(.notFound, "there is no such track to start at") }
            player.perform(.playTracks(tracks.map(\.track), startAt: start))
            try await player.saved()
            return []
        }
    }
}
