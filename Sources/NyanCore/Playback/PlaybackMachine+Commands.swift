// What a listener wishes, by mpris.md §4.2. Edits of the queue are in +Edits, moves within a track in +Seek.
extension PlaybackMachine {
    mutating func obey(_ command: PlaybackCommand) {
        switch command {
        case .play: play()
        case .pause: pause()
        case .toggle: if state.status == .playing { pause() } else { play() }
        case .stop: stop()
        case .next: next()
        case .previous: previous()
        case .seekBy(let offset): seek(by: offset)
        case .seekTo(let position, let entry): seek(to: position, in: entry)
        case .setVolume(let volume): setVolume(volume)
        case .setShuffle(let shuffled): setShuffle(shuffled)
        case .setRepeat(let mode): setRepeat(mode)
        case .playTracks(let tracks, let index): playTracks(tracks, startAt: index)
        case .playNow(let tracks): playNow(tracks)
        case .go(let entry): go(to: entry)
        case .skip(let entry): skip(to: entry)
        case .insert(let tracks, let entry, let becomingCurrent):
            insert(tracks, after: entry, becomingCurrent: becomingCurrent)
        case .add(let tracks, let next): add(tracks, next: next)
        case .remove(let entries): remove(entries)
        case .move(let entry, let index): move(entry, to: index)
        case .clear: clear()
        case .setSleepTimer(let wish): setSleepTimer(wish)
        }
    }

    private mutating func play() {
        switch state.status {
        case .playing: return
        case .stopped:
            failuresInARow = 0
            start()
        case .paused:
            failuresInARow = 0
            guard sounding != nil else { return start(at: position(at: now)) }
            state.status = .playing
            // The output is tried again; if it is still away, the engine says so.
            if state.problem?.code == .audioOutput { state.problem = nil }
            if sounding?.phase != .preparing { setRunning(true) }
        }
    }

    mutating func pause() {
        guard state.status == .playing else { return }
        state.status = .paused
        setRunning(false)
        save()
    }

    private mutating func stop() {
        guard state.status != .stopped else { return }
        halt()
    }

    /// The next in the order of playing; nothing at all where there is none.
    mutating func next() {
        guard order.advance(by: 1) else { return }
        failuresInARow = 0
        startOrSelect()
    }

    /// Back to the start of the track when well into it, else to the one that played before.
    private mutating func previous() {
        guard state.current != nil else { return }
        if state.status != .stopped, position(at: now) > Self.restartThreshold { return jump(to: .zero) }
        guard order.goBack() else { return }
        failuresInARow = 0
        startOrSelect()
    }

    /// Beyond this, `previous` means the start of the same track.
    static var restartThreshold: Duration { .seconds(3) }

    private mutating func go(to entry: EntryID) {
        guard queue.index(of: entry) != nil else { return }
        order.jump(to: entry)
        failuresInARow = 0
        start()
    }

    private mutating func setVolume(_ volume: Double) {
        guard volume.isFinite else { return }
        let clamped = min(max(volume, 0), 1)
        guard clamped != state.volume else { return }
        state.volume = clamped
        engine.knowsVolume = true
        effects.append(.setVolume(clamped))
        save()
    }

    private mutating func setShuffle(_ shuffled: Bool) {
        guard shuffled != order.isShuffled else { return }
        order.setShuffled(shuffled, entries: queue.ids)
        reconsiderNext()
        save()
    }

    private mutating func setRepeat(_ mode: RepeatMode) {
        guard mode != order.repeatMode else { return }
        order.repeatMode = mode
        reconsiderNext()
        save()
    }
}
