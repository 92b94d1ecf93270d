public import NyanCore
public import NyanDBus
import NyanWire

/// What MPRIS shows of a snapshot: a pure function, the only source of the Player's properties (mpris.md §4.1).
public enum MPRISProjection {
    /// Every property of `org.mpris.MediaPlayer2.Player`.
    public nonisolated static func player(_ snapshot: Snapshot) -> [String: BusValue] {
        var all = told(snapshot)
        all["Position"] = .int64(MetadataCoding.microseconds(snapshot.position))
        all["CanControl"] = .bool(true)
        return all
    }

    /// The properties whose changes are signalled: all but `Position` and `CanControl` (mpris.md §4.4.2).
    public nonisolated static func told(_ snapshot: Snapshot) -> [String: BusValue] {
        let state = snapshot.playback
        let hasTrack = state.currentEntry != nil
        return [
            "PlaybackStatus": .string(playbackStatus(state.status)),
            "LoopStatus": .string(loopStatus(state.repeatMode)),
            "Rate": .double(1), "MinimumRate": .double(1), "MaximumRate": .double(1),
            "Shuffle": .bool(state.shuffle),
            "Metadata": .dictionary(metadata(snapshot)),
            "Volume": .double(state.volume),
            "CanGoNext": .bool(state.canGoNext), "CanGoPrevious": .bool(state.canGoPrevious),
            "CanPlay": .bool(hasTrack), "CanPause": .bool(hasTrack),
            "CanSeek": .bool(hasTrack && state.isSeekable),
        ]
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
