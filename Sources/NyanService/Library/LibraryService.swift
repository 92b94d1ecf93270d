public import NyanCore
import NyanDBus

/// What a sync changed (CONTRACT.md `sync`).
public struct SyncOutcome: Sendable, Equatable {
    public var total: Int
    public var added: Int
    public var removed: Int
    public var unavailable: Int
}

/// The library: listings from disk, search and sync at VK.
public final class LibraryService {
    let source: any MusicSource
    private let store: any LibraryStore
    private let account: AccountService
    private let connectivity: Connectivity
    private let hub: EventHub
    private let log: Log
    /// What was changed at VK from here, for readings that began before.
    let changes = ProfileChangeLog()
    /// The sync that runs, and whose profile it reads.
    private var syncing: (epoch: Int, operation: Operation, task: Task<Result<SyncOutcome, Failure>, Never>)?

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
        let wanted = FoldedText.fold(filter)
        return listed.filter { FoldedText.fold("\($0.track.artist) \($0.track.title)").contains(wanted) }
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
        var known = Dictionary(
            try await store.tracks(references.map(\.id)).map { ($0.track.id, $0) }, uniquingKeysWith: { $1 })
        let unknown = references.filter { known[$0.id] == nil && $0.id.isVKs }
        if !unknown.isEmpty {
            let resolved = try await calling { () throws(Failure) in try await source.resolve(unknown) }
            let found = unknown.compactMap { resolved[$0.id]?.track }
            try await store.remember(found)
            for listed in try await store.tracks(found.map(\.id)) { known[listed.track.id] = listed }
        }
        guard let missing = references.first(where: { known[$0.id] == nil }) else {
            return references.compactMap { known[$0.id] }
        }
        let words = missing.id.isVKs ? "VK knows no track \(missing.id)" : "the address of \(missing.id) is not known"
        throw Failure(.notFound, words, subject: missing.id)
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

    /// What `play` starts where nothing is queued.
    func everythingToPlay() async throws(Failure) -> [ListedTrack] {
        await account.ready()
        let profile = account.isSignedIn && !connectivity.isOfflineMode ? try await store.profile(matching: nil) : []
        return profile.isEmpty ? try await store.music(matching: nil) : profile
    }

    /// Reads the profile anew; whoever asks while it runs gets the same outcome.
    public func sync() async throws(Failure) -> SyncOutcome {
        await account.ready()
        let epoch = account.epoch
        if let syncing, syncing.epoch == epoch {
            syncing.operation.join()
            return try await syncing.task.value.get()
        }
        let (operation, task) = Operation.shared(words: Self.said) { [self] in await syncOnce(epoch) }
        operation.join()
        syncing = (epoch, operation, task)
        let outcome = await task.value
        if syncing?.task == task { syncing = nil }
        return try outcome.get()
    }

    private nonisolated static func said(_ outcome: SyncOutcome) -> String {
        "VK took the answer: \(outcome.total) tracks, \(outcome.added) new, \(outcome.removed) removed"
    }

    private func syncOnce(_ epoch: Int) async -> Result<SyncOutcome, Failure> {
        do throws(Failure) {
            try account.requireAccount()
            let mark = changes.mark
            let plan = changes.rebase(try await readProfile(), since: mark)
            // Another account's list must not become this one's.
            guard account.epoch == epoch else {
                throw Failure(.cancelled, "the account changed while its profile was read")
            }
            try await store.apply(plan)
            if plan.changesAnything { hub.changed(.library) }
            let outcome = SyncOutcome(
                total: plan.tracks.count, added: plan.added.count, removed: plan.removed.count,
                unavailable: plan.unavailable)
            log.info("sync: \(outcome.total) tracks, \(outcome.added) new, \(outcome.removed) removed")
            return .success(outcome)
        } catch {
            log.warning("sync: \(error.message)")
            return .failure(error)
        }
    }

    private func readProfile() async throws(Failure) -> SyncPlan {
        let stored = try await store.profile(matching: nil).map(\.track)
        var reading = SyncReading(stored: stored)
        let check = AvailabilityCheck(known: stored)
        while true {
            switch reading.next {
            case .page(let offset, let count):
                var page = try await calling { () throws(Failure) in
                    try await source.profilePage(owner: nil, offset: offset, count: count)
                }
                await check.settle(&page) { [source] references throws(Failure) in
                    try await source.resolve(references)
                }
                reading.received(page)
            case .done(let plan): return plan
            case .failed(let failure): throw failure
            }
        }
    }

    /// Every call to VK: not in offline mode, not without an account; its end is told to whoever shows it.
    func calling<Answer>(
        _ call: () async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        await account.ready()
        try connectivity.requireNetwork()
        try account.requireAccount()
        let epoch = account.epoch
        do {
            let answer = try await call()
            connectivity.succeeded()
            if account.epoch == epoch { account.noted(nil) }
            return answer
        } catch {
            connectivity.failed(error)
            // What VK has against an account that is no longer in use is nobody's problem.
            if account.epoch == epoch { account.noted(error) }
            throw error
        }
    }
}
