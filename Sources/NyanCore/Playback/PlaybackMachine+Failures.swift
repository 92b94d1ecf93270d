// Tracks that cannot be played. Trouble is state until the next good start (DESIGN.md §7).
extension PlaybackMachine {
    /// A load cannot go on, or never could. A second report about the same load finds it gone: tracks are counted.
    mutating func loadFailed(_ load: LoadNumber, _ failure: Failure) {
        if load == upcoming?.number { return upcomingFailed(failure) }
        guard load == sounding?.number else { return }
        if isHeldForSleep { return parkHeld() }
        if isMissingPiece(failure) {
            // Told without the track: the next one would fail in the same way.
            state.problem = failure
            return parkPaused()
        }
        state.problem = about(currentEntry, failure)
        if failure.code == .audioOutput, state.status == .playing, !pausesOnLostOutput {
            waitForOutput()
        } else if failure.code == .audioOutput || state.status != .playing {
            // No output is no track's fault. And what fails while paused (a connection that was idle too long) is tried
            // again where it was, when somebody wants to hear it.
            parkPaused()
        } else {
            skipFailed(failure)
        }
    }

    /// Whether something is not installed that other tracks need, too. What says that trying again makes sense is
    /// needed by all; a decoder of some other format stops the row when the track before lacked one, too.
    func isMissingPiece(_ failure: Failure) -> Bool {
        guard failure.code == .missingDecoder else { return false }
        return failure.retry != .never || state.problem?.code == .missingDecoder
    }

    /// Goes on with the next in order; stops after one full round of failures or ten in a row.
    private mutating func skipFailed(_ failure: Failure) {
        noteFailure()
        let steps = max(1, upcoming?.steps ?? 1)
        // Who asked for silence after this track gets it also where the track breaks off.
        if state.sleepTimer == .endOfTrack, sounding?.phase == .started { return sleepAtEnd(steps: steps) }
        guard failuresInARow < min(Self.mostFailures, queue.count), order.advance(by: steps) else {
            return giveUp(failure)
        }
        start()
    }

    /// Counts the current track as one that failed.
    mutating func noteFailure() {
        let played = sounding?.startedAt.map { now - $0 >= Self.reallyPlayed } ?? false
        if played || failuresInARow == 0 {
            failuresInARow = 0
            firstFailed = order.current
        }
        failuresInARow += 1
    }

    /// Whether what ended was a scrap of the track that VK describes: some frames of a file that is cut off. Such a
    /// track ends without an error, and a queue of them that repeats would spin.
    var wasScrap: Bool {
        guard sounding?.knowsLength == true, let length = state.length else { return false }
        let heard = max(position(at: now), length)
        return heard < .seconds(1) && heard * 4 < currentEntry?.track.length ?? .seconds(1)
    }

    /// Stops where the row of failures began, so that the listener's place is not lost.
    private mutating func giveUp(_ failure: Failure) {
        if failuresInARow > 1 {
            state.problem = Failure(
                failure.code,
                "\(failuresInARow) tracks in a row could not be played; the last one: \(failure.message)",
                retry: failure.retry)
            returnToFirstFailed()
        }
        halt()
    }

    /// Back over what was skipped. Where edits have put other entries in between, the place is where the row ended.
    private mutating func returnToFirstFailed() {
        let end = order
        for _ in 0..<queue.count {
            if order.current == firstFailed { return }
            guard order.goBack() else { break }
        }
        if order.current != firstFailed { order = end }
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
