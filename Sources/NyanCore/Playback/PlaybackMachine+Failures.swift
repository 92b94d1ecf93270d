// Tracks that cannot be played. Trouble is state until the next good start (DESIGN.md §7).
extension PlaybackMachine {
    /// A load cannot go on, or never could. A second report about the same load finds it gone: tracks are counted.
    mutating func loadFailed(_ load: LoadNumber, _ failure: Failure) {
        if load == upcoming?.number { return upcomingFailed(failure) }
        guard load == sounding?.number else { return }
        if isHeldForSleep { return parkHeld() }
        state.problem = about(currentEntry, failure)
        if failure.code == .audioOutput, state.status == .playing, !pausesOnLostOutput {
            waitForOutput()
        } else if failure.code == .audioOutput || state.status != .playing {
            // No output is no track's fault. And what fails while paused (a connection that was idle too long) is tried
            // again where it was, when somebody wants to hear it.
            parkPaused()
        } else {
            skipFailed()
        }
    }

    /// Goes on with the next in order; stops after one full round of failures or ten in a row.
    private mutating func skipFailed() {
        let played = sounding?.startedAt.map { now - $0 >= Self.reallyPlayed } ?? false
        failuresInARow = played ? 1 : failuresInARow + 1
        let steps = max(1, upcoming?.steps ?? 1)
        // Who asked for silence after this track gets it also where the track breaks off.
        if state.sleepTimer == .endOfTrack, sounding?.phase == .started { return sleepAtEnd(steps: steps) }
        guard failuresInARow < min(Self.mostFailures, queue.count), order.advance(by: steps) else { return halt() }
        start()
    }

    /// A track that sounded for so long before it failed was no bad track.
    private static var reallyPlayed: Duration { .seconds(5) }

    /// The failure, with the track that it is about.
    func about(_ entry: Entry?, _ failure: Failure) -> Failure {
        var failure = failure
        failure.subject = failure.subject ?? entry?.track.id
        return failure
    }
}
