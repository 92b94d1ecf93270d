/// The number of one attempt to make a track sound. Later events with another number are about something else.
public struct LoadNumber: Hashable, Sendable, Comparable, CustomStringConvertible {
    public var value: UInt64
    public init(_ value: UInt64) { self.value = value }
    public var description: String { "#\(value)" }
    public static func < (a: LoadNumber, b: LoadNumber) -> Bool { a.value < b.value }
}

/// Whether there is anything to hear through. Raw values are CONTRACT.md's `audioOutput`.
public enum AudioOutput: String, Sendable, Codable {
    case ok, missing, lost
}

/// A position that moves by itself: an anchor, and since when it runs. All times are monotonic, from any origin.
public struct PlayPosition: Sendable, Equatable {
    public var anchor: Duration
    /// The monotonic moment the clock started to run; nil while it stands still.
    public var runningSince: Duration?

    public init(anchor: Duration = .zero, runningSince: Duration? = nil) {
        self.anchor = anchor
        self.runningSince = runningSince
    }

    /// The position at `now`, within zero and `length` if that is known (mpris.md §4.6).
    public func value(at now: Duration, length: Duration?) -> Duration {
        let elapsed = runningSince.map { max(.zero, now - $0) } ?? .zero
        let position = max(.zero, anchor + elapsed)
        return length.map { min(position, $0) } ?? position
    }
}

/// The whole playback truth at one instant: everything a reader outside may see.
public struct PlaybackState: Sendable, Equatable {
    /// What the listener asked for; `isBuffering` says whether sound can follow.
    public enum Status: String, Sendable, Codable { case playing, paused, stopped }

    public var status: Status = .stopped
    /// Wanted to play, but bytes are missing: the clock stands still.
    public var isBuffering = false
    public var entries: [Entry] = []
    public var current: EntryID?
    /// Where the current entry is in `entries`, as the machine knows without looking; only a hint for `currentIndex`.
    var currentPlace: Int?
    /// The entries round the current one in the order of playing, at most `PlayOrder.mostNearby`.
    public var nearby: [Entry] = []
    public var position = PlayPosition()
    /// The truth about the current sound's length, once known; else VK's word.
    public var length: Duration?
    public var isSeekable = false
    public var shuffle = false
    public var repeatMode: RepeatMode = .off
    /// 0…1, as set; the stream is never louder.
    public var volume: Double = 1
    /// When playback is to pause by itself; nil = it is not.
    public var sleepTimer: SleepTimer?
    public var canGoNext = false
    public var canGoPrevious = false
    public var output: AudioOutput = .ok
    /// Why the last track did not play; cleared by the next good start.
    public var problem: Failure?

    public init() {}

    /// Index of the current entry in `entries`; as quick in a long queue as in a short one.
    public var currentIndex: Int? {
        if let place = currentPlace, entries.indices.contains(place), entries[place].id == current { return place }
        return current.flatMap { id in entries.firstIndex { $0.id == id } }
    }
    public var currentEntry: Entry? { currentIndex.map { entries[$0] } }
}

/// What survives a restart (CONTRACT.md §2 "queue, position, volume").
public struct SavedPlayback: Sendable, Equatable, Codable {
    public var entries: [Entry] = []
    public var current: EntryID?
    /// Seconds into the current track.
    public var position: Double = 0
    public var shuffle = false
    /// The order of a shuffled round, as entry ids; empty when not shuffled.
    public var order: [EntryID] = []
    /// The shuffled rounds played before it and announced after it, the nearest last.
    public var roundsBefore: [[EntryID]] = []
    public var roundsAfter: [[EntryID]] = []
    public var repeatMode: RepeatMode = .off
    public var volume: Double = 1
    /// The next entry number to give out, so that ids stay unique over restarts.
    public var nextEntry: UInt64 = 1

    public init() {}
}
