import NyanCore

/// How long a player's transfer is tried again before its track is given up.
///
/// README "When the network goes away" tells listeners these times.
struct LoadPatience: Sendable, Equatable {
    /// Some of it was heard already: worth waiting for longer than a track that never began. The same goes for the time
    /// after the machine woke, whose network needs some seconds to be there again.
    var isSounding: Bool

    /// A wait that took so much longer than asked was none: the process was stopped meanwhile (SIGSTOP), and neither the
    /// network nor the listener has lost patience.
    static let oversleep = Duration.seconds(5)

    /// Fewer bytes than this are no sign of life: a server that drips is as good as silent. For a sound of a known size
    /// it is a hundredth of it, if that is less.
    static func leastProgress(total: Int64?) -> Int64 { max(1, min(1024, (total ?? .max) / 100)) }

    /// For so long after a wake-up the network may be on its way.
    static let afterWake = Duration.seconds(60)

    /// A listener who hears silence for a minute would have pressed next; a track that never began is skipped sooner.
    private var patience: Duration { isSounding ? .seconds(60) : .seconds(8) }

    /// So long may nothing at all come while nothing is heard, even if nobody reports trouble.
    var silence: Duration { isSounding ? .seconds(60) : .seconds(10) }

    /// The pause before the next attempt; nil = give up.
    func pause(afterAttempt attempt: Int, troubleFor: Duration, failure: Failure) -> Duration? {
        let backOff = Duration.seconds(min(8, 1 << min(attempt, 3)))
        let pause: Duration
        switch failure.retry {
        case .never: return nil
        case .later: pause = backOff
        case .after(let seconds):
            // Also keeps a number that no Duration can hold out of it.
            guard seconds <= patience / .seconds(1) else { return nil }
            pause = max(backOff, .seconds(max(0, seconds)))
        }
        return troubleFor + pause <= patience ? pause : nil
    }
}
