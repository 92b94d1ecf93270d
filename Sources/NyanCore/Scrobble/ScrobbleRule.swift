/// The play that is under way, as the player knows it at one moment.
public struct RunningPlay: Sendable, Equatable {
    /// With what was heard of it until this moment.
    public var hearing: Hearing
    /// nil = nobody knows.
    public var length: Duration?
    /// Its sound advances now.
    public var isSounding: Bool

    public init(hearing: Hearing, length: Duration?, isSounding: Bool) {
        self.hearing = hearing
        self.length = length
        self.isSounding = isSounding
    }
}

extension PlaybackMachine {
    /// What is being heard, or was until a pause; nil where nothing is. `now`: same clock as `handle`.
    public func runningPlay(at now: Duration) -> RunningPlay? {
        guard var running = hearing else { return nil }
        if let since = running.runningSince { running.hearing.heard += max(.zero, now - since) }
        return RunningPlay(
            hearing: running.hearing, length: state.length, isSounding: state.position.runningSince != nil)
    }
}

/// Decides when a play is told as "now playing", and when it counts as listened to: half of it, or four minutes, of a
/// track longer than 30 seconds (Last.fm's rule, which ListenBrainz shares).
///
/// A value without I/O. What counts is sound that was really heard, by the clock that runs only while sound does
/// (`Hearing`): pauses, stalls and what a seek passes over are not heard, what is heard twice is. A play counts once,
/// however often it is gone back in; the same track once more is another play.
public struct ScrobbleRule: Sendable {
    public enum Input: Sendable, Equatable {
        /// What is under way, told at each change and once a second while it sounds.
        case play(RunningPlay?)
        /// What was heard of a play in all; also told while it goes on.
        case heard(Hearing)
    }

    public enum Effect: Sendable, Equatable {
        case nowPlaying(Listen)
        /// Told once for each play that counts.
        case listened(Listen)
    }

    /// A track of this length or less never counts.
    public static let shortest = Duration.seconds(30)
    /// So much is enough of a track of any length.
    public static let longestNeeded = Duration.seconds(240)
    /// So long a track sounds before it is told as playing: who skips through a queue does not tell everybody.
    static let settling = Duration.seconds(3)
    /// After a longer pause it is told again: the sites have forgotten it.
    static let longPause = Duration.seconds(60)
    /// 2020: a machine that says less does not know the time yet. Seconds since 1970.
    static let earliestClock: Int64 = 1_577_836_800

    private struct Play: Sendable {
        var number: UInt64
        var track: Track
        var length: Duration?
        var heard: Duration
        /// When sound began, by both clocks; nil = it has not yet.
        var sounded: (moment: Duration, clock: Int64)?
        var soundingSince: Duration?
        var silentSince: Duration?
        var isCounted = false
        var isTold = false
    }

    private var current: Play?

    public init() {}

    /// How much of a track must be heard; nil = it never counts. Of one whose length nobody knows: four minutes.
    public static func needed(length: Duration?) -> Duration? {
        guard let length else { return longestNeeded }
        return length > shortest ? min(length / 2, longestNeeded) : nil
    }

    /// `now` is monotonic, `clock` in seconds since 1970.
    public mutating func handle(_ input: Input, at now: Duration, clock: Int64) -> [Effect] {
        switch input {
        case .play(nil):
            current = nil
            return []
        case .play(let play?):
            look(at: play, now, clock)
            return tellPlaying(at: now) + count(at: now, clock)
        case .heard(let hearing):
            guard current?.number == hearing.number else { return [] }
            current?.heard = hearing.heard
            return count(at: now, clock)
        }
    }

    private mutating func look(at running: RunningPlay, _ now: Duration, _ clock: Int64) {
        let hearing = running.hearing
        var play = Play(number: hearing.number, track: hearing.track, heard: hearing.heard)
        if let known = current, known.number == hearing.number { play = known }
        play.track = hearing.track
        play.length = running.length
        play.heard = hearing.heard
        if running.isSounding {
            if play.sounded == nil {
                // A play that is met in its middle began when the player says; else its sound has just begun.
                let age = hearing.heard > .seconds(2) ? max(.zero, now - hearing.began) : hearing.heard
                play.sounded = (now - age, clock - Int64(age / .seconds(1)))
            }
            if play.soundingSince == nil { play.soundingSince = now }
            if let silent = play.silentSince, now - silent >= Self.longPause { play.isTold = false }
            play.silentSince = nil
        } else {
            play.soundingSince = nil
            if play.silentSince == nil { play.silentSince = now }
        }
        current = play
    }

    private mutating func tellPlaying(at now: Duration) -> [Effect] {
        guard let play = current, !play.isTold, let since = play.soundingSince, now - since >= Self.settling,
            let began = play.sounded?.clock, let listen = Listen(play.track, length: play.length, began: began)
        else { return [] }
        current?.isTold = true
        return [.nowPlaying(listen)]
    }

    private mutating func count(at now: Duration, _ clock: Int64) -> [Effect] {
        guard let play = current, !play.isCounted, let needed = Self.needed(length: play.length),
            play.heard >= needed, let sounded = play.sounded
        else { return [] }
        var began = sounded.clock
        // The machine has learnt the time since.
        if began < Self.earliestClock { began = clock - Int64((now - sounded.moment) / .seconds(1)) }
        guard began >= Self.earliestClock, let listen = Listen(play.track, length: play.length, began: began) else {
            return []
        }
        current?.isCounted = true
        return [.listened(listen)]
    }
}
