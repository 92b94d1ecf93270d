import NyanCore
public import NyanWire

/// What `status` tells of a snapshot (CONTRACT.md "status"): a pure function.
public enum StatusProjection {
    public nonisolated static func report(_ snapshot: Snapshot) -> StatusReport {
        let state = snapshot.playback
        return StatusReport(
            state: word(state), track: snapshot.track, position: seconds(snapshot.position),
            duration: (state.length ?? snapshot.track?.track.length).map(seconds), volume: state.volume,
            shuffle: state.shuffle, repeatMode: state.repeatMode, queuePosition: state.currentIndex.map { $0 + 1 },
            queueLength: state.entries.count, buffered: snapshot.buffered, isOnline: snapshot.isOnline,
            isOfflineMode: snapshot.isOfflineMode, isSignedIn: snapshot.isSignedIn, output: state.output,
            problem: snapshot.problem.map { .init(code: $0.code.rawValue, message: $0.message) },
            sleepTimer: sleepTimer(snapshot), version: Names.version)
    }

    private nonisolated static func sleepTimer(_ snapshot: Snapshot) -> StatusReport.SleepTimer? {
        switch snapshot.playback.sleepTimer {
        case .at: .remaining(seconds(snapshot.sleepLeft ?? .zero))
        case .endOfTrack: .endOfTrack
        case nil: nil
        }
    }

    private nonisolated static func word(_ state: PlaybackState) -> StatusReport.State {
        switch state.status {
        case .playing: state.isBuffering ? .buffering : .playing
        case .paused: .paused
        case .stopped: .stopped
        }
    }

    private nonisolated static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        // Milliseconds are what a person or a script can use; more digits only make each line differ.
        return Double(seconds) + Double(attoseconds / 1_000_000_000_000_000) / 1000
    }
}
