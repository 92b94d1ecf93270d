// The sleep timer: playback fades out, pauses by itself, and the position stays. It goes on while paused, and ends when it is due, on
// `stop`, at the queue's end, and with the program.
extension PlaybackMachine {
    /// When something is due by itself: the caller hands in `timePassed` then. nil = nothing is.
    public var nextMoment: Duration? {
        guard case .at(let moment) = state.sleepTimer else { return nil }
        let fade = moment - Self.fadeLength
        return now < fade ? fade : moment
    }

    /// So long before its end the sound begins to go down.
    static var fadeLength: Duration { .seconds(8) }

    mutating func setSleepTimer(_ wish: SleepWish?) {
        // There is nothing that could be put to sleep.
        guard state.status != .stopped || wish == nil else { return }
        switch wish {
        case nil: state.sleepTimer = nil
        case .after(let time):
            let range = SleepWish.range
            state.sleepTimer = .at(now + min(max(time, range.lowerBound), range.upperBound))
        case .endOfTrack: state.sleepTimer = .endOfTrack
        }
        // What is joined to the end of this track is taken back, or may come again.
        reconsiderNext()
    }

    /// Carries out what is due; called with every input.
    mutating func lookAtSleepTimer() {
        if case .at(let moment) = state.sleepTimer, now >= moment {
            state.sleepTimer = nil
            pause()
        }
        if state.status == .stopped { state.sleepTimer = nil }
        fadeAsNeeded()
    }

    /// The last seconds before the pause are heard fading; whatever else happens, the sound is as loud as set again.
    private mutating func fadeAsNeeded() {
        var rest: Duration?
        if case .at(let moment) = state.sleepTimer, now >= moment - Self.fadeLength, state.status == .playing {
            rest = moment - now
        }
        guard (rest != nil) != engine.isFading else { return }
        engine.isFading = rest != nil
        effects.append(rest.map { .fadeOut(over: $0) } ?? .endFade)
    }

    /// The track is over and silence was asked for: the entry that follows is shown, paused at its start, so that `play`
    /// goes on with it. Behind the last one is nothing, as always.
    mutating func sleepAtEnd(steps: Int) {
        state.sleepTimer = nil
        guard order.advance(by: steps) else { return halt() }
        if state.status == .playing { state.status = .paused }
        select()
    }
}
