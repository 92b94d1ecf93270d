// The ways in which what sounds begins and ends. Only these functions create and drop loads of the current entry.
extension PlaybackMachine {
    mutating func newLoad() -> LoadNumber {
        lastLoad += 1
        return LoadNumber(lastLoad)
    }

    /// Starts the current entry of the order: playing is true from now on, sound follows when its bytes are there.
    ///
    /// An old sound is silenced but kept in the engine, so that the output stays open for the new one; the new bytes
    /// are asked for before the old are let go, in case they are the same.
    mutating func start(at position: Duration = .zero) {
        guard let entry = currentEntry else { return }
        let position = entry.track.isLive ? .zero : position
        setRunning(false)
        let load = newLoad()
        effects.append(.prepare(load, entry, .current))
        releaseLoads()
        sounding = SoundingLoad(number: load)
        state.status = .playing
        beginHearing(entry, at: position)
        show(entry, at: position)
        save()
    }

    /// Makes the current entry of the order the shown one without sound; paused stays paused, stopped stays stopped.
    mutating func select() {
        guard let entry = currentEntry else { return }
        stopEngine()
        releaseLoads()
        endHearing()
        show(entry, at: .zero)
        save()
    }

    /// Begins with the current entry of the order in the status that is.
    mutating func startOrSelect() {
        if state.status == .playing { start() } else { select() }
    }

    /// Stopped at 0; the current entry stays, so that `play` starts it again (mpris.md §4.2 Stop).
    mutating func halt() {
        state.status = .stopped
        stopEngine()
        releaseLoads()
        endHearing()
        setClock(to: .zero)
        state.length = currentEntry?.track.length
        save()
    }

    /// Lets the load go but stays on the entry, at the same second, paused: `play` makes a new attempt there.
    mutating func parkPaused() {
        state.status = .paused
        park()
    }

    /// Lets the load go and stays on the entry, at the same second, playing: goes on there when there is an output.
    mutating func waitForOutput() {
        park()
        effects.append(.awaitOutput)
    }

    private mutating func park() {
        let length = state.length
        let position = position(at: now)
        stopEngine()
        releaseLoads()
        setClock(to: position)
        state.length = length
        save()
    }

    /// Shows an entry at a position, and tells clients when the same entry was shown at another one.
    private mutating func show(_ entry: Entry, at position: Duration) {
        let before = self.position(at: now)
        let isSame = state.current == entry.id
        setClock(to: position)
        heldSince = nil
        if !isSame || position == .zero { state.length = entry.track.length }
        if isSame, state.status != .stopped, before != position { announceJump() }
    }

    /// Tells the engine to run or to wait, if it holds a sound and does not do so already.
    mutating func setRunning(_ running: Bool) {
        guard engine.holdsSound, engine.isRunning != running else { return }
        engine.isRunning = running
        effects.append(.setPlaying(running))
    }

    mutating func stopEngine() {
        guard engine.holdsSound else { return }
        engine.holdsSound = false
        engine.isRunning = false
        effects.append(.stopEngine)
    }

    /// Drops both loads. What was staged needs no `unstage`: the engine is stopped or about to load another sound.
    mutating func releaseLoads() {
        if let sounding { effects.append(.release(sounding.number)) }
        if let upcoming { effects.append(.release(upcoming.number)) }
        sounding = nil
        upcoming = nil
        unstaged = nil
    }
}
