public import NyanCore

/// One call's way through the questions VK may ask: what its next try carries besides its own parameters.
final class ChallengeVisit {
    private let keeper: (any ChallengeKeeper)?
    private let method: String
    private let profile: ClientProfile
    private let call: ParkedCall
    private var isKnown = false
    /// What the last try ended with.
    private var failure: Failure?
    /// What the person's last answer adds.
    private(set) var fields: [(name: String, value: String)] = []

    /// The last question was another call's, and is over.
    private(set) var isReleased = false

    /// Without a keeper nobody can be asked: a challenge is an error like others then. `login`: the login that the call
    /// is part of.
    init(_ keeper: (any ChallengeKeeper)?, _ method: String, _ profile: ClientProfile, login: ParkedCall? = nil) {
        call = login ?? ParkedCall()
        self.keeper = keeper
        self.method = method
        self.profile = profile
    }

    /// Waits while another call of this method is parked with a captcha. A login does not: another way to sign in may be
    /// what gets past that captcha.
    func begin() async throws(Reaction) {
        guard let keeper, !call.isLogin else { return }
        isKnown = true
        do {
            try await keeper.passed(method, by: call)
        } catch {
            failure = error
            throw .final(error)
        }
    }

    /// Runs a try and notes what it ends with.
    func tried<Response>(
        _ work: () async throws(Reaction) -> Response
    ) async throws(Reaction) -> Response {
        do {
            let response = try await work()
            failure = nil
            return response
        } catch {
            failure = error.failure
            throw error
        }
    }

    /// Whether the call goes on: the error was a challenge and somebody answered it.
    /// - Throws: what the call ends with when nobody did.
    func goesOn(after error: Reaction) async throws(Reaction) -> Bool {
        guard let keeper, let challenge = error.challenge?.vetted(for: profile) else { return false }
        isKnown = true
        let answer: ChallengeAnswer
        do {
            answer = try await keeper.meet(challenge, of: method, by: call)
        } catch {
            failure = error
            throw .final(error)
        }
        isReleased = answer == .released
        switch answer {
        case .fields(let added): fields = added.map { (name: $0.name, value: $0.value.revealed) }
        case .again, .resend, .released: fields = []
        case .token(let token, let user, let expires):
            // The question is answered; what comes of the token is told by whoever takes it.
            failure = nil
            throw NewToken(token: token, user: user, expires: expires).reaction
        }
        return true
    }

    /// The call is over.
    func end() {
        if isKnown { keeper?.ended(call, failure) }
    }
}

/// A token that VK gave with a confirmation (error 17).
nonisolated struct NewToken: Sendable, Equatable {
    var token: Secret
    var user: Int64
    /// Seconds from now; nil = VK named no end.
    var expires: Int64?

    var reaction: Reaction {
        let words = "VK gave another token with that confirmation: hand the same address in with `nyanctl login --url`"
        var reaction = Reaction.final(Failure(.challengeNeeded, words))
        reaction.newToken = self
        return reaction
    }
}

extension VKSource {
    /// Where calls wait for the person's answer to a challenge; held weakly.
    public var challengeKeeper: (any ChallengeKeeper)? {
        get { client.keeper }
        set { client.keeper = newValue }
    }

    /// The credential to make a call with once more, where VK gave another token with a confirmation.
    func renewed(_ used: Credential, by error: Reaction) async throws(Reaction) -> Credential? {
        guard let new = error.newToken, let takeCredential, credential == used else { return nil }
        if let user = used.user, user != new.user {
            throw .final(Failure(.denied, "the confirmation was made for another VK account: log in again"))
        }
        var fresh = used
        fresh.token = new.token
        // What was pasted only says whose it is; the proof shows it.
        fresh.user = used.user ?? new.user
        fresh.expires = new.expires.map { UnixTime.now + $0 }
        let takeover = Moment()
        client.takeover = takeover
        defer { takeover.come() }
        do { try await takeCredential(fresh) } catch { throw .final(error) }
        return credential
    }
}
