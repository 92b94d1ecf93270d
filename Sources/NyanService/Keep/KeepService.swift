public import NyanCore
import NyanDBus

/// Keep rules: what a kept list holds, and what comes to it later, is downloaded, in the list's order and by itself.
///
/// A rule only ever asks for downloads. What the person took away stays away, what VK takes away stays on disk; files
/// go only where `unkeep` is told so.
public final class KeepService {
    /// What `keep` is answered.
    public struct Kept: Sendable, Equatable {
        public var rule: KeepRule
        public var queued: Int
        /// What a person should know about the list; nil = nothing.
        public var notice: String?
    }

    /// What `unkeep` is answered.
    public struct Unkept: Sendable, Equatable {
        public var cancelled = 0
        public var deleted = 0
        public var freed: Int64 = 0
        /// Files that only this rule brought and that are still there.
        public var staying = 0
    }

    let store: any KeepStore
    let playlists: PlaylistService
    let downloads: DownloadService
    let account: AccountService
    let connectivity: Connectivity
    let log: Log
    /// Told when a rule begins or ends.
    public var onChange: () -> Void = {}
    private let turns = Turns()
    /// What the person took away while a rule was looking at its list.
    private var takenAway: Set<TrackID> = []
    /// Lists that are read because the person says `keep` now: that looks at them itself.
    private var asked: Set<KeptList> = []
    private var isReading = false
    /// Files that `unkeep` deletes before it remembers that they are gone.
    private static let batch = 100
    private static let refusalNote = "keep.refused"

    public init(
        store: any KeepStore, playlists: PlaylistService, downloads: DownloadService, library: LibraryService,
        account: AccountService, connectivity: Connectivity, log: Log
    ) {
        self.store = store
        self.playlists = playlists
        self.downloads = downloads
        self.account = account
        self.connectivity = connectivity
        self.log = log
        downloads.onWish = { [weak self] wish async throws(Failure) in try await self?.heard(wish) }
        playlists.onRead = { [weak self] id in self?.wasRead(.playlist(id)) }
        library.syncs.listen { [weak self] result in
            guard case .success = result else { return }
            Task.onMain { await self?.synced() }
        }
        library.syncs.changes.onChange = { [weak self] in self?.wasRead(.profile) }
    }

    /// Takes the rules up again after a start: what was not queued yet is, without a network.
    public func start() async { await lookAtAll() }

    // What the person says.

    /// The rules with how far they are.
    public func rules() async throws(Failure) -> [KeepRule] {
        var rules: [KeepRule] = []
        for rule in try await store.keepRules() { rules.append(try await counted(rule)) }
        return rules
    }

    /// Begins a rule, or looks at one that holds anew; durable when it returns. What the person had taken away of the
    /// list comes again.
    public func keep(_ list: KeptList, key: String? = nil) async throws(Failure) -> Kept {
        await account.ready()
        try account.requireAccount()
        let notice = try await begin(list, key: key)
        onChange()
        return try await turns.run { [self] () async throws(Failure) in
            try await store.takeBack(list)
            let queued = try await look(at: list, isAsked: true)
            guard let rule = try await store.keepRules().first(where: { $0.list == list }) else {
                throw Failure(.cancelled, "the rule was ended meanwhile")
            }
            log.notice("keep \(list): \(queued) queued")
            return Kept(rule: try await counted(rule), queued: queued, notice: notice)
        }
    }

    /// Sets the rule, and reads a playlist anew if VK answers. One that nobody has heard of must be read before.
    /// - Returns: what a person should know about the list; nil = nothing.
    private func begin(_ list: KeptList, key: String?) async throws(Failure) -> String? {
        guard case .playlist(let id) = list else {
            try await store.setKept(list, true)
            return nil
        }
        asked.insert(list)
        defer { asked.remove(list) }
        let reference = PlaylistReference(id: id, accessKey: key)
        guard try await playlists.known(id) != nil else {
            let notice = try await playlists.tracks(of: reference, matching: nil).notice
            try await store.setKept(list, true)
            return notice
        }
        try await store.setKept(list, true)
        do throws(Failure) {
            return try await playlists.tracks(of: reference, matching: nil).notice
        } catch {
            return "its tracks are not known yet, and are downloaded once they are: \(error.message)"
        }
    }

    /// How many files, of how many bytes, `unkeep` with `deleting` would delete.
    public func preview(_ list: KeptList) async throws(Failure) -> (files: Int, bytes: Int64) {
        let plan = try await ending(list)
        return (plan.files.count, plan.bytes)
    }

    /// Ends a rule. Its downloads that nobody else wants are cancelled; its files stay, unless `deleting`: then those
    /// go that only this rule brought, also where the rule had ended before.
    public func unkeep(_ list: KeptList, deleting: Bool) async throws(Failure) -> Unkept {
        try await turns.run { [self] () async throws(Failure) in
            let holds = try await store.keepRules().contains { $0.list == list }
            if holds {
                // First: what it brings from now on is seen by the plan.
                try await store.setKept(list, false)
                onChange()
            }
            let unwanted = try await ending(list).cancelled
            let cancelled = try await downloads.cancelQuietly(unwanted)
            try await store.unmark(cancelled, by: list)
            // A download that was done before it could be cancelled is a file by now.
            let files = try await ending(list).files
            guard holds || !cancelled.isEmpty || deleting && !files.isEmpty else {
                throw Failure(.notFound, "\(list) is not kept: `nyanctl keep` lists what is")
            }
            var outcome = Unkept(cancelled: cancelled.count)
            if deleting { try await delete(files, of: list, &outcome) }
            outcome.staying = files.count - outcome.deleted
            log.notice("unkeep \(list): \(outcome.deleted) files deleted, \(outcome.staying) stay")
            return outcome
        }
    }

