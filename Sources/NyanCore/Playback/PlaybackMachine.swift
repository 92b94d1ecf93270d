/// The player's mind: from what is wished and what happened to what is true now and what must be done.
///
/// A value without clocks, files or sound. `handle` takes one input and the monotonic moment it came at, and returns the
/// effects to run in that order; the caller feeds every answer back in. Answers about a load that is no longer alive
/// change nothing. Rules: mpris.md §4.2–4.6, DESIGN.md §4 and §7.
public struct PlaybackMachine: Sendable {
    /// What a reader outside may see, true as of the last `handle`.
    public internal(set) var state = PlaybackState()
    /// The setting `audio.on-output-lost`: pause when what one listens with goes away, or play on elsewhere.
    public var pausesOnLostOutput = true

    var queue: Queue
    var order: PlayOrder
    /// The attempt to make the current entry sound; nil when stopped, and when paused without a load.
    var sounding: SoundingLoad?
    /// The attempt to have the next entry ready; only ever beside a started `sounding`.
    var upcoming: UpcomingLoad?
    var engine = EngineSide()
    /// The last number given to a load.
    var lastLoad: UInt64 = 0
    /// How many tracks in a row failed without really having played (DESIGN.md §7).
    var failuresInARow = 0
    /// What is being heard, and for how long so far: what the history is told.
    var hearing: RunningHearing?
    /// How many plays of tracks there were.
    var lastHearing: UInt64 = 0
    /// Was taken back from the engine last: if it says that this one has begun, it was asked too late.
    var unstaged: LoadNumber?
    /// Where that row began.
    var firstFailed: EntryID?
    /// Since when the clock stands still although it should run: clients reckon on, so they are told when it runs again.
    var heldSince: Duration?
    /// The machine sleeps or is about to; counts only while the status is `playing`.
    var heldForSleep = false

    /// The moment of the input that is being handled.
    var now: Duration = .zero
    var effects: [PlaybackEffect] = []
    var mustSave = false
    var entriesChanged = false

    /// Takes up what was saved, or starts empty. Plays nothing by itself; a current entry that was under way shows as
    /// paused where it was. Damaged values (double ids, an unknown current entry, NaN) are put right silently.
    public init(restoring saved: SavedPlayback?, seed: UInt64) {
        let saved = saved ?? SavedPlayback()
        let restored = Queue(entries: saved.entries, nextNumber: saved.nextEntry)
        let current = saved.current.flatMap { restored[$0]?.id } ?? restored.entries.first?.id
        queue = restored
        order = PlayOrder(
            entries: restored.ids, current: current, shuffledOrder: saved.shuffle ? saved.order : nil,
            roundsBefore: saved.roundsBefore, roundsAfter: saved.roundsAfter, repeatMode: saved.repeatMode,
            random: SeededRandom(seed: seed))
        state.volume = saved.volume.isFinite ? min(max(saved.volume, 0), 1) : 1
        state.length = currentEntry?.track.length
        let isLive = currentEntry?.track.isLive ?? true
        if !isLive, current == saved.current, let position = Self.restoredPosition(saved, state.length) {
            state.status = .paused
            state.position.anchor = position
        }
        entriesChanged = true
        settle()
    }

    /// A second at which it makes sense to go on; nil for the start, the end and nonsense.
    private static func restoredPosition(_ saved: SavedPlayback, _ length: Duration?) -> Duration? {
        // A day and more is no position in a track, and a huge number would overflow a Duration.
        guard saved.position > 0, saved.position < 1_000_000 else { return nil }
        let position = Duration.seconds(saved.position)
        return length.map { position < $0 } ?? true ? position : nil
    }

