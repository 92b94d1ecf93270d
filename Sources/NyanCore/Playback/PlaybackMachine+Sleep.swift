// The machine's sleep (field-issues.md A9, B12). What plays is held before, and goes on where it was afterwards; what is
// paused or stopped stays so. While it is held the status remains `playing` and the clock stands, as in any other stall.
extension PlaybackMachine {
    /// Whether the sound is held because the machine sleeps or is about to.
    public var isHeldForSleep: Bool { heldForSleep && state.status == .playing }

    /// The machine is about to sleep. Twice in a row is as good as once.
    mutating func holdForSleep() {
        save()
        guard state.status == .playing, !heldForSleep else { return }
        setRunning(false)
        heldForSleep = true
    }

    /// The machine woke, announced before or not. What played goes on at the same second; clients, whose clocks ran on
    /// meanwhile, are told it. `failuresInARow` of before says nothing about the world after.
    mutating func goOnAfterSleep() {
        failuresInARow = 0
        heldForSleep = false
        guard state.status == .playing else { return }
        sounding?.passedOver = []
        if sounding == nil {
            start(at: position(at: now))
        } else if sounding?.phase != .preparing {
            setRunning(true)
            reconsiderNext()
        }
        announceJump(once: true)
    }

    /// The process was stopped. Sinks make up for lost time by leaving out sound, so the load is begun anew at the second
    /// that was heard last; what the old one still has to tell is about nothing.
    mutating func goBack(to moment: Duration) {
        guard state.status == .playing, sounding?.phase == .started, state.position.runningSince != nil else { return }
        start(at: position(at: moment))
    }

    /// Somebody who wants to hear something is awake, so the machine is: the hold ends, should nobody have told so.
    mutating func endingHold(for command: PlaybackCommand, _ obey: (inout Self) -> Void) {
        // Paused or stopped by hand since: nothing is left to go on after the sleep.
        if !isHeldForSleep { heldForSleep = false }
        let (wasHeld, load) = (heldForSleep, lastLoad)
        obey(&self)
        guard wasHeld, isHeldForSleep else { return }
        if lastLoad != load { heldForSleep = false } else if command == .play { goOnAfterSleep() }
    }

    /// What fails while the machine falls asleep (the network goes first) is tried again at the same second after it.
    mutating func parkHeld() {
        let length = state.length
        let position = position(at: now)
        stopEngine()
        releaseLoads()
        setClock(to: position)
        state.length = length
        save()
    }
}