    /// A file that cannot be deleted, or is not nyand's any more, keeps no other one.
    private func delete(_ files: [TrackID], of list: KeptList, _ outcome: inout Unkept) async throws(Failure) {
        for begin in stride(from: 0, to: files.count, by: Self.batch) {
            let batch = Array(files[begin..<min(begin + Self.batch, files.count)])
            let gone = try await downloads.byRule { () async throws(Failure) in
                try await downloads.deleteEach(batch) { log.warning("unkeep: \($0.message)") }
            }
            outcome.deleted += gone.count
            outcome.freed += gone.reduce(0) { $0 + $1.bytes }
            try await store.unmark(gone.map(\.id), by: list)
        }
    }

    private func ending(_ list: KeptList) async throws(Failure) -> UnkeepPlan {
        UnkeepPlan(try await store.brought(by: list), downloads: await downloads.byID())
    }

    private func counted(_ rule: KeepRule) async throws(Failure) -> KeepRule {
        let tracks = try await store.keptTracks(of: rule.list) ?? []
        let plan = KeepPlan(tracks, downloads: await downloads.byID())
        var rule = rule
        (rule.tracks, rule.here, rule.coming) = (tracks.count, plan.here, plan.coming)
        (rule.unavailable, rule.failed, rule.declined) = (plan.unavailable, plan.failed, plan.declined)
        return rule
    }

    // What happens.

    /// What the person wishes counts more than any rule.
    private func heard(_ wish: DownloadWish) async throws(Failure) {
        switch wish {
        case .wanted(let ids): try await store.wished(ids)
        case .unwanted(let ids): try await tookAway(ids)
        }
    }

    /// The person took these away, by a command or by hand.
    public func tookAway(_ ids: [TrackID]) async throws(Failure) {
        takenAway.formUnion(ids)
        try await store.declined(ids)
    }

    /// A list is known anew.
    private func wasRead(_ list: KeptList) {
        guard !asked.contains(list) else { return }
        Task.onMain { [self] in
            do throws(Failure) {
                guard try await store.keepRules().contains(where: { $0.list == list }) else { return }
                try await turns.run { [self] () async throws(Failure) in
                    _ = try await look(at: list)
                }
            } catch {
                log.warning("keep \(list): \(error.message)")
            }
        }
    }

    /// VK was asked: the profile is looked at, and kept playlists are read as well, one after the other.
    private func synced() async {
        await lookAtAll()
        guard !isReading else { return }
        isReading = true
        defer { isReading = false }
        for rule in (try? await store.keepRules()) ?? [] {
            guard case .playlist(let id) = rule.list, account.isSignedIn, !connectivity.isOfflineMode else { continue }
            do throws(Failure) {
                // What is read is looked at by `wasRead`.
                _ = try await playlists.readTracks(PlaylistReference(id: id))
            } catch {
                log.info("keep \(id): \(error.message)")
                if !connectivity.isOnline { return }
            }
        }
    }

    private func lookAtAll() async {
        do throws(Failure) {
            for rule in try await store.keepRules() {
                try await turns.run { [self] () async throws(Failure) in
                    _ = try await look(at: rule.list)
                }
            }
        } catch {
            log.warning("keep: \(error.message)")
        }
    }

    /// Queues what a rule lacks; in its turn.
    private func look(at list: KeptList, isAsked: Bool = false) async throws(Failure) -> Int {
        guard try await store.keepRules().contains(where: { $0.list == list }) else { return 0 }
        takenAway = []
        let tracks = try await store.keptTracks(of: list) ?? []
        let known = await downloads.byID()
        let due = await due(tracks, known)
        let plan = KeepPlan(tracks, downloads: known, isAsked: isAsked, due: due)
        try await store.mark(plan.marked, by: list)
        guard !plan.queued.isEmpty else { return 0 }
        if !isAsked { downloads.expect(plan.queued.compactMap { known[$0.id] }.filter { $0.state == .failed }) }
        let queued = try await downloads.byRule { () async throws(Failure) in
            try await downloads.add(plan.queued)
        }
        let unwanted = plan.queued.map(\.id).filter(takenAway.contains)
        _ = try await downloads.cancelQuietly(unwanted)
        if queued > 0, !isAsked { log.info("keep \(list): \(queued) queued") }
        return queued
    }

    /// What failed for want of a sound and may be tried again; remembered before it is.
    private func due(_ tracks: [KeptTrack], _ known: [TrackID: Download]) async -> Set<TrackID> {
        guard let text = try? await downloads.library.note(Self.refusalNote) ?? "" else { return [] }
        var refusals = KeepRefusals(text)
        let due = refusals.due(tracks, downloads: known, now: Int64(downloads.wallClock()))
        guard refusals.text != text else { return due }
        do throws(Failure) {
            try await downloads.library.setNote(Self.refusalNote, refusals.text.isEmpty ? nil : refusals.text)
            return due
        } catch {
            return []
        }
    }
}
