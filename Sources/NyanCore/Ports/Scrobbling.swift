/// What a site wants with each call. All of it is secret.
public struct ScrobbleKeys: Sendable, Equatable {
    /// ListenBrainz: the person's token. Last.fm: the session key.
    public var token: Secret
    /// Last.fm only: the person's own API key and its shared secret, which signs each call.
    public var apiKey: Secret?
    public var sharedSecret: Secret?

    public init(token: Secret, apiKey: Secret? = nil, sharedSecret: Secret? = nil) {
        self.token = token
        self.apiKey = apiKey
        self.sharedSecret = sharedSecret
    }
}

/// What a site makes of one listen of a batch.
public enum ListenVerdict: Sendable, Equatable {
    case taken
    /// It will never be taken; why, for a person.
    case refused(String)
    /// It may be taken later.
    case later
}

/// Why a call to a site came to nothing: what to do about it, with the words for a person.
public struct ScrobbleRefusal: Error, Sendable, Equatable {
    public var answer: ScrobbleDelivery.Answer
    public init(_ answer: ScrobbleDelivery.Answer) { self.answer = answer }

    public var failure: Failure {
        switch answer {
        case .refused(let failure), .later(let failure, _), .stopped(let failure): failure
        case .judged: Failure(.internal, "nothing was refused")
        }
    }
}

/// Port: one scrobbling site. Sending the same listen twice is the site's to notice: it is the same to the second.
@MainActor public protocol ScrobbleClient: AnyObject {
    /// The most listens of one call.
    var batch: Int { get }
    /// One verdict for each listen, in order.
    func submit(_ listens: [Listen], _ keys: ScrobbleKeys) async throws(ScrobbleRefusal) -> [ListenVerdict]
    func nowPlaying(_ listen: Listen, _ keys: ScrobbleKeys) async throws(ScrobbleRefusal)
}

/// Port: a site that knows a person by a token they copy there.
@MainActor public protocol ScrobbleTokenProof: AnyObject {
    /// Whose token it is.
    func prove(_ token: Secret) async throws(ScrobbleRefusal) -> String
}

/// A login that waits for the person's consent on the site's own page.
public struct ScrobbleGrant: Sendable, Equatable {
    public var keys: ScrobbleKeys
    /// The page to open; holds the token that consent is given to.
    public var page: Secret
    public init(keys: ScrobbleKeys, page: Secret) {
        self.keys = keys
        self.page = page
    }
}

/// Port: a site that asks the person for consent on a page of its own.
@MainActor public protocol ScrobbleConsent: AnyObject {
    func begin(apiKey: Secret, sharedSecret: Secret) async throws(ScrobbleRefusal) -> ScrobbleGrant
    /// The keys to use and whose account it is. `.challengeNeeded` = consent was not given yet.
    func finish(_ grant: ScrobbleGrant) async throws(ScrobbleRefusal) -> (keys: ScrobbleKeys, name: String)
}

/// Port: the keys of all sites, in the Secret Service or a 0600 file.
public protocol ScrobbleKeyStore: Sendable {
    func load() async throws(Failure) -> [ScrobbleSite: ScrobbleKeys]
    /// Takes the place of all that was kept; none = nothing is left behind.
    func save(_ keys: [ScrobbleSite: ScrobbleKeys]) async throws(Failure)
}

/// A listen of the journal.
public struct JournaledListen: Sendable, Equatable {
    public var number: Int64
    public var listen: Listen
    public init(number: Int64, listen: Listen) {
        self.number = number
        self.listen = listen
    }
}

/// What became of a batch.
public struct JournalSettlement: Sendable, Equatable {
    public var taken: [Int64] = []
    public var dropped: [Int64] = []
    /// Why the last one was dropped.
    public var reason: String?
    public init(taken: [Int64] = [], dropped: [Int64] = [], reason: String? = nil) {
        self.taken = taken
        self.dropped = dropped
        self.reason = reason
    }
}

/// Port: what was listened to and not sent yet, on disk. Returning means durable against kill -9.
public protocol ScrobbleJournal: Sendable {
    /// Who is signed in where, and how their listens stand. Where there is no journal yet, none is made.
    func reports() async throws(Failure) -> [ScrobbleReport]
    /// Somebody signed in: listens go to this account from now on. Those of another account there are not sent to it.
    func enrol(_ site: ScrobbleSite, name: String) async throws(Failure)
    /// Somebody signed out; returns how many listens were not sent and are thrown away.
    func forget(_ site: ScrobbleSite) async throws(Failure) -> Int
    /// Keeps a listen for every site somebody is signed in at. The newest is not taken where too many wait already;
    /// returns the sites of which that is true.
    func add(_ listen: Listen) async throws(Failure) -> [ScrobbleSite]
    /// The oldest listens that wait, oldest first.
    func waiting(for site: ScrobbleSite, atMost count: Int) async throws(Failure) -> [JournaledListen]
    func settle(_ settlement: JournalSettlement, for site: ScrobbleSite) async throws(Failure)
    /// Says that a damaged journal was set aside for a new, empty one; nil = all was well.
    var notice: Failure? { get async }
}

extension ScrobbleJournal {
    public var notice: Failure? { get async { nil } }
}
