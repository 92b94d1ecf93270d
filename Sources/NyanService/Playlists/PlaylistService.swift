public import NyanCore
import NyanDBus

/// Playlists: read at VK, kept on disk, so that all that is known is shown without a network, too.
public final class PlaylistService {
    /// A list, and what a person should know about it.
    public struct Shown<Row: Sendable>: Sendable {
        public var rows: [Row]
        /// Why it is the stored list that is shown; nil where it was read just now, or nobody asked for that.
        public var notice: String?
    }

    /// What is stored is shown when VK takes longer than this; the reading goes on.
    static let patience = Duration.seconds(8)
    /// The same where the network did not answer before either.
    static let shortPatience = Duration.seconds(2)

    let source: any PlaylistSource
    let store: any PlaylistStore
    let library: any LibraryStore
    let librarian: LibraryService
    let account: AccountService
    private let connectivity: Connectivity
    let calls: AccountCalls
    let time: any TimeSource
    /// Changes, one after the other.
    let turns: ChangeTurns
    let log: Log
    /// Called when the person's list or a playlist's tracks are others than before.
    public var onChange: () -> Void = {}
    /// Called whenever a playlist's tracks were read and believed.
    var onRead: (PlaylistID) -> Void = { _ in }
    private var readingList: (epoch: Int, task: Task<Result<[Playlist], Failure>, Never>)?
    private var readings: [PlaylistID: (epoch: Int, task: Task<Result<[Track], Failure>, Never>)] = [:]

    public init(
        source: any PlaylistSource, store: any PlaylistStore, library: any LibraryStore, librarian: LibraryService,
        account: AccountService, connectivity: Connectivity, time: any TimeSource, log: Log
    ) {
        self.source = source
        self.store = store
        self.library = library
        self.librarian = librarian
        self.account = account
        self.connectivity = connectivity
        self.time = time
        self.log = log
        calls = AccountCalls(account: account, connectivity: connectivity)
        turns = ChangeTurns(account: account)
    }

    /// The person's own and followed playlists, in VK's order.
    public func playlists() async throws(Failure) -> Shown<ListedPlaylist> {
        await account.ready()
        try account.requireAccount()
        let stored = try await store.playlists()
        // None known is not none there: then offline mode is the answer.
        guard !connectivity.isOfflineMode || stored.isEmpty else { return Shown(rows: stored) }
        let notice = try await fresh(isStored: !stored.isEmpty, listTask())
        return Shown(rows: try await store.playlists(), notice: notice)
    }

    /// A playlist's tracks in its order; also of one that is not in the person's list.
    public func tracks(
        of reference: PlaylistReference, matching filter: String?
    ) async throws(Failure) -> Shown<ListedTrack> {
        await account.ready()
        try account.requireAccount()
        let isStored = try await store.playlist(reference.id)?.isRead == true
        var notice: String?
        if !connectivity.isOfflineMode || !isStored {
            notice = try await fresh(isStored: isStored, tracksTask(reference))
        }
        let rows = try await store.tracks(of: reference.id, matching: filter)
        return Shown(rows: rows ?? [], notice: notice)
    }

    /// The person's playlists as they were read last; VK is not asked.
    public func known() async throws(Failure) -> [ListedPlaylist] { try await store.playlists() }

    /// The description of a playlist, as far as it is known here.
    public func known(_ id: PlaylistID) async throws(Failure) -> Playlist? { try await store.playlist(id)?.playlist }

    /// Reads the list anew, for whoever keeps the library in step with VK; what goes wrong is no trouble of theirs.
    public func refresh() async {
        if case .failure(let failure) = await listTask().value { log.info("playlists: \(failure.message)") }
    }

    /// Tracks VK recommends: like one, or for the person.
    public func recommendations(like track: TrackReference?) async throws(Failure) -> [ListedTrack] {
        if let track, !track.id.isVKs {
            throw Failure(.badArgument, "VK recommends only what is like its own tracks", subject: track.id)
        }
        let found = try await calls.ask { () async throws(Failure) in
            try await source.recommendations(like: track, count: 100)
        }
        try await library.remember(found)
        return try await librarian.listed(found)
    }

    /// Waits for a reading as long as it is worth it. With nothing stored the wait is as long as VK takes, and its
    /// failure is the caller's; else it becomes the notice.
    private func fresh<Value>(
        isStored: Bool, _ task: Task<Result<Value, Failure>, Never>
    ) async throws(Failure) -> String? {
        guard isStored else {
            _ = try await task.value.get()
            return nil
        }
        let limit = connectivity.isOnline ? Self.patience : Self.shortPatience
        switch await LimitedWait.value(of: task, within: limit, by: time) {
        case .success: return nil
        case .failure(let failure): return "shown as it was read last: \(failure.message)"
        case nil: return "shown as it was read last: VK does not answer"
        }
    }

    /// The reading of the list that runs, or a new one.
    private func listTask() -> Task<Result<[Playlist], Failure>, Never> {
        let epoch = account.epoch
        if let readingList, readingList.epoch == epoch { return readingList.task }
        let task = Task.onMain { [self] in
            let outcome = await result { () async throws(Failure) in try await readList() }
            if readingList?.epoch == epoch { readingList = nil }
            return outcome
        }
        readingList = (epoch, task)
        return task
    }

    private func tracksTask(_ reference: PlaylistReference) -> Task<Result<[Track], Failure>, Never> {
        let epoch = account.epoch
        if let running = readings[reference.id], running.epoch == epoch { return running.task }
        let task = Task.onMain { [self] in
            let outcome = await result { () async throws(Failure) in try await readTracks(reference) }
            if readings[reference.id]?.epoch == epoch { readings[reference.id] = nil }
            return outcome
        }
        readings[reference.id] = (epoch, task)
        return task
    }

    private func result<Value>(
        _ work: () async throws(Failure) -> Value
    ) async -> Result<Value, Failure> {
        do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
    }
}
