// Moves within the current track. The position shows the wish at once; it is announced when the engine is there.
extension PlaybackMachine {
    /// Relative: before 0 is 0, beyond the end is `next` (mpris.md §4.2 Seek).
    mutating func seek(by offset: Duration) {
        guard state.isSeekable, let length = state.length else { return }
        // Clients send the greatest number there is; a sum must not overflow.
        let target = position(at: now) + min(max(offset, .zero - Self.farAway), Self.farAway)
        if target > length { next() } else { jump(to: max(.zero, target)) }
    }

    /// Absolute: a stale entry and a position out of range are ignored (mpris.md §4.2 SetPosition).
    mutating func seek(to position: Duration, in entry: EntryID?) {
        guard state.isSeekable, let length = state.length, position >= .zero, position <= length else { return }
        guard entry == nil || entry == order.current else { return }
        jump(to: position)
    }

    private static var farAway: Duration { .seconds(100_000_000) }

    /// Goes to a position of the current track, by the engine if it has the sound. The wish is saved as it is taken: the engine
    /// may take long to be there, or die before it is.
    mutating func jump(to position: Duration) {
        setClock(to: position)
        switch sounding?.phase {
        case nil, .preparing:
            // Nothing to move yet: the sound will start there.
            announceJump()
        case .loading: sounding?.pendingSeek = position
        case .started:
            if sounding?.seekInFlight == true { sounding?.pendingSeek = position } else { askToSeek(position) }
        }
        save()
    }

    private mutating func askToSeek(_ position: Duration) {
        sounding?.pendingSeek = nil
        sounding?.seekInFlight = true
        effects.append(.seek(position))
    }

    /// Asks for the seek that had to wait, if one did.
    mutating func continueSeeking() {
        // The track may have proved shorter in the meantime.
        if let position = sounding?.pendingSeek { askToSeek(state.length.map { min(position, $0) } ?? position) }
    }

    /// The engine reached a position: tell it, unless the listener has already wished for another.
    mutating func seekDone(_ load: LoadNumber, at position: Duration) {
        guard load == sounding?.number, sounding?.phase == .started else { return }
        guard sounding?.seekInFlight == true else { return reanchor(to: position) }
        sounding?.seekInFlight = false
        guard sounding?.pendingSeek == nil else { return continueSeeking() }
        setClock(to: position)
        announceJump()
        save()
    }

    /// A position the engine told when asked: keeps the clock true.
    mutating func compare(_ load: LoadNumber, with position: Duration) {
        guard load == sounding?.number, state.position.runningSince != nil else { return }
        let shown = self.position(at: now)
        let lag = shown - max(.zero, position)
        if lag > Self.jitter && lag <= Self.tolerableStall {
            // A sound server that took its time to begin: the clock waits for the sound instead of going back.
            state.position = PlayPosition(anchor: shown, runningSince: now + lag)
        } else {
            reanchor(to: position)
        }
    }

    /// By so much reports differ from the truth by themselves.
    private static var jitter: Duration { .milliseconds(300) }

    /// Corrects the clock; a big difference is a jump that clients cannot know of.
    private mutating func reanchor(to position: Duration) {
        let shown = self.position(at: now)
        let position = steady(position)
        guard position != shown else { return }
        setClock(to: position)
        if position > shown + Self.tolerableStall || position < shown - Self.tolerableStall { announceJump() }
    }

    /// A reported position, or the shown one where the report is a little behind it: a clock that runs must not go back
    /// for mere jitter (mpris.md §4.6).
    func steady(_ reported: Duration) -> Duration {
        let shown = position(at: now)
        return reported < shown && shown - reported <= Self.jitter ? shown : max(.zero, reported)
    }
}
