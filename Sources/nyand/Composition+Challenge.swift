import NyanCore
import NyanNet
import NyanService
import NyanVK

/// How VK's questions reach the person, and what ends them.
extension Composition {
    static func desk(_ settings: Settings, _ time: SystemTime, _ hub: EventHub, _ log: Log) -> ChallengeDesk {
        ChallengeDesk(
            time: time, hub: hub, log: log, configured: [settings.apiURL, settings.oauthURL, settings.loginURL])
    }

    static func grants(
        _ session: CurlSession, _ time: SystemTime, _ desk: ChallengeDesk, _ connectivity: Connectivity
    ) -> PasswordGrant {
        PasswordGrant(
            http: session, time: time, keeper: desk,
            requireNetwork: { () throws(Failure) in try connectivity.requireNetwork() })
    }

    /// Called once, when all parts are there.
    func connectChallenges() {
        source.challengeKeeper = challenges
        source.takeCredential = { [account] credential async throws(Failure) in
            _ = try await account.login(credential, expecting: credential.user)
        }
        // Whose questions they are: another login or a logout ends what waits for an answer.
        var epoch = account.epoch
        hub.subscribe { [account, challenges, signIn] _ in
            guard account.epoch != epoch else { return }
            epoch = account.epoch
            signIn.cancelPending()
            challenges.cancel(Failure(.cancelled, "another login or a logout came in between"))
        }
    }

    /// Somebody has signed in: what VK asked of the login before, or of another one that was begun, is asked no more.
    func loginHeld() {
        signIn.cancelPending()
        challenges.cancel(Failure(.cancelled, "a new login came in between"))
    }

    /// Unix seconds at which the login in use ends for good; nil where VK named no end or the daemon renews it itself.
    var loginEnds: Int64? { source.credential.flatMap { $0.cookies == nil ? $0.expires : nil } }
}
