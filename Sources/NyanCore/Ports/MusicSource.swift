/// One page of a listing at VK.
public struct TrackPage: Sendable, Equatable {
    /// How long VK says the whole list is; items of all pages may sum to less (vk-api.md §2.2).
    public var count: Int
    public var tracks: [Track]
    /// Items on the page before anything unreadable was left out: what `offset` moves by.
    public var itemCount: Int
    /// Those whose availability the list leaves open: no address, a sample's, or VK's notice. `audio.getById` often
    /// has the real one (vk-api.md §2.2).
    public var doubtful: [TrackID]
    public init(count: Int, tracks: [Track], itemCount: Int, doubtful: [TrackID] = []) {
        self.count = count
        self.tracks = tracks
        self.itemCount = itemCount
        self.doubtful = doubtful
    }
}

/// Port: where tracks come from. One call at a time, paced; every error is a `Failure` a person can act on.
@MainActor public protocol MusicSource: AnyObject {
    /// The credential that calls use from now on; nil = signed out. Does not touch the network.
    func use(_ credential: Credential?)
    var userAgent: String { get }
    /// Proves a credential with `users.get` and `audio.get count=1` without taking it into use (vk-api.md §1.10).
    /// `isWanted`: it is a login's, which waits for no question but its own, ends what VK asks of an older login, and is
    /// over once this is false; nil = a call like others.
    func prove(_ credential: Credential, isWanted: (() -> Bool)?) async throws(Failure) -> Account
    /// One page of a profile; `owner` nil = the signed-in person.
    func profilePage(owner: Int64?, offset: Int, count: Int) async throws(Failure) -> TrackPage
    func search(_ text: String, count: Int, byArtist: Bool) async throws(Failure) -> [Track]
    /// Fresh locations and descriptions by `audio.getById`; ids VK knows nothing of are absent.
    func resolve(_ references: [TrackReference]) async throws(Failure) -> [TrackID: ResolvedTrack]
}

extension MusicSource {
    /// Proves a credential that is no login's.
    public func prove(_ credential: Credential) async throws(Failure) -> Account {
        try await prove(credential, isWanted: nil)
    }
}

/// A track described anew, with where its sound is now; no location = unavailable.
public struct ResolvedTrack: Sendable, Equatable {
    public var track: Track
    public var location: Location?
    public init(track: Track, location: Location?) {
        self.track = track
        self.location = location
    }
}
