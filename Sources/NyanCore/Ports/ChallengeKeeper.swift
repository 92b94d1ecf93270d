/// Port: where a call to VK waits that met a challenge. Main actor.
@MainActor public protocol ChallengeKeeper: AnyObject {
    /// Waits until a challenge that stands for calls of this method is over; returns at once where there is none, so
    /// that VK is not asked again and again what it will only answer with a captcha.
    func passed(_ method: String, by call: ParkedCall) async throws(Failure)
    /// Waits for the person's answer, or, where another call's challenge is open, until that one is over (`.released`).
    /// - Throws: `.challengeNeeded` when nobody answers in time or three answers were wrong; `.cancelled`, also where the
    ///   call is a login's and a newer one has begun.
    func meet(_ challenge: Challenge, of method: String, by call: ParkedCall) async throws(Failure) -> ChallengeAnswer
    /// A login goes to VK: what VK asks of an older one is asked no more, and that one ends as cancelled.
    func begins(login call: ParkedCall)
    /// The call has ended, whatever with. Must follow where one of the others was called.
    func ended(_ call: ParkedCall, _ failure: Failure?)
}

/// A call over all its rounds of questions and answers: an identity.
@MainActor public final class ParkedCall {
    /// One of the calls that a login is made of; all of them are the same one.
    public nonisolated let isLogin: Bool

    public nonisolated init(isLogin: Bool = false) { self.isLogin = isLogin }
}
