public import NyanCore
public import NyanDBus
import NyanWire

/// What MPRIS shows of a snapshot: a pure function, the only source of the Player's properties (mpris.md §4.1).
public enum MPRISProjection {
    /// The properties whose changes are signalled: all but `Position` and `CanControl` (mpris.md §4.4.2).
    public nonisolated static let told = [
        "PlaybackStatus", "LoopStatus", "Rate", "Shuffle", "Metadata", "Volume", "MinimumRate", "MaximumRate",
        "CanGoNext", "CanGoPrevious", "CanPlay", "CanPause", "CanSeek",
    ]

    /// What is signalled, with its values now.
    public nonisolated static func told(_ snapshot: Snapshot) -> [String: BusValue] {
        Dictionary(
            told.compactMap { name in value(of: name, in: snapshot).map { (name, $0) } }, uniquingKeysWith: { $1 })
    }

    /// One property of `org.mpris.MediaPlayer2.Player`; nil for a name it does not have. Takes the same time however
    /// long the queue is.
    public nonisolated static func value(of property: String, in snapshot: Snapshot) -> BusValue? {
        let state = snapshot.playback
        return switch property {
        case "PlaybackStatus": .string(playbackStatus(state.status))
        case "LoopStatus": .string(loopStatus(state.repeatMode))
        // Only the speed at which it was recorded can be played.
        case "Rate", "MinimumRate", "MaximumRate": .double(1)
        case "Shuffle": .bool(state.shuffle)
        case "Metadata": .dictionary(metadata(snapshot))
        case "Volume": .double(state.volume)
        case "Position": .int64(MetadataCoding.microseconds(snapshot.position))
        case "CanGoNext": .bool(state.canGoNext)
        case "CanGoPrevious": .bool(state.canGoPrevious)
        case "CanPlay", "CanPause": .bool(state.current != nil)
        case "CanSeek": .bool(state.current != nil && state.isSeekable)
        case "CanControl": .bool(true)
        default: nil
        }
    }

    private nonisolated static func metadata(_ snapshot: Snapshot) -> [String: BusValue] {
        guard let entry = snapshot.playback.currentEntry else { return MetadataCoding.nothing }
        return MetadataCoding.metadata(
            of: entry, length: snapshot.playback.length ?? entry.track.length, coverPath: snapshot.track?.coverPath)
    }

    public nonisolated static func playbackStatus(_ status: PlaybackState.Status) -> String {
        switch status {
        case .playing: "Playing"
        case .paused: "Paused"
        case .stopped: "Stopped"
        }
    }

    public nonisolated static func loopStatus(_ mode: RepeatMode) -> String {
        switch mode {
        case .off: "None"
        case .track: "Track"
        case .queue: "Playlist"
        }
    }

    /// nil for a word MPRIS does not have: such a Set changes nothing.
    public nonisolated static func repeatMode(loopStatus: String) -> RepeatMode? {
        RepeatMode.allCases.first { self.loopStatus($0) == loopStatus }
    }
}
