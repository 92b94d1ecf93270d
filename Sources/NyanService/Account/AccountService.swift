public import NyanCore

/// Who is signed in, and the one credential the source speaks with.
public final class AccountService {
    /// The account proved last; nil = signed out.
    public private(set) var account: Account?
    /// What VK or the secret store has against the stored credential; shown until a call succeeds again.
    public private(set) var problem: Failure?

    private let source: any MusicSource
    private let credentials: any CredentialStore
    private let library: any LibraryStore
    private let profiles: [String: ClientProfile]
    private let defaultProfile: String
    private let hub: EventHub
    private let log: Log
    /// Set by a logout while a login is being proved: that login is void.
    private var generation = 0

    public init(
        source: any MusicSource, credentials: any CredentialStore, library: any LibraryStore,
        profiles: [String: ClientProfile], defaultProfile: String, hub: EventHub, log: Log
    ) {
        self.source = source
        self.credentials = credentials
        self.library = library
        self.profiles = profiles
        self.defaultProfile = defaultProfile
        self.hub = hub
        self.log = log
    }

    public var isSignedIn: Bool { account != nil }

    /// Takes the stored credential into use. Called once at start; needs no network.
    public func restore() async {
        let started = generation
        do {
            let stored = try await credentials.load()
            let known = try await library.account()
            // A login or logout meanwhile knows better.
            guard generation == started else { return }
            guard let stored else { return }
            source.use(stored)
            account = known ?? Account(id: 0, name: "", tracks: 0, login: "token")
            log.info("signed in from the stored credential")
        } catch {
            problem = error
            log.error("the stored credential cannot be read: \(error.message)")
        }
        hub.changed(.account)
    }

    /// Proves a token with real calls, then stores it. A refused one stores nothing and changes nothing.
    public func login(token: Secret, profileName: String?) async throws(Failure) -> Account {
        let name = profileName ?? defaultProfile
        guard let profile = profiles[name] else {
            let known = profiles.keys.sorted().joined(separator: ", ")
            throw Failure(.badArgument, "no client profile is called “\(name)”; there are: \(known)")
        }
        guard !token.revealed.isEmpty else { throw Failure(.badArgument, "the token is empty") }
        generation += 1
        let mine = generation
        let credential = Credential(profile: profile, token: token)
        let proved = try await source.prove(credential)
        guard generation == mine else {
            throw Failure(.cancelled, "another login or logout came in between")
        }
        try await credentials.save(credential)
        if let old = account, old.id != 0, old.id != proved.id { try await library.forgetProfile() }
        try await library.setAccount(proved)
        source.use(credential)
        account = proved
        problem = nil
        hub.changed(.account)
        log.notice("signed in; the profile has \(proved.tracks) tracks")
        return proved
    }

    /// Forgets the credential and the profile; finished copies stay.
    public func logout() async throws(Failure) {
        generation += 1
        source.use(nil)
        account = nil
        problem = nil
        hub.changed([.account, .library])
        try await credentials.erase()
        try await library.setAccount(nil)
        try await library.forgetProfile()
        log.notice("signed out")
    }

    /// Throws where no account is signed in.
    public func requireAccount() throws(Failure) {
        guard isSignedIn else {
            throw problem ?? Failure(.notSignedIn, "not signed in: run `nyanctl login --token`")
        }
    }

    /// Notes what a call to VK ended with, so that `status` can say what is wrong with the account.
    public func noted(_ failure: Failure?) {
        let about: Set<Failure.Code> = [.notSignedIn, .clientRefused, .challengeNeeded]
        let next = failure.flatMap { about.contains($0.code) ? $0 : problem }
        guard next != problem else { return }
        problem = next
        hub.changed(.account)
        if let next { log.warning(next.message) }
    }
}
