/// Decides when the journal's listens go to one site, how many at once, and when not: after a refusal, in trouble.
///
/// A value without I/O. The caller carries out the effects and comes back with `.moment` at `nextMoment`; while nothing
/// waits, or nothing may be sent, there is none, so that nothing wakes up for it.
public struct ScrobbleDelivery: Sendable {
    public enum Input: Sendable, Equatable {
        /// How many listens wait in the journal.
        case waiting(Int)
        /// Whether there are keys and the network may be used.
        case usable(Bool)
        /// The network came back, or the machine woke: trouble of before may be over.
        case networkReturned
        /// New keys: what the site refused before is forgotten.
        case signedIn
        case moment
        case answered(Answer)
        /// What was under way was broken off; whatever comes of it is not told any more.
        case abandoned
    }

    public enum Answer: Sendable, Equatable {
        /// The site judged each listen of the batch.
        case judged
        /// The batch as a whole cannot be read there: perhaps one of its listens cannot.
        case refused(Failure)
        /// `seconds`: how long the site asks to wait, if it does.
        case later(Failure, seconds: Double?)
        /// The site does not know these keys any more: nothing until somebody signs in again.
        case stopped(Failure)
    }

    public enum Effect: Sendable, Equatable {
        /// The oldest listens that wait, at most so many. One batch at a time.
        case send(atMost: Int)
        /// The oldest listen was refused by itself: it will never be taken. `.answered(.judged)` when that is noted.
        case drop(Failure)
    }

    /// A site that refuses so many listens in a row refuses everything: after them it gets no more than one a day, so
    /// that its fault does not eat a journal of months.
    private static let mostDrops = 3

    /// The most listens of one batch.
    public let batch: Int
    private var limit: Int
    private var waiting = 0
    private var isUsable = false
    private var isSending = false
    private var isDropping = false
    /// Listens dropped one after the other, with none taken in between.
    private var drops = 0
    /// Before this moment no further one is dropped.
    private var mayDropAt: Duration?
    private var tries = 0
    private var heldUntil: Duration?
    private var isHeldByNetwork = false
    private var stop: Failure?
    private var trouble: Failure?
    private var jitter: SeededRandom

    public init(batch: Int, seed: UInt64) {
        self.batch = batch
        limit = batch
        jitter = SeededRandom(seed: seed)
    }

    /// When to come back with `.moment`; nil = when something happens.
    public private(set) var nextMoment: Duration?

    /// Why nothing is sent; nil while all is well.
    public var problem: Failure? { stop ?? trouble }

    /// Whether a word about what plays now may be sent.
    public func maySpeak(at now: Duration) -> Bool {
        isUsable && stop == nil && heldUntil.map { $0 <= now } ?? true
    }

    public mutating func handle(_ input: Input, at now: Duration) -> [Effect] {
        var effects: [Effect] = []
        switch input {
        case .waiting(let count): waiting = count
        case .usable(let usable): isUsable = usable
        case .networkReturned: if isHeldByNetwork { release() }
        case .signedIn:
            stop = nil
            forgetDrops()
            release()
        case .moment: break
        case .abandoned:
            isSending = false
            isDropping = false
        case .answered(let answer):
            isSending = false
            effects += take(answer, at: now)
        }
        return effects + decide(at: now)
    }

    /// A word about what plays now was answered so: what it says of the site counts for listens too.
    public mutating func heard(_ answer: Answer, at now: Duration) {
        switch answer {
        // No trouble of the listens', which may not even be there to end it.
        case .later(_, let seconds?): heldUntil = max(heldUntil ?? now, now + Self.pause(seconds))
        case .stopped(let failure): stop = failure
        default: break
        }
        _ = decideMoment(at: now)
    }

    private mutating func take(_ answer: Answer, at now: Duration) -> [Effect] {
        switch answer {
        case .judged where isDropping:
            isDropping = false
            release()
        case .judged:
            forgetDrops()
            release()
            // Grows again: one listen that could not be read must not slow down thousands.
            limit = min(batch, limit * 2)
        case .refused(let failure): return refuse(failure, at: now)
        case .later(let failure, let seconds):
            tries += 1
            hold(failure, seconds ?? backoff(), at: now)
        case .stopped(let failure): stop = failure
        }
        return []
    }

    private mutating func refuse(_ failure: Failure, at now: Duration) -> [Effect] {
        // Of one listen there is no half, whatever was allowed.
        guard min(limit, waiting) <= 1 else {
            release()
            limit = min(limit, waiting) / 2
            return []
        }
        limit = 1
        if let mayDropAt, mayDropAt > now {
            tries += 1
            hold(failure, backoff(), at: now)
            return []
        }
        drops += 1
        if drops >= Self.mostDrops { mayDropAt = now + .seconds(86_400) }
        isSending = true
        isDropping = true
        return [.drop(failure)]
    }

    private mutating func forgetDrops() {
        drops = 0
        mayDropAt = nil
    }

    private mutating func release() {
        heldUntil = nil
        isHeldByNetwork = false
        trouble = nil
        tries = 0
    }

    private mutating func hold(_ failure: Failure, _ seconds: Double, at now: Duration) {
        trouble = failure
        isHeldByNetwork = failure.code == .network || failure.code == .timeout
        heldUntil = now + Self.pause(seconds)
    }

    /// A day is the longest that any site asks for; more would be a mistake.
    private static func pause(_ seconds: Double) -> Duration { .seconds(min(max(seconds, 1), 86_400)) }

    /// 30 s, doubled up to half an hour, with up to 10 % more so that clients do not march in step.
    private mutating func backoff() -> Double {
        min(30 * Double(1 << min(tries - 1, 6)), 1800) * Double.random(in: 1...1.1, using: &jitter)
    }

    private mutating func decide(at now: Duration) -> [Effect] {
        guard decideMoment(at: now) else { return [] }
        isSending = true
        return [.send(atMost: limit)]
    }

    /// - Returns: whether a batch may go now.
    private mutating func decideMoment(at now: Duration) -> Bool {
        nextMoment = nil
        guard waiting > 0, isUsable, !isSending, stop == nil else { return false }
        if let moment = heldUntil, moment > now {
            nextMoment = moment
            return false
        }
        return true
    }
}
