/// Which call's challenge is open, who waits for it, and what becomes of both: one question at a time for all callers
/// (vk-api.md §3.4). A value without I/O or clock; `ChallengeDesk` carries out the effects, in order.
public struct ChallengeMachine: Sendable, Equatable {
    /// One call that is or may be parked.
    public typealias Ticket = Int

    /// Answers one call may be given to the same kind of question (vk-api.md §3.5).
    public static let maxRounds = 3
    /// So long may a question be open.
    public static let patience = Duration.seconds(30 * 60)

    public enum Input: Sendable, Equatable {
        /// A call is about to be made.
        case begins(Ticket, method: String)
        /// A call was answered with a challenge.
        case met(Ticket, Challenge, method: String)
        /// The person answered the question that is open.
        case answered(ChallengeAnswer)
        /// The person said no.
        case declined(Failure)
        /// A call has ended, whatever with; or whoever made it does not want it any more.
        case left(Ticket)
        /// The question with that number has been open for `patience`.
        case expired(question: Int)
        /// Everything ends with this: logged out, another account, the daemon stops.
        case cancelled(Failure)
    }

    public enum Effect: Sendable, Equatable {
        /// The call waits; whoever asked for it is told why.
        case park(Ticket, Challenge)
        /// The call waits, and there is nothing to tell yet: an answer is being tried.
        case hold(Ticket)
        /// The call goes on with what the person answered.
        case resume(Ticket, ChallengeAnswer)
        /// The call is made (again) as it is: the challenge it waited for is over.
        case release(Ticket)
        case fail(Ticket, Failure)
        /// The question is shown, and its time runs.
        case show(Challenge, question: Int)
        case hide
    }

    private struct Holder: Sendable, Equatable {
        var ticket: Ticket
        var method: String
        var challenge: Challenge
        /// From 1; counts questions of one kind.
        var round = 1
        /// An answer was handed in and is being tried.
        var isTrying = false
        /// The answer was a wish for another code: the next question is no new round.
        var isResending = false
    }

    private var holder: Holder?
    /// In the order in which they came.
    private var waiting: [Ticket] = []
    /// Number of the question shown last.
    private var question = 0

    public init() {}

    /// The question that is open, and whose it is.
    public var open: (ticket: Ticket, challenge: Challenge)? {
        holder.flatMap { $0.isTrying ? nil : ($0.ticket, $0.challenge) }
    }

    /// Calls of this method wait for another one's captcha before they are made.
    public func holds(_ method: String) -> Bool {
        holder.map { $0.challenge.isCaptcha && $0.method == method } ?? false
    }

    /// An answer is being tried.
    public var isTrying: Bool { holder?.isTrying ?? false }

    public mutating func handle(_ input: Input) -> [Effect] {
        switch input {
        case .begins(let ticket, let method): return begins(ticket, method)
        case .met(let ticket, let challenge, let method): return met(ticket, challenge, method)
        case .answered(let answer): return answered(answer)
        case .declined(let failure):
            guard let holder, !holder.isTrying else { return [] }
            return [.fail(holder.ticket, failure), .hide] + over()
        case .left(let ticket): return left(ticket)
        case .expired(let number):
            guard let holder, !holder.isTrying, number == question else { return [] }
            return end(all: Self.gaveUp(holder.challenge))
        case .cancelled(let failure): return end(all: failure)
        }
    }

    private mutating func begins(_ ticket: Ticket, _ method: String) -> [Effect] {
        holds(method) && holder?.ticket != ticket ? wait(ticket) : [.release(ticket)]
    }

    private mutating func met(_ ticket: Ticket, _ challenge: Challenge, _ method: String) -> [Effect] {
        guard let holder else { return ask(Holder(ticket: ticket, method: method, challenge: challenge)) }
        guard holder.ticket == ticket else { return wait(ticket) }
        var next = holder
        next.challenge = challenge
        next.isTrying = false
        if holder.challenge.kind != challenge.kind {
            next.round = 1
        } else if !holder.isResending {
            guard holder.round < Self.maxRounds else {
                return [.fail(ticket, Self.tooManyRounds)] + over()
            }
            next.round += 1
            next.challenge.note = challenge.note ?? "VK did not take that answer"
        }
        next.isResending = false
        return ask(next)
    }

    private mutating func ask(_ next: Holder) -> [Effect] {
        holder = next
        question += 1
        // Whoever waits is told of the question that is open now.
        return [.show(next.challenge, question: question)]
            + ([next.ticket] + waiting).map { .park($0, next.challenge) }
    }

    private mutating func wait(_ ticket: Ticket) -> [Effect] {
        if !waiting.contains(ticket) { waiting.append(ticket) }
        guard let open else { return [.hold(ticket)] }
        return [.park(ticket, open.challenge)]
    }

    private mutating func answered(_ answer: ChallengeAnswer) -> [Effect] {
        guard let asked = holder, !asked.isTrying else { return [] }
        holder?.isTrying = true
        holder?.isResending = answer == .resend
        return [.hide, .resume(asked.ticket, answer)]
    }

    private mutating func left(_ ticket: Ticket) -> [Effect] {
        waiting.removeAll { $0 == ticket }
        guard let holder, holder.ticket == ticket else { return [] }
        return (holder.isTrying ? [] : [.hide]) + over()
    }

    /// The challenge is over; the others try again, and may meet one of their own.
    private mutating func over() -> [Effect] {
        holder = nil
        defer { waiting = [] }
        return waiting.map { .release($0) }
    }

    /// The holder is parked, and fails with the others, only while its question is open: a call under way ends by itself.
    private mutating func end(all failure: Failure) -> [Effect] {
        guard let ended = holder else { return [] }
        let parked = (ended.isTrying ? [] : [ended.ticket]) + waiting
        holder = nil
        waiting = []
        return (ended.isTrying ? [] : [.hide]) + parked.map { .fail($0, failure) }
    }

    private static let tooManyRounds = Failure(
        .challengeNeeded, "VK did not take \(maxRounds) answers in a row: wait a while, then try again")

    private static func gaveUp(_ challenge: Challenge) -> Failure {
        Failure(
            .challengeNeeded,
            "VK wanted \(challenge.word) and nobody answered within \(patience.components.seconds / 60) minutes: "
                + "try again")
    }
}
