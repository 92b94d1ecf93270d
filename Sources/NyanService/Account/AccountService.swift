public import NyanCore
import NyanDBus

/// Who is signed in, and the one credential the source speaks with.
public final class AccountService {
    /// The account proved last; nil = signed out.
    public internal(set) var account: Account?
    /// What VK has against the credential in use, until a call succeeds again; else what the secret store has against
    /// keeping it.
    public var problem: Failure? { callProblem ?? storeProblem }
    private var callProblem: Failure?
    var storeProblem: Failure?

    let source: any MusicSource
    let credentials: any CredentialStore
    let library: any LibraryStore
    private let connectivity: Connectivity
    private(set) var profiles: [String: ClientProfile]
    private(set) var defaultProfile: String
    let hub: EventHub
    let log: Log
    /// Trades cookies for tokens; nil = no web sessions.
    let sessions: (any SessionSource)?
    let moment: () -> SessionMachine.Moment
    let time: (any TimeSource)?
    /// The credential in use, and when it is traded for a newer one.
    var session = SessionMachine()
    /// The renewal under way, for all who wait for it.
    var renewal: Task<Void, Never>?
    /// What the secret store has still to do, and who tries it again.
    var debt: StoreDebt?
    var retrying: Task<Void, Never>?
    var isTryingStore = false
    var triesStoreAgain = false
    /// Called when the stored credential was found only after the start.
    public var restoredLate: () -> Void = {}
    /// Logins and logouts that were asked for, and the latest login that held: one that is still being proved is void
    /// after a logout, or once a later one holds.
    private var (logins, logouts, heldLogin) = (0, 0, 0)
    /// Changes when another account is in use, or none: what was read before belongs to somebody else.
    public internal(set) var epoch = 0
    /// Of logins and logouts that store something.
    let storing = Turns()
    /// Whether it is known if somebody is signed in, and who waits for that.
    var isKnown = true
    let waiting = Waiters<Void, Void>()

