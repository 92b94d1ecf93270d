public import NyanCore
import NyanDBus

/// What a sync changed (CONTRACT.md `sync`).
public struct SyncOutcome: Sendable, Equatable {
    public var total: Int
    public var added: Int
    public var removed: Int
    public var unavailable: Int
    /// What left, came back and changed, by name.
    public var news = SyncNews()
}

/// Reads the profile anew: one sync at a time, shared by all who ask for one.
public final class SyncService {
    /// One call to VK for a page; reports its end to whoever shows it.
    typealias PageReader = @MainActor (_ offset: Int, _ count: Int) async throws(Failure) -> TrackPage

    /// The sync that runs, and whose profile it reads.
    private final class Run {
        let epoch: Int
        var task: Task<Result<SyncOutcome, Failure>, Never>?
        /// Who asks meanwhile is told what it waits for.
        var operation: Operation?
        /// Why it was stopped.
        var stopped: Failure?
        init(_ epoch: Int) { self.epoch = epoch }
    }

    private let store: any LibraryStore
    private let account: AccountService
    private let connectivity: Connectivity
    private let hub: EventHub
    private let log: Log
    private let readPage: PageReader
    private let resolve: AvailabilityCheck.Ask
    /// What was changed at VK from here, for readings that began before.
    let changes = ProfileChangeLog()
    private var run: Run?
    /// How far the sync that runs is; nil while none does or nothing is known.
    public private(set) var progress: SyncProgress? { didSet { if progress != oldValue { onProgress(progress) } } }
    public var onProgress: (SyncProgress?) -> Void = { _ in }
    private var listeners: [(Result<SyncOutcome, Failure>) -> Void] = []

    init(
        store: any LibraryStore, account: AccountService, connectivity: Connectivity, hub: EventHub, log: Log,
        resolve: @escaping AvailabilityCheck.Ask, readPage: @escaping PageReader
    ) {
        self.store = store
        self.account = account
        self.connectivity = connectivity
        self.hub = hub
        self.log = log
        self.resolve = resolve
        self.readPage = readPage
        hub.subscribe { [weak self] changes in
            if !changes.isDisjoint(with: [.account, .connectivity]) { self?.stopIfUnwanted() }
        }
    }

    public var isRunning: Bool { run != nil }

    /// Tells when a sync ends, by whomever it was asked for.
    public func listen(_ listener: @escaping (Result<SyncOutcome, Failure>) -> Void) { listeners.append(listener) }

    /// Whoever asks while it runs gets the same outcome.
    public func sync() async throws(Failure) -> SyncOutcome {
        await account.ready()
        let epoch = account.epoch
        if let run, run.epoch == epoch, run.stopped == nil, let task = run.task {
            run.operation?.join()
            return try await task.value.get()
        }
        let started = Run(epoch)
        run = started
        let (operation, task) = Operation.shared(words: Self.said) { [self] in await syncOnce(started) }
        started.task = task
        started.operation = operation
        operation.join()
        return try await task.value.get()
    }

    private nonisolated static func said(_ outcome: SyncOutcome) -> String {
        "VK took the answer: \(outcome.total) tracks, \(outcome.added) new, \(outcome.removed) removed"
    }

    /// Logged out or offline now: the answer that is waited for is wanted no more.
    private func stopIfUnwanted() {
        guard let current = run, current.stopped == nil else { return }
        if current.epoch != account.epoch {
            current.stopped = .otherAccount
        } else {
            do throws(Failure) { return try connectivity.requireNetwork() } catch { current.stopped = error }
        }
        current.task?.cancel()
    }

    private func syncOnce(_ current: Run) async -> Result<SyncOutcome, Failure> {
        var result: Result<SyncOutcome, Failure>
        do throws(Failure) {
            result = .success(try await read(current))
        } catch {
            result = .failure(error)
        }
        if case .failure = result, let stopped = current.stopped { result = .failure(stopped) }
        // A later one may run already, after this one was stopped.
        if run === current {
            run = nil
            progress = nil
        }
        switch result {
        case .success(let outcome): tell(outcome)
        case .failure(let failure): log.warning("sync: \(failure.message)")
        }
        for listener in listeners { listener(result) }
        return result
    }

    private func read(_ current: Run) async throws(Failure) -> SyncOutcome {
        try account.requireAccount()
        let stored = try await store.profile(matching: nil).map(\.track)
        let mark = changes.mark
        let read = try await readProfile(stored, current)
        var departed: Set<TrackID> = []
        if !read.added.isEmpty, !stored.isEmpty, let former = store as? any FormerTracks {
            departed = try await former.departed(read.added)
        }
        // Another account's list must not become this one's, nor may a change made meanwhile be undone: from here to the
        // store without a pause.
        guard account.epoch == current.epoch else { throw .otherAccount }
        let plan = changes.rebase(read, since: mark)
        try await store.apply(plan)
        if plan.changesAnything { hub.changed(.library) }
        return SyncOutcome(
            total: plan.tracks.count, added: plan.added.count, removed: plan.removed.count,
            unavailable: plan.unavailable, news: SyncNews(of: plan, stored: stored, departed: departed))
    }

    private func readProfile(_ stored: [Track], _ current: Run) async throws(Failure) -> SyncPlan {
        var reading = SyncReading(stored: stored)
        let check = AvailabilityCheck(known: stored)
        while true {
            switch reading.next {
            case .page(let offset, let count):
                var page = try await readPage(offset, count)
                await check.settle(&page, ask: resolve)
                guard account.epoch == current.epoch else { throw .otherAccount }
                if Task.isCancelled { throw Failure(.cancelled, "the sync was stopped") }
                reading.received(page)
                if run === current { progress = reading.progress }
            case .done(let plan): return plan
            case .failed(let failure): throw failure
            }
        }
    }

    private func tell(_ outcome: SyncOutcome) {
        log.info("sync: \(outcome.total) tracks, \(outcome.added) new, \(outcome.removed) removed")
        for change in outcome.news.changes { log.notice("sync: \(DisplayText.escaped(change.sentence))") }
        if outcome.news.more > 0 { log.notice("sync: and \(outcome.news.more) more") }
    }
}

extension Failure {
    fileprivate static var otherAccount: Failure {
        Failure(.cancelled, "the account changed while its profile was read")
    }
}
