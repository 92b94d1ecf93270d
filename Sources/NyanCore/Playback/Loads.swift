/// The attempt to make the current entry sound, from the first wish for its bytes to its end.
struct SoundingLoad: Sendable, Equatable {
    enum Phase: Sendable, Equatable {
        /// Its bytes are being found; the engine does not know it yet.
        case preparing
        /// Handed to the engine, nothing heard yet.
        case loading
        /// The engine said `started`.
        case started
    }

    var number: LoadNumber
    var phase = Phase.preparing
    /// The feed ran dry: the clock stands still.
    var isHungry = false
    /// The engine was asked to seek and has not answered; only ever one at a time.
    var seekInFlight = false
    /// Where to seek once the one in flight is done, or once the load has started.
    var pendingSeek: Duration?
    /// All bytes are there or the end is near: the next may be prepared.
    var wantsNext = false
    /// `nearEnd` came, which gives entries that failed before a second chance, once.
    var isNearEnd = false
    /// The engine told the length, so VK's word no longer counts.
    var knowsLength = false
    /// When the sound began.
    var startedAt: Duration?
    /// How often the server gave another file for the same entry.
    var renewals = 0
    /// Entries that could not be had as the next one.
    var passedOver = Set<EntryID>()
    /// Something is not installed that whatever follows needs: nothing is prepared beside it any more.
    var endsAlone = false

    init(number: LoadNumber) { self.number = number }

    var isSeeking: Bool { seekInFlight || pendingSeek != nil }
}

/// The attempt to have the sound that follows ready before the current one ends.
struct UpcomingLoad: Sendable, Equatable {
    var number: LoadNumber
    var entry: EntryID
    /// How far it is from the current entry in the order of playing; 0 = the same one again (`RepeatMode.track`).
    var steps: Int
    /// Joined to the end of the current one.
    var isStaged = false
    /// All its bytes are there: at the switch the one after it may be prepared at once.
    var hasAllBytes = false
    var length: Duration?
}

/// What the engine was last told.
struct EngineSide: Sendable, Equatable {
    /// It holds a sound, maybe one of a dead load that waits to be replaced.
    var holdsSound = false
    /// Its sound is running.
    var isRunning = false
    /// It brings the sound down to silence.
    var isFading = false
    /// It was told the volume, which must happen before the first sound (field-issues.md B1).
    var knowsVolume = false
}
