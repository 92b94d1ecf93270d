/// Decides of which tracks the desktop is told (`desktop.notify`), and when.
///
/// A value without I/O. A new entry is told once it has been heard for half a second, so that a burst of `next` tells of the
/// last one only; a pause, a seek and the same entry once more tell nothing. What is learnt of it soon after (its cover most
/// of all) is told again in its place. After each input the caller comes back with `.moment` at `nextMoment`.
public struct TrackNoticeMachine: Sendable {
    /// What is heard, as it is shown.
    public struct Heard: Sendable, Equatable {
        public var entry: EntryID
        public var title: String
        public var artist: String
        public var album: String?
        /// Absolute path of its cover.
        public var picture: String?

        public init(entry: EntryID, title: String, artist: String, album: String? = nil, picture: String? = nil) {
            self.entry = entry
            self.title = title
            self.artist = artist
            self.album = album
            self.picture = picture
        }

        var notice: Notice {
            let names = [artist, album ?? ""].filter { !$0.isEmpty }
            return Notice(
                .track, title: title.isEmpty ? names.first ?? "" : title,
                body: (title.isEmpty ? Array(names.dropFirst()) : names).joined(separator: " · "), picture: picture)
        }
    }

    public enum Input: Sendable, Equatable {
        /// The setting. What is heard when it is turned on is no news.
        case setOn(Bool)
        case heard(Heard)
        /// Paused, or waiting for bytes.
        case silent
        case stopped
        case moment
    }

    /// So long an entry is heard before it is told.
    static let calm = Duration.milliseconds(500)
    /// So long after that what is learnt of it is told again.
    static let late = Duration.seconds(2)

    private var isOn = false
    /// Turned on, and not yet looked at what is heard.
    private var isFresh = false
    /// The entry that was told last, or is no news.
    private var known: EntryID?
    /// What was told of it, and until when that may be told better.
    private var told: (what: Heard, until: Duration)?
    /// What is heard and not told yet, and since when.
    private var waiting: (what: Heard, since: Duration)?

    public init() {}

    /// When to come back with `.moment`; nil = when something happens.
    public var nextMoment: Duration? { waiting.map { $0.since + Self.calm } }

    /// - Returns: what is to be shown now, in the place of the one before.
    public mutating func handle(_ input: Input, at now: Duration) -> Notice? {
        switch input {
        case .setOn(let on):
            if on, !isOn { isFresh = true }
            if !on { forget() }
            isOn = on
        case .stopped: forget()
        case .silent:
            isFresh = false
            waiting = nil
        case .heard(let what):
            guard isOn else { return nil }
            if isFresh { known = what.entry }
            isFresh = false
            if what.entry == known { return better(what, at: now) }
            let isSame = waiting?.what.entry == what.entry
            waiting = (what, isSame ? waiting?.since ?? now : now)
        case .moment: break
        }
        return due(at: now)
    }

    /// An end: what begins after it is news, were it the same entry.
    private mutating func forget() {
        isFresh = false
        known = nil
        told = nil
        waiting = nil
    }

    private mutating func due(at now: Duration) -> Notice? {
        guard isOn, let waiting, waiting.since + Self.calm <= now else { return nil }
        self.waiting = nil
        known = waiting.what.entry
        told = (waiting.what, now + Self.late)
        return waiting.what.notice
    }

    /// The entry that was told is heard still: whether more is known of it now.
    private mutating func better(_ what: Heard, at now: Duration) -> Notice? {
        waiting = nil
        guard let told, now <= told.until else { return nil }
        var what = what
        what.picture = what.picture ?? told.what.picture
        guard what != told.what else { return nil }
        self.told = (what, told.until)
        return what.notice
    }
}
