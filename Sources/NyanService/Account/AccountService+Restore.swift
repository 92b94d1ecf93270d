import NyanCore
import NyanDBus

/// What was stored is taken up at the start, or later where the secret store is late.
extension AccountService {
    /// Takes the stored credential into use. Called once at start; needs no network, returns at once (see `ready`).
    public func restore() {
        isKnown = false
        let patience = Task.onMain { [self] in
            do { try await time?.wait(for: Self.storePatience) } catch { return }
            guard time != nil, !isKnown, !isSignedIn else { return }
            storeProblem = Failure(
                .timeout, "the keyring (or the disk) has not answered yet; nobody is signed in until it does",
                retry: .later)
            hub.changed(.account)
            nowKnown()
        }
        Task.onMain { [self] in
            await takeUp()
            patience.cancel()
            nowKnown()
        }
    }

    /// How long whoever asks for the account waits for the secret store at the start.
    private static let storePatience: Duration = .seconds(1)

    /// Reads the secret store; where that cannot be done now, it is tried again later.
    func takeUp() async {
        let started = epoch
        do throws(Failure) {
            if try await library.note(Self.signedOutNote) != nil {
                return await eraseLeftover(started)
            }
            let stored = try await credentials.load()
            let known = try await library.account()
            // A login or logout meanwhile knows better.
            guard epoch == started else { return }
            storeProblem = nil
            owes(nil)
            if let stored { use(stored, known) }
        } catch {
            guard epoch == started else { return }
            storeProblem = error
            owes(error.code == .fileAccess ? nil : .load)
            log.error("the stored credential cannot be read: \(error.message)")
        }
        hub.changed(.account)
        for warning in await credentials.warnings() { log.warning(warning) }
        // Nobody waits for this: it may take a keyring's whole time limit.
        if isSignedIn { Task.onMain { [self] in await settleStore() } }
    }

    private func use(_ stored: Credential, _ known: Account?) {
        var stored = stored
        // The settings say where calls go, whenever the login was made.
        if let profile = profiles[defaultProfile] { stored.profile = stored.profile.at(addressesOf: profile) }
        stored.user = stored.user ?? known.map(\.id)
        session.use(stored)
        source.use(stored)
        epoch += 1
        account = known ?? Account(id: stored.user ?? 0, name: "", tracks: 0, login: stored.way.rawValue)
        log.info("signed in from the stored credential")
    }

    /// Somebody has signed out while the secret store could not forget the login: it is not taken up again. In turn with
    /// logins: one that is being stored must not be erased with it.
    private func eraseLeftover(_ started: Int) async {
        do throws(Failure) {
            try await storing.run { [self] () throws(Failure) in
                guard epoch == started, try await library.note(Self.signedOutNote) != nil else { return }
                try await credentials.erase()
                try await library.setNote(Self.signedOutNote, nil)
            }
            guard epoch == started else { return }
            storeProblem = nil
            owes(nil)
        } catch {
            guard epoch == started else { return }
            storeProblem = Self.leftover(error)
            owes(.load)
            log.warning(Self.leftover(error).message)
        }
        hub.changed(.account)
    }

    static func leftover(_ failure: Failure) -> Failure {
        Failure(
            failure.code, "signed out, but the login could not be removed everywhere: \(failure.message)",
            retry: failure.retry)
    }

    /// Set while the secret store may hold a login that was signed out of.
    static let signedOutNote = "signed-out"

    /// Returns when it is known whether somebody is signed in, or when the secret store takes long to tell.
    public func ready() async {
        await waiting.wait(as: ()) { isKnown ? () : nil }
    }

    private func nowKnown() {
        isKnown = true
        waiting.wake(with: ())
    }
}
