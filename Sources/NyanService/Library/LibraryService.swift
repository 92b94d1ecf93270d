public import NyanCore
import NyanDBus

/// The library: listings from disk, search and sync at VK.
public final class LibraryService {
    let source: any MusicSource
    private let store: any LibraryStore
    private let account: AccountService
    private let connectivity: Connectivity
    private let hub: EventHub
    private let log: Log
    /// Reads the profile anew.
    public private(set) lazy var syncs = SyncService(
        store: store, account: account, connectivity: connectivity, hub: hub, log: log,
        resolve: { [source] references async throws(Failure) in try await source.resolve(references) }
    ) { [unowned self] offset, count async throws(Failure) in try await ownPage(offset, count) }
    /// What was changed at VK from here, for readings that began before.
    var changes: ProfileChangeLog { syncs.changes }

    public init(
        source: any MusicSource, store: any LibraryStore, account: AccountService, connectivity: Connectivity,
        hub: EventHub, log: Log
    ) {
        self.source = source
        self.store = store
        self.account = account
        self.connectivity = connectivity
        self.hub = hub
        self.log = log
    }

    /// The profile as it was read last; with an owner, that person's or group's, read now.
    public func profile(matching filter: String?, owner: Int64?) async throws(Failure) -> [ListedTrack] {
        await account.ready()
        guard let owner, owner != account.account?.id else {
            if account.account == nil { try account.requireAccount() }
            return try await store.profile(matching: filter)
        }
        let tracks = try await readWhole(owner: owner)
        try await store.remember(tracks)
        let listed = try await listed(tracks)
        guard let filter else { return listed }
        let words = FilterWords(filter)
        return listed.filter { words.match($0.track) }
    }

    public func music(matching filter: String?) async throws(Failure) -> [ListedTrack] {
        try await store.music(matching: filter)
    }

    /// All of VK; what is found is known from then on, so that its ids can be played and downloaded.
    public func search(_ text: String, count: Int, byArtist: Bool) async throws(Failure) -> [ListedTrack] {
        let found = try await calling { () throws(Failure) in
            try await source.search(text, count: count > 0 ? count : 30, byArtist: byArtist)
        }
        try await store.remember(found)
        return try await listed(found)
    }

    /// Known tracks that a quoted text selects.
    public func select(_ text: String) async throws(Failure) -> [ListedTrack] {
        let found = try await store.known(matching: text)
        guard !found.isEmpty else { throw Failure(.notFound, "no track of the library matches “\(text)”") }
        return found
    }

    /// The tracks behind references; unknown ones are asked of VK.
    public func tracks(_ references: [TrackReference]) async throws(Failure) -> [ListedTrack] {
        let known = try await described(references)
        guard let missing = references.first(where: { known[$0.id] == nil }) else {
            return references.compactMap { known[$0.id] }
        }
        throw Self.unknown(missing.id)
    }

    /// The same as far as the library or VK knows them.
    func described(_ references: [TrackReference]) async throws(Failure) -> [TrackID: ListedTrack] {
        var known = Dictionary(
            try await store.tracks(references.map(\.id)).map { ($0.track.id, $0) }, uniquingKeysWith: { $1 })
        let unknown = references.filter { known[$0.id] == nil && $0.id.isVKs }
        if !unknown.isEmpty {
            let resolved = try await calling { () throws(Failure) in try await source.resolve(unknown) }
            let found = unknown.compactMap { resolved[$0.id]?.track }
            try await store.remember(found)
            for listed in try await store.tracks(found.map(\.id)) { known[listed.track.id] = listed }
        }
        return known
    }

    static func unknown(_ id: TrackID) -> Failure {
        let words = id.isVKs ? "VK knows no track \(id)" : "the address of \(id) is not known"
        return Failure(.notFound, words, subject: id)
    }

    /// The same tracks with what this machine knows of them; the order stays, none is left out.
    public func listed(_ tracks: [Track]) async throws(Failure) -> [ListedTrack] {
        let known = Dictionary(
            try await store.tracks(tracks.map(\.id)).map { ($0.track.id, $0) }, uniquingKeysWith: { $1 })
        return tracks.map { track in
            var listed = known[track.id] ?? ListedTrack(track: track)
            listed.track = track
            return listed
        }
    }

    /// What `play` starts where nothing is queued, and which list that is.
    func everythingToPlay() async throws(Failure) -> (list: MusicList, tracks: [ListedTrack]) {
        await account.ready()
        let profile = account.isSignedIn && !connectivity.isOfflineMode ? try await store.profile(matching: nil) : []
        return profile.isEmpty ? (.music, try await store.music(matching: nil)) : (.profile, profile)
    }

    /// Reads the profile anew; whoever asks while it runs gets the same outcome.
    public func sync() async throws(Failure) -> SyncOutcome { try await syncs.sync() }

    private func ownPage(_ offset: Int, _ count: Int) async throws(Failure) -> TrackPage {
        try await calling { () throws(Failure) in
            try await source.profilePage(owner: nil, offset: offset, count: count)
        }
    }

    /// Every call to VK: not in offline mode, not without an account; its end is told to whoever shows it.
    func calling<Answer>(
        _ call: () async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        try await AccountCalls(account: account, connectivity: connectivity).ask(call)
    }
}
