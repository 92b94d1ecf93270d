// What the world reports about sound. An event about a load that is not alive is about the past and changes nothing.
extension PlaybackMachine {
    mutating func hear(_ event: EngineEvent) {
        switch event {
        case .started(let load): soundStarted(load)
        case .lengthKnown(let load, let length): lengthBecameKnown(load, length)
        case .hungry(let load, let position): feedRanDry(load, at: position)
        case .fed(let load, let position): feedGoesOn(load, at: position)
        case .seeked(let load, let position): seekDone(load, at: position)
        case .ended(let load): soundEnded(load)
        case .failed(let load, let failure):
            // Nothing is left that would have to be silenced.
            if load == sounding?.number { engine.isRunning = false }
            loadFailed(load, failure)
        case .volumeChanged(let volume): volumeMoved(to: volume)
        case .outputChanged(let output): outputChanged(to: output)
        }
    }

    /// The bytes of a load can be read.
    mutating func soundIsReady(_ load: LoadNumber) {
        if load == upcoming?.number { return stage() }
        guard load == sounding?.number, sounding?.phase == .preparing else { return }
        if !engine.knowsVolume {
            engine.knowsVolume = true
            effects.append(.setVolume(state.volume))
        }
        let isPlaying = state.status == .playing && !heldForSleep
        effects.append(.load(load, at: position(at: now), playing: isPlaying))
        engine.holdsSound = true
        engine.isRunning = isPlaying
        sounding?.phase = .loading
    }

    private mutating func soundStarted(_ load: LoadNumber) {
        if load == upcoming?.number { return switchToUpcoming() }
        if load == unstaged { return wentOverTooSoon() }
        guard load == sounding?.number, let phase = sounding?.phase, phase != .preparing else { return }
        sounding?.isHungry = false
        guard phase == .loading else { return }
        sounding?.phase = .started
        sounding?.startedAt = now
        clearProblem()
        continueSeeking()
        reconsiderNext()
    }

    /// A good start: the trouble is over, unless it is the output's and nothing is heard as we are paused.
    mutating func clearProblem() {
        if state.problem?.code != .audioOutput || state.status == .playing { state.problem = nil }
    }

    private mutating func lengthBecameKnown(_ load: LoadNumber, _ length: Duration) {
        guard length > .zero else { return }
        if load == upcoming?.number {
            upcoming?.length = length
        } else if load == sounding?.number {
            holdClock()
            state.length = length
            sounding?.knowsLength = true
            noteLength(length)
        }
    }

    private mutating func feedRanDry(_ load: LoadNumber, at position: Duration) {
        guard load == sounding?.number, sounding?.phase != .preparing else { return }
        if sounding?.phase == .started, sounding?.isSeeking == false { setClock(to: steady(position)) }
        sounding?.isHungry = true
    }

    private mutating func feedGoesOn(_ load: LoadNumber, at position: Duration) {
        guard load == sounding?.number, sounding?.isHungry == true else { return }
        if sounding?.phase == .started, sounding?.isSeeking == false { setClock(to: steady(position)) }
        sounding?.isHungry = false
    }

    /// Where nobody but the engine says how long a sound is, as of one at an address or where VK says 0, its entries keep
    /// that.
    private mutating func noteLength(_ length: Duration) {
        guard var track = currentEntry?.track, track.address != nil || track.duration == 0 else { return }
        track.duration = max(1, Int((length / .seconds(1)).rounded()))
        redescribe(track)
    }

    /// The last sample was heard and nothing was joined to it: go on by an ordinary start.
    private mutating func soundEnded(_ load: LoadNumber) {
        guard load == sounding?.number, let phase = sounding?.phase, phase != .preparing else { return }
        engine.isRunning = false
        guard phase == .started else {
            // Without this a sound of no length would come round for ever.
            return loadFailed(load, Failure(.damagedSound, "The sound ended before it began."))
        }
        guard !wasScrap else {
            return loadFailed(load, Failure(.damagedSound, "The sound ended when it had hardly begun."))
        }
        goOnAfterEnd()
    }

    /// The engine went over to a sound that had just been taken back from it: the current one is at its end, and what
    /// comes now is what the order says now.
    private mutating func wentOverTooSoon() {
        unstaged = nil
        if sounding?.phase == .started { goOnAfterEnd() }
    }

    private mutating func goOnAfterEnd() {
        failuresInARow = 0
        let steps = upcoming?.steps ?? (order.repeatMode == .track ? 0 : 1)
        if state.sleepTimer == .endOfTrack { return sleepAtEnd(steps: steps) }
        if order.advance(by: steps) { startOrSelect() } else { halt() }
    }

    private mutating func volumeMoved(to volume: Double) {
        guard volume.isFinite else { return }
        let clamped = min(max(volume, 0), 1)
        guard clamped != state.volume else { return }
        state.volume = clamped
        save()
    }

    private mutating func outputChanged(to output: AudioOutput) {
        state.output = output
        switch output {
        case .ok:
            if state.problem?.code == .audioOutput { state.problem = nil }
            // It was waited for.
            if state.status == .playing, sounding == nil { start(at: position(at: now)) }
        case .missing: break
        case .lost:
            guard pausesOnLostOutput, state.status == .playing else { return }
            pause()
            state.problem = Failure(
                .audioOutput, "The audio output is gone or does not answer, so playback is paused.",
                subject: currentEntry?.track.id, retry: .later)
        }
    }
}
