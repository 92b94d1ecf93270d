import Glibc
public import NyanCore
import NyanDBus

extension AccountService {
    /// Signs in with the cookies of a browser's session, in any of the forms `CookieText` reads. Without a profile's name
    /// it is the site's own client that speaks, whatever the settings say of other logins.
    public func login(cookies text: Secret, profileName: String?) async throws(Failure) -> Account {
        let profile = try clientProfile(named: profileName ?? "web")
        let cookies = try CookieText.read(text.revealed, loginURL: profile.loginURL)
        return try await login(Credential(profile: profile, token: Secret(""), way: .cookies, cookies: cookies))
    }

    /// Another account's token was handed in where one of the account in use was wanted.
    static let isForeign = Failure(.denied, "the confirmation was made for another VK account: log in again")
}

/// Web sessions: the credential in use is traded for a newer one as `SessionMachine` decides.
extension AccountService: CredentialKeeping {
    public func fresh() async throws(Failure) -> Credential? { try await credential(for: .call) }

    public func renewed(after rejected: Secret) async throws(Failure) -> Credential? {
        try await credential(for: .rejected(rejected))
    }

    private func credential(for need: SessionMachine.Need) async throws(Failure) -> Credential? {
        var decision = session.decide(need, at: moment())
        if case .renew(let old, let attempt) = decision {
            renewal = Task.onMain { [self] in await renew(old, attempt) }
            decision = .wait
        }
        if decision == .wait {
            await renewal?.value
            decision = session.outcome(of: need, at: moment())
        }
        switch decision {
        case .go(let credential): return credential
        case .fail(let failure): throw failure
        case .nothing, .wait, .renew: return nil
        }
    }

    /// One renewal: the exchange, then the new pair to disk, then into use (vk-api.md §1.6: persist before use).
    private func renew(_ old: Credential, _ attempt: Int) async {
        let result: Result<Credential, Failure>
        do throws(Failure) {
            guard let sessions else { throw Failure(.unsupported, "there are no web sessions here") }
            result = .success(try await sessions.renewed(old))
        } catch {
            result = .failure(error)
            log.warning("the web session got no new token: \(error.message)")
        }
        guard let fresh = session.ended(attempt: attempt, result, at: moment()) else { return }
        do throws(Failure) {
            try await storing.run { [self] () throws(Failure) in
                // A login or logout that was stored meanwhile has the last word.
                guard session.isSaving(attempt) else { return }
                try await credentials.save(fresh)
            }
            guard session.saved(attempt: attempt, at: moment()) else { return }
            log.debug("the web session has a new token")
            await noteStore()
        } catch {
            guard session.saved(attempt: attempt, at: moment()) else { return }
            await noteStore(
                Failure(
                    error.code, "the renewed login is in use but could not be stored: \(error.message)",
                    retry: error.retry))
        }
    }
}

extension SessionMachine.Moment {
    /// The machine's clocks now.
    static var current: Self {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Self(
            ticker: .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec), unix: Int64(Glibc.time(nil)))
    }
}