    public init(
        source: any MusicSource, credentials: any CredentialStore, library: any LibraryStore,
        connectivity: Connectivity, profiles: [String: ClientProfile], defaultProfile: String, hub: EventHub, log: Log,
        sessions: (any SessionSource)? = nil, time: (any TimeSource)? = nil,
        moment: (() -> SessionMachine.Moment)? = nil
    ) {
        self.sessions = sessions
        self.time = time
        self.moment = moment ?? { .current }
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

    /// Signs in with a token somebody already has, made for the client of that profile.
    public func login(token: Secret, profileName: String?) async throws(Failure) -> Account {
        let profile = try clientProfile(named: profileName)
        guard !token.revealed.isEmpty else { throw Failure(.badArgument, "the token is empty") }
        return try await login(Credential(profile: profile, token: token))
    }

    /// The client profile of that name; nil = the one the settings name.
    public func clientProfile(named name: String?) throws(Failure) -> ClientProfile {
        let name = name ?? defaultProfile
        if let profile = profiles[name] { return profile }
        let known = profiles.keys.sorted().joined(separator: ", ")
        throw Failure(.badArgument, "no client profile is called “\(name)”; there are: \(known)")
    }

    /// The description of the account was lost with the library: asks VK whose credential this is.
    public func describeAgain() async {
        guard account?.id == 0, let credential = (try? await fresh()) ?? nil else { return }
        let asked = epoch
        guard let proved = try? await source.prove(credential), epoch == asked else { return }
        account = proved
        try? await library.setAccount(proved)
        hub.changed(.account)
    }

    /// Proves a credential with real calls, then stores it, then uses it. A refused one stores nothing and changes
    /// nothing; in offline mode nothing is asked of VK. A logout, or a later login that held first, makes it void.
    /// `user`: whose it must be; nil = whoever's it is.
    public func login(_ credential: Credential, expecting user: Int64? = nil) async throws(Failure) -> Account {
        try connectivity.requireNetwork()
        logins += 1
        let (mine, asked) = (logins, logouts)
        let isWanted = { [self] in logouts == asked && mine >= heldLogin }
        var credential = credential
        if credential.way == .cookies, credential.token.revealed.isEmpty {
            guard let sessions else { throw Failure(.unsupported, "there are no web sessions here") }
            // The session in use may be the same one: two exchanges at once would spend each other's cookie.
            await renewal?.value
            credential = try await sessions.renewed(credential)
        }
        let proved: Account
        do throws(Failure) {
            proved = try await source.prove(credential, isWanted: isWanted)
        } catch {
            await keepChangedCookies(of: credential)
            throw error
        }
        if let user, user != proved.id { throw Self.isForeign }
        credential.user = proved.id
        let proven = credential
        try await storing.run { [self] () throws(Failure) in
            guard isWanted() else { throw Failure(.cancelled, "another login or logout came in between") }
            let before = (try? await library.account()) ?? nil
            try await credentials.save(proven)
            heldLogin = mine
            take(proven, of: proved)
            await noteStore()
            await describe(proved, isOther: before.map { $0.id != 0 && $0.id != proved.id } ?? false)
        }
        hub.changed([.account, .library])
        let place = await credentials.place
        log.info("the login is kept in the \(place)")
        log.notice("signed in; the profile has \(proved.tracks) tracks")
        return proved
    }

    private func take(_ credential: Credential, of proved: Account) {
        session.use(credential)
        source.use(credential)
        // The same person's new token leaves what is under way as it is.
        if account?.id != proved.id { epoch += 1 }
        account = proved
        callProblem = nil
    }

    /// What the library is told of a login that holds already: a library that cannot be written refuses no login.
    private func describe(_ proved: Account, isOther: Bool) async {
        do throws(Failure) {
            try await library.setNote(Self.signedOutNote, nil)
            if isOther { try await library.forgetProfile() }
            try await library.setAccount(proved)
        } catch {
            log.error("signed in, but the library could not be told: \(error.message)")
        }
    }

    /// A login was not proved, but its exchange may have changed the very session that is in use (vk-api.md §1.7).
    private func keepChangedCookies(of refused: Credential) async {
        guard let mine = session.credential, let cookies = refused.cookies, cookies.p == mine.cookies?.p,
            cookies != mine.cookies, refused.user == nil || refused.user == mine.user
        else { return }
        var changed = mine
        (changed.cookies, changed.token, changed.expires) = (cookies, refused.token, refused.expires)
        let kept = changed
        try? await storing.run { [self] () throws(Failure) in
            guard session.credential == mine else { return }
            try await credentials.save(kept)
            guard session.credential == mine else { return }
            session.use(kept)
            source.use(kept)
        }
    }

    /// Forgets the credential and the profile; finished copies stay.
    public func logout() async throws(Failure) {
        logouts += 1
        signOut()
        defer { hub.changed([.account, .library]) }
        try await storing.run { [self] () throws(Failure) in
            // A login that was being stored has come in between.
            signOut()
            try await library.setNote(Self.signedOutNote, "yes")
            try await library.setAccount(nil)
            try await library.forgetProfile()
            do throws(Failure) {
                try await credentials.erase()
            } catch {
                storeProblem = Self.leftover(error)
                owes(.load)
                throw Self.leftover(error)
            }
            try await library.setNote(Self.signedOutNote, nil)
        }
        log.notice("signed out")
    }

    private func signOut() {
        session.use(nil)
        source.use(nil)
        account = nil
        callProblem = nil
        storeProblem = nil
        owes(nil)
        epoch += 1
        hub.changed([.account, .library])
    }

    /// Throws where no account is signed in.
    public func requireAccount() throws(Failure) {
        guard isSignedIn else {
            throw problem ?? Failure(.notSignedIn, "not signed in: `nyanctl login` says how to sign in")
        }
    }

    /// Notes what a call to VK ended with, so that `status` can say what is wrong with the account.
    public func noted(_ failure: Failure?) {
        guard isSignedIn else { return }
        let about: Set<Failure.Code> = [.notSignedIn, .clientRefused, .challengeNeeded]
        let next = failure.flatMap { about.contains($0.code) ? $0 : callProblem }
        guard next != callProblem else { return }
        callProblem = next
        hub.changed(.account)
        if let next { log.warning(next.message) }
    }

    /// Notes what the secret store says about keeping the credential in use.
    func noteStore(_ failure: Failure? = nil) async {
        var trouble = failure
        if trouble == nil { trouble = await credentials.trouble }
        owes(trouble == nil ? nil : .save)
        guard trouble != storeProblem else { return }
        storeProblem = trouble
        hub.changed(.account)
        if let trouble { log.warning(trouble.message) }
    }
}
