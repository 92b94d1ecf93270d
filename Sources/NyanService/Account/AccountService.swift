public import NyanCore
import NyanDBus

/// Who is signed in, and the one credential the source speaks with.
public final class AccountService {
    /// The account proved last; nil = signed out.
    public private(set) var account: Account?
    /// What VK or the secret store has against the stored credential; shown until a call succeeds again.
    public private(set) var problem: Failure?

    private let source: any MusicSource
    private let credentials: any CredentialStore
    private let library: any LibraryStore
    private let connectivity: Connectivity
    private var profiles: [String: ClientProfile]
    private var defaultProfile: String
    private let hub: EventHub
    private let log: Log
    /// Changes with each login and logout that was asked for: an older login that is still being proved is void.
    private var generation = 0
    /// Changes when another account is in use, or none: what was read before belongs to somebody else.
    public private(set) var epoch = 0
    /// The last login or logout that stores something; the next one waits for it.
    private var storing: Task<Void, Never>?
    private var restoring: Task<Void, Never>?

    public init(
        source: any MusicSource, credentials: any CredentialStore, library: any LibraryStore,
        connectivity: Connectivity, profiles: [String: ClientProfile], defaultProfile: String, hub: EventHub, log: Log
    ) {
        self.source = source
        self.credentials = credentials
        self.library = library
        self.connectivity = connectivity
        self.profiles = profiles
        self.defaultProfile = defaultProfile
        self.hub = hub
        self.log = log
    }

    /// Logins from now on are made with these; whoever is signed in stays so with what they signed in with.
    public func use(profiles: [String: ClientProfile], defaultProfile: String) {
        self.profiles = profiles
        self.defaultProfile = defaultProfile
    }

    public var isSignedIn: Bool { account != nil }

    /// Whether calls to VK have a chance.
    public var isUsable: Bool { isSignedIn && problem == nil }

    /// Takes the stored credential into use. Called once at start; needs no network, returns at once (see `ready`).
    public func restore() {
        let started = epoch
        restoring = Task.onMain { [self] in
            do throws(Failure) {
                let stored = try await credentials.load()
                let known = try await library.account()
                // A login or logout meanwhile knows better.
                guard epoch == started, let stored else { return }
                source.use(stored)
                epoch += 1
                account = known ?? Account(id: 0, name: "", tracks: 0, login: "token")
                log.info("signed in from the stored credential")
            } catch {
                guard epoch == started else { return }
                problem = error
                log.error("the stored credential cannot be read: \(error.message)")
            }
            hub.changed(.account)
        }
    }

    /// Returns when it is known whether somebody is signed in.
    public func ready() async { await restoring?.value }

    /// The description of the account was lost with the library: asks VK whose credential this is.
    public func describeAgain() async {
        guard account?.id == 0, let credential = try? await credentials.load() else { return }
        let asked = epoch
        guard let proved = try? await source.prove(credential), epoch == asked else { return }
        account = proved
        try? await library.setAccount(proved)
        hub.changed(.account)
    }

    /// Proves a token with real calls, then stores it. A refused one stores nothing and changes nothing; in offline mode
    /// nothing is asked of VK.
    public func login(token: Secret, profileName: String?) async throws(Failure) -> Account {
        let name = profileName ?? defaultProfile
        guard let profile = profiles[name] else {
            let known = profiles.keys.sorted().joined(separator: ", ")
            throw Failure(.badArgument, "no client profile is called “\(name)”; there are: \(known)")
        }
        guard !token.revealed.isEmpty else { throw Failure(.badArgument, "the token is empty") }
        try connectivity.requireNetwork()
        generation += 1
        let mine = generation
        let credential = Credential(profile: profile, token: token)
        let proved = try await source.prove(credential)
        guard generation == mine else {
            throw Failure(.cancelled, "another login or logout came in between")
        }
        try await inTurn { [self] () throws(Failure) in
            guard generation == mine else {
                throw Failure(.cancelled, "another login or logout came in between")
            }
            try await credentials.save(credential)
            let isOther = account.map { $0.id != 0 && $0.id != proved.id } ?? false
            source.use(credential)
            account = proved
            problem = nil
            epoch += 1
            try await library.setAccount(proved)
            if isOther { try await library.forgetProfile() }
        }
        hub.changed([.account, .library])
        log.notice("signed in; the profile has \(proved.tracks) tracks")
        return proved
    }

    /// Forgets the credential and the profile; finished copies stay.
    public func logout() async throws(Failure) {
        generation += 1
        signOut()
        try await inTurn { [self] () throws(Failure) in
            // A login that was being stored has come in between.
            signOut()
            try await credentials.erase()
            try await library.setAccount(nil)
            try await library.forgetProfile()
        }
        hub.changed([.account, .library])
        log.notice("signed out")
    }

    private func signOut() {
        source.use(nil)
        account = nil
        problem = nil
        epoch += 1
        hub.changed([.account, .library])
    }

    /// Does what stores a login or forgets one after all that was asked for before has ended.
    private func inTurn(_ work: @escaping () async throws(Failure) -> Void) async throws(Failure) {
        let before = storing
        let task = Task.onMain { () -> Failure? in
            await before?.value
            do throws(Failure) {
                try await work()
                return nil
            } catch {
                return error
            }
        }
        storing = Task.onMain { _ = await task.value }
        if let failure = await task.value { throw failure }
    }

    /// Throws where no account is signed in.
    public func requireAccount() throws(Failure) {
        guard isSignedIn else {
            throw problem ?? Failure(.notSignedIn, "not signed in: run `nyanctl login --token`")
        }
    }

    /// Notes what a call to VK ended with, so that `status` can say what is wrong with the account.
    public func noted(_ failure: Failure?) {
        guard isSignedIn else { return }
        let about: Set<Failure.Code> = [.notSignedIn, .clientRefused, .challengeNeeded]
        let next = failure.flatMap { about.contains($0.code) ? $0 : problem }
        guard next != problem else { return }
        problem = next
        hub.changed(.account)
        if let next { log.warning(next.message) }
    }
}