    /// Takes one input in. `now` is monotonic, from any origin that stays the same.
    public mutating func handle(_ input: PlaybackInput, at now: Duration) -> [PlaybackEffect] {
        self.now = max(now, self.now)
        switch input {
        case .command(let command): endingHold(for: command) { $0.obey(command) }
        case .soundChanged(let load): soundBecameAnother(load)
        case .stoodStill(let since): goBack(to: since)
        case .willSleep: holdForSleep()
        case .didWake: goOnAfterSleep()
        case .engine(let event): hear(event)
        case .prepared(let load): soundIsReady(load)
        case .refused(let load, let failure): loadFailed(load, failure)
        case .bytesComplete(let load): allBytesCame(load)
        case .nearEnd(let load): endIsNear(load)
        case .positionReport(let load, let position): compare(load, with: position)
        case .trackChanged(let track): redescribe(track)
        case .timePassed: break
        }
        lookAtSleepTimer()
        settle()
        measureHearing()
        if mustSave { effects.append(.save) }
        defer {
            effects = []
            mustSave = false
        }
        return effects
    }

    /// What must be stored so that a restart at `now` (same clock as `handle`) goes on here.
    public func saved(at now: Duration) -> SavedPlayback {
        var saved = SavedPlayback()
        saved.entries = queue.entries
        saved.current = order.current
        saved.position = position(at: now) / .seconds(1)
        saved.shuffle = order.isShuffled
        saved.order = order.isShuffled ? order.round : []
        saved.roundsBefore = order.roundsBefore
        saved.roundsAfter = order.roundsAfter
        saved.repeatMode = order.repeatMode
        saved.volume = state.volume
        saved.nextEntry = queue.nextNumber
        return saved
    }

    /// The load that belongs to the current entry, whether heard already or not: what reports must be about.
    public var currentLoad: LoadNumber? { sounding?.number }

    var currentEntry: Entry? { order.current.flatMap { queue[$0] } }

    func position(at now: Duration) -> Duration { state.position.value(at: now, length: state.length) }
}

extension PlaybackMachine {
    /// Whether sound advances right now, as far as we know.
    private var clockShouldRun: Bool {
        guard state.status == .playing, !heldForSleep, let sounding else { return false }
        return sounding.phase == .started && !sounding.isHungry && !sounding.isSeeking
    }

    /// Brings everything that follows from the rest into step: called at the end of every input.
    private mutating func settle() {
        if entriesChanged {
            state.entries = queue.entries
            entriesChanged = false
        }
        state.current = order.current
        state.currentPlace = order.current.flatMap { queue.index(of: $0) }
        state.nearby = order.nearby.compactMap { queue[$0] }
        state.shuffle = order.isShuffled
        state.repeatMode = order.repeatMode
        state.canGoNext = order.hasNext
        state.canGoPrevious = order.hasPrevious
        state.isBuffering =
            state.status == .playing && (sounding?.phase != .started || sounding?.isHungry == true || heldForSleep)
        // While stopped there is no position to move (mpris.md §4.2).
        state.isSeekable = state.current != nil && state.status != .stopped && state.length != nil
        settleClock()
    }

    private mutating func settleClock() {
        if clockShouldRun {
            if state.position.runningSince == nil { state.position.runningSince = now }
            if let since = heldSince, now - since > Self.tolerableStall { announceJump(once: true) }
            heldSince = nil
        } else {
            holdClock()
            heldSince = state.status == .playing ? heldSince ?? now : nil
        }
    }

    /// A stall that clients do not notice; after a longer one they are told the position (mpris.md §4.5).
    static var tolerableStall: Duration { .seconds(1) }

    /// Stops the clock where it is.
    mutating func holdClock() {
        guard state.position.runningSince != nil else { return }
        state.position = PlayPosition(anchor: position(at: now))
    }

    /// Puts the clock to a position; `settle` lets it run on if it should.
    mutating func setClock(to position: Duration) {
        state.position = PlayPosition(anchor: max(.zero, position))
    }

    /// Tells the present position as a jump; `once` = unless this input has told one already.
    mutating func announceJump(once: Bool = false) {
        if once, effects.contains(where: { if case .announceJump = $0 { true } else { false } }) { return }
        effects.append(.announceJump(position(at: now)))
    }

    mutating func save() { mustSave = true }

    mutating func editQueue<Result>(_ edit: (inout Queue) -> Result) -> Result {
        // Lets go of the second reference first, so that the edit happens in place and copies nothing.
        state.entries = []
        entriesChanged = true
        return edit(&queue)
    }
}
