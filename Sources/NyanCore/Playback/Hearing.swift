/// One play of a track, long enough to count as heard.
public struct Hearing: Sendable, Equatable {
    /// Tells plays apart while the program runs: the same track twice is two.
    public var number: UInt64
    public var track: Track
    /// The monotonic moment at which it began.
    public var began: Duration
    /// How long it sounded so far; what was skipped by seeking does not count, what was heard twice counts twice.
    public var heard: Duration

    public init(number: UInt64, track: Track, began: Duration, heard: Duration) {
        self.number = number
        self.track = track
        self.began = began
        self.heard = heard
    }
}

/// A play that goes on.
struct RunningHearing: Sendable, Equatable {
    var hearing: Hearing
    var entry: EntryID
    /// Since when it sounds; nil while it does not.
    var runningSince: Duration?
    /// What was told last; nil = too short so far to be told.
    var told: Duration?

    /// From when on a play counts: 30 seconds, or half of a track that is shorter than a minute.
    static func threshold(length: Duration?) -> Duration {
        let half = length.map { $0 / 2 } ?? .seconds(30)
        return half > .zero ? min(half, .seconds(30)) : .seconds(30)
    }
}

// What was really heard, for the history: measured by the clock that runs only while sound does.
extension PlaybackMachine {
    /// A play begins, unless an interrupted one of the same entry goes on at its place.
    mutating func beginHearing(_ entry: Entry, at position: Duration) {
        if position > .zero, hearing?.entry == entry.id { return }
        endHearing()
        lastHearing += 1
        let fresh = Hearing(number: lastHearing, track: entry.track, began: now, heard: .zero)
        hearing = RunningHearing(hearing: fresh, entry: entry.id)
    }

    mutating func endHearing() {
        countHearing()
        tellHearing(counting: counts)
        hearing = nil
    }

    /// Brings the count up to this moment; called at the end of every input.
    mutating func measureHearing() {
        countHearing()
        guard var running = hearing else { return }
        let runs = state.position.runningSince != nil
        running.runningSince = runs ? now : nil
        // A better description, if there is one by now.
        if let entry = currentEntry, entry.id == running.entry { running.hearing.track = entry.track }
        hearing = running
        if running.told == nil ? counts : !runs { tellHearing(counting: counts) }
    }

    /// Whether what was heard so far is enough.
    private var counts: Bool {
        hearing.map { $0.hearing.heard >= RunningHearing.threshold(length: state.length) } ?? false
    }

    /// The play that goes on as it is at `now`, if that is more than was told: for the end of the program.
    public func lastHearing(at now: Duration) -> Hearing? {
        guard var running = hearing else { return nil }
        if let since = running.runningSince { running.hearing.heard += max(.zero, now - since) }
        let isEnough = running.hearing.heard >= RunningHearing.threshold(length: state.length)
        return isEnough && running.told != running.hearing.heard ? running.hearing : nil
    }

    private mutating func countHearing() {
        guard let since = hearing?.runningSince else { return }
        hearing?.hearing.heard += max(.zero, now - since)
        hearing?.runningSince = now
    }

    /// Tells what is new of it; a play that does not count is not told.
    private mutating func tellHearing(counting: Bool = false) {
        guard let running = hearing, running.told != nil || counting, running.told != running.hearing.heard else {
            return
        }
        hearing?.told = running.hearing.heard
        effects.append(.heard(running.hearing))
    }
}
