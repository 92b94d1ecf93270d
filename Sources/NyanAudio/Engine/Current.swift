internal import NyanCore

/// What is staged or handed over to follow the current sound.
struct Following {
    let load: LoadNumber
    let sound: Sound
    let feed: Feed
    /// Its beginning is there.
    var isReady = false
    var missingPlugin: String?

    init(_ load: LoadNumber, _ sound: Sound, _ feed: Feed) {
        self.load = load
        self.sound = sound
        self.feed = feed
    }
}

/// A sound that was heard to its end, which nobody was told: the listener still takes it for the current one, and may wish
/// to be elsewhere in it.
struct UntoldEnd {
    let load: LoadNumber
    let sound: Sound
    /// The length that was told.
    let length: Duration?
    let isMeasured: Bool

    init(_ heard: Current) {
        load = heard.load
        sound = heard.sound
        length = heard.length
        isMeasured = heard.isMeasured
    }
}

/// The load that is in the pipeline, and how far it has come.
struct Current {
    enum Phase {
        /// Waits for its first sample.
        case prerolling
        /// Has its first sample and seeks to where it is to start.
        case positioning
        /// Sounds, or would if it were not paused.
        case sounding
        /// Ended or failed; the pipeline rests.
        case over
    }

    let load: LoadNumber
    let sound: Sound
    let feed: Feed
    var phase = Phase.prerolling
    /// Where it is to start.
    var startAt: Duration
    /// The pipeline says it has its first sample. It also says so of a picture, and sometimes before the sink has any.
    var isPrerolled = false
    /// `started` was told.
    var isTold = false
    /// `hungry` was told and not yet `fed`.
    var isHungerTold = false
    /// The stream group of this sound: another one on the bus means the next sound is heard.
    var group: UInt32?
    /// A seek that was asked for and is not done yet.
    var seekTarget: Duration?
    /// The newest wish that came while a seek or the start was under way.
    var nextSeek: Duration?
    /// Where the clock is held because the feed ran dry.
    var heldAt: Duration?
    /// Where we believe the sound is, for when the pipeline cannot say (after an error it says zero).
    var clock: PlayPosition
    /// The length that was told.
    var length: Duration?
    /// A walk over the frames is under way or done.
    var isMeasured = false
    /// What decoder the pipeline asked for in vain.
    var missingPlugin: String?
    /// It was sought to an offset that we reckoned ourselves.
    var hasMoved = false
    /// The output was opened afresh once for this load.
    var hasRetriedOutput = false
    /// The one before, which came to its end while this one had yet to show what it is. Whoever listens hears of that end by
    /// this one's start, as at any join, or where it never starts, for itself.
    var untoldEnd: UntoldEnd?

    init(_ load: LoadNumber, _ sound: Sound, _ feed: Feed, startAt: Duration) {
        self.load = load
        self.sound = sound
        self.feed = feed
        self.startAt = startAt
        clock = PlayPosition(anchor: startAt)
    }

    /// The same load once more from the beginning, with another feed: what was told of it stays told, and what is wished of
    /// it stays wished.
    func again(_ feed: Feed, startAt: Duration) -> Current {
        var next = Current(load, sound, feed, startAt: startAt)
        next.isTold = isTold
        next.untoldEnd = untoldEnd
        next.isHungerTold = isHungerTold
        next.length = length
        next.isMeasured = isMeasured
        next.seekTarget = seekTarget
        next.nextSeek = nextSeek
        next.hasRetriedOutput = hasRetriedOutput
        return next
    }

    /// Bytes a second, from size and length, else as the best MP3 has them.
    var bytesPerSecond: Double {
        guard let size = sound.bytes.size, let seconds = (length ?? sound.expectedLength)?.inSeconds, seconds > 1 else {
            return 40_000
        }
        return Double(size) / seconds
    }

    /// What must be there before a dry feed plays on: 3 s, at least 96 KiB.
    var refillBytes: Int64 { max(96 << 10, Int64(bytesPerSecond * 3)) }

    /// Whether every byte up to `position` is there, with a margin for the estimate.
    func hasBytes(upTo position: Duration) -> Bool {
        if sound.bytes.isComplete { return true }
        let estimate = position.inSeconds * bytesPerSecond * 1.05
        return sound.bytes.available(from: 0) >= Int64(estimate) + 64 << 10
    }

    /// Moves the believed clock to `position`, running or not.
    mutating func setClock(_ position: Duration, running: Bool) {
        clock = PlayPosition(anchor: position, runningSince: running ? monotonicNow() : nil)
    }
}
