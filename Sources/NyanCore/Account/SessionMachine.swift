/// Decides when a credential is traded for a newer one, and who waits for it: one renewal at a time for all callers
/// (vk-api.md §1.7). A value without I/O: whoever holds it carries out what it answers.
public struct SessionMachine: Sendable {
    /// Now, by the clock that runs while the machine is awake and by the calendar.
    public struct Moment: Sendable, Equatable {
        public var ticker: Duration
        /// Unix seconds.
        public var unix: Int64
        public init(ticker: Duration, unix: Int64) {
            self.ticker = ticker
            self.unix = unix
        }
    }

    /// Why somebody asks.
    public enum Need: Sendable, Equatable {
        /// A call is about to be made.
        case call
        /// VK did not take this token.
        case rejected(Secret)
    }

    public enum Decision: Sendable, Equatable {
        case go(Credential)
        /// Begin this renewal, then ask for the `outcome`.
        case renew(Credential, attempt: Int)
        /// A renewal is under way: wait for its end, then ask for the `outcome`.
        case wait
        /// There is nothing newer to be had: what VK said stands.
        case nothing
        case fail(Failure)
    }

    /// Seconds before its end at which a token is renewed.
    public static let early: Int64 = 120
    /// A token that young is not renewed early, whatever the calendar says: a wrong clock would renew for ever.
    public static let leastAge: Duration = .seconds(60)
    /// How long VK is left alone after the n-th refusal in a row: not at all after the first, so that whoever has put it
    /// right need not wait; then 1 s, doubling up to this.
    public static let longestPause: Duration = .seconds(300)

    private enum State: Sendable, Equatable {
        case resting
        case renewing(attempt: Int)
        /// The new credential is being written down: it is not used before.
        case saving(attempt: Int, Credential)
    }

    /// The one in use; nil = signed out.
    public private(set) var credential: Credential?
    private var state = State.resting
    private var attempts = 0
    /// When the token in use was given out, if that was in this run.
    private var grantedAt: Duration?
    /// What the last renewal failed with; nil after one that held.
    private var lastFailure: Failure?
    private var refusals = 0
    private var pausedUntil = Duration.zero

    public init() {}

    /// A login, a logout or a restored credential: whatever is under way is void from now on.
    public mutating func use(_ credential: Credential?) {
        let attempts = attempts
        self = SessionMachine()
        self.attempts = attempts
        self.credential = credential
    }

    /// What somebody is to do who needs a credential.
    public mutating func decide(_ need: Need, at now: Moment) -> Decision {
        guard let credential else { return .nothing }
        if case .rejected(let token) = need, token != credential.token { return .go(credential) }
        if case .call = need, !wantsRenewal(credential, at: now) { return .go(credential) }
        guard credential.cookies != nil else { return need == .call ? .go(credential) : .nothing }
        guard state == .resting else { return .wait }
        if now.ticker < pausedUntil, let lastFailure { return outcome(need, credential, lastFailure, at: now) }
        attempts += 1
        state = .renewing(attempt: attempts)
        return .renew(credential, attempt: attempts)
    }

    /// What somebody is to do who waited for a renewal that has ended.
    public func outcome(of need: Need, at now: Moment) -> Decision {
        guard let credential else { return .nothing }
        if case .rejected(let token) = need, token != credential.token { return .go(credential) }
        guard let lastFailure else { return need == .call ? .go(credential) : .nothing }
        return outcome(need, credential, lastFailure, at: now)
    }

    /// The exchange has ended.
    /// - Returns: the credential to be written down before anybody uses it; nil where there is none, or nobody wants it.
    public mutating func ended(
        attempt: Int, _ result: Result<Credential, Failure>, at now: Moment
    ) -> Credential? {
        guard state == .renewing(attempt: attempt) else { return nil }
        switch result {
        case .success(let fresh):
            state = .saving(attempt: attempt, fresh)
            return fresh
        case .failure(let failure):
            state = .resting
            lastFailure = failure
            if failure.code == .notSignedIn {
                refusals += 1
                if refusals > 1 {
                    let pause = Duration.seconds(1 << min(refusals - 2, 10))
                    pausedUntil = now.ticker + min(pause, Self.longestPause)
                }
            }
            return nil
        }
    }

    /// The new credential was written down, or could not be; in use from now on either way, for VK has spent the old one.
    /// - Returns: false where a login or logout came in between: then it is nobody's.
    public mutating func saved(attempt: Int, at now: Moment) -> Bool {
        guard case .saving(attempt, let fresh) = state else { return false }
        use(fresh)
        grantedAt = now.ticker
        return true
    }

    /// Whether that renewal's credential is still to be written down.
    public func isSaving(_ attempt: Int) -> Bool {
        if case .saving(attempt, _) = state { return true }
        return false
    }

    private func wantsRenewal(_ credential: Credential, at now: Moment) -> Bool {
        guard credential.cookies != nil, let expires = credential.expires else { return false }
        if let grantedAt, now.ticker - grantedAt < Self.leastAge { return false }
        return expires < now.unix + Self.early
    }

    /// A renewal before the time that did not succeed hurts nobody while the token still holds.
    private func outcome(_ need: Need, _ credential: Credential, _ failure: Failure, at now: Moment) -> Decision {
        if case .call = need, let expires = credential.expires, expires > now.unix {
            return .go(credential)
        }
        return .fail(failure)
    }
}
