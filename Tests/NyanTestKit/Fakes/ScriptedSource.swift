public import NyanCore

/// A source of tracks that answers what the test wants, when the test wants it.
public final class ScriptedSource: MusicSource {
    public private(set) var credential: Credential?
    public var userAgent: String { credential?.profile.userAgent ?? "nobody" }
    /// Whose profile it has, in VK's order.
    public var profile: [Track] = []
    public var account = Account(id: 1, name: "A Person", tracks: 0, login: "token")
    /// Errors for the next calls of any kind, first one first.
    public var failures: [Failure] = []
    /// Tracks that VK describes but has no sound for.
    public var silent: Set<TrackID> = []
    /// Tracks that VK knows nothing of.
    public var unknown: Set<TrackID> = []
    /// Holds up every call while shut.
    public let latch = Latch()
    /// Holds up pages of profiles only.
    public let pageLatch = Latch()
    /// What a page of a profile goes through first, as a call that meets one of VK's questions does.
    public var beforePage: (() async throws(Failure) -> Void)?
    /// The same for proofs.
    public var beforeProof: (() async throws(Failure) -> Void)?
    public private(set) var resolved: [TrackID] = []
    /// The calls that asked for locations, each with what it asked for.
    public private(set) var resolves: [[TrackID]] = []
    public private(set) var pages = 0
    public private(set) var proved = 0
    /// What the last proof was told of whether its login is wanted.
    public private(set) var wanted: (() -> Bool)?

    public init() {}

    public func use(_ credential: Credential?) { self.credential = credential }

    public func prove(_ credential: Credential, isWanted: (() -> Bool)?) async throws(Failure) -> Account {
        proved += 1
        wanted = isWanted
        let account = account
        try await beforeProof?()
        try await answer()
        return account
    }

    public func profilePage(owner: Int64?, offset: Int, count: Int) async throws(Failure) -> TrackPage {
        pages += 1
        let tracks = Array(profile.dropFirst(offset).prefix(count))
        let page = TrackPage(count: profile.count, tracks: tracks, itemCount: tracks.count)
        await pageLatch.pass()
        try await beforePage?()
        try await answer()
        return page
    }

    public func search(_ text: String, count: Int, byArtist: Bool) async throws(Failure) -> [Track] {
        try await answer()
        return Array(profile.prefix(count))
    }

    /// A location as VK's: its address is a secret, another one each time.
    public func resolve(_ references: [TrackReference]) async throws(Failure) -> [TrackID: ResolvedTrack] {
        resolved += references.map(\.id)
        resolves.append(references.map(\.id))
        let number = resolved.count
        try await answer()
        var found: [TrackID: ResolvedTrack] = [:]
        for reference in references where !unknown.contains(reference.id) {
            let id = reference.id
            let track = profile.first { $0.id == id } ?? Track(id: id, artist: "Artist", title: "Title", duration: 200)
            let url = Secret("https://media.test/\(id).mp3?sig=topsecret\(number)")
            found[id] = ResolvedTrack(track: track, location: silent.contains(id) ? nil : Location(url: url))
        }
        return found
    }

    private func answer() async throws(Failure) {
        let failure = failures.isEmpty ? nil : failures.removeFirst()
        await latch.pass()
        if Task.isCancelled { throw Failure(.cancelled, "cancelled") }
        if let failure { throw failure }
    }
}

/// An HTTP client that gives the same answer to everybody.
public final class ScriptedHTTP: HTTPClient {
    public var answer: HTTPResponse?
    public private(set) var requests = 0

    public init(_ answer: HTTPResponse? = nil) { self.answer = answer }

    public func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
        requests += 1
        guard let answer else { throw Failure(.network, "no network", retry: .later) }
        return answer
    }
}
