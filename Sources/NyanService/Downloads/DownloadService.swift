public import NyanCore
import NyanDBus

/// Owns the download machine: wishes and events go in, effects come out and are run here. Every wish is durable when
/// its call returns.
public final class DownloadService {
    private(set) var machine: DownloadMachine
    /// Who remembers what the person wishes for and takes away.
    public var onWish: (DownloadWish) async throws(Failure) -> Void = { _ in }
    let transfers: TransferService
    let library: any LibraryStore
    let finisher: any Finisher
    let covers: CoverService
    /// How files that are finished from now on are named.
    public var fileNameTemplate: String
    let connectivity: Connectivity
    let account: AccountService
    let hub: EventHub
    let time: any TimeSource
    let log: Log
    var claims: [TrackID: Claim] = [:]
    var timers: [TrackID: Task<Void, Never>] = [:]
    /// A server asked everybody to wait.
    var hold: Task<Void, Never>?
    let writes = OrderedWrites()
    /// Rows whose write or removal failed: done with the next.
    var unsaved: Set<TrackID> = []
    var unremoved: Set<TrackID> = []
    /// Rows that changed, and ids that went, since the readers were told.
    var changed: Set<TrackID> = []
    var removed: Set<TrackID> = []
    /// Which attempt at finishing a download counts; a cancelled one is no longer here and leaves nothing.
    var finishing: [TrackID: Int] = [:]
    var lastFinish = 0
    /// Which start of a download's transfer counts: what an earlier one met may be judged late.
    var starts: [TrackID: Int] = [:]
    var lastStart = 0
    /// Being cancelled by the person, until that is remembered.
    var cancelling: Set<TrackID> = []
    /// The attempts under way, and those of them that may have begun a file: a cancel is answered when that is gone.
    var making: [Int: (id: TrackID, task: Task<Void, Never>)] = [:]
    var writing: Set<Int> = []
    /// Looks at the folders downloads go to; nil = nobody looks.
    public var rooms: (any RoomSource)?
    let space: SpaceWatch
    /// What the readers know of the folders' trouble, and of the servers that ask for a pause.
    var heldBy: Failure?
    var heldHosts: Set<String> = []
    /// What is heard now and next.
    public var listening: () -> [TrackID] = { [] }
    /// Seconds since 1970, with their fractions: a pause that is stored and read by whole seconds may lose one.
    public var wallClock: () -> Double = { WallClock.exact }
    /// Why nothing is fetched, and when that is looked at again.
    var gate = Gate()
    /// Inputs that come while effects run wait for their turn.
    private var inputs: [DownloadMachine.Input] = []
    private var isHandling = false
    private var restoring: Task<Bool, Never>?
    /// A track's words, if they are known without asking anybody.
    public var knownLyrics: (TrackID) async -> Lyrics? = { _ in nil }
    private let listWasRead = Moment()
    /// Failed since the last batch ended.
    var failedInBatch: Set<TrackID> = []
    /// What a rule tries again, with what it failed of before.
    var expectedFailures: [TrackID: Failure.Code] = [:]
    /// Nothing runs or waits any more.
    public var onBatchEnd: (DownloadBatch) -> Void = { _ in }
    /// All ids of the recording a track is of.
    public var twins: (TrackID) async throws(Failure) -> [TrackID] = { [$0] }
    /// Of these, those whose recording has other ids, with all of its ids; nil = `twins` is asked for each.
    public var twinsAmong: (([TrackID]) async throws(Failure) -> [TrackID: [TrackID]])?

    public init(
        parallel: Int, transfers: TransferService, library: any LibraryStore, finisher: any Finisher,
        covers: CoverService, fileNameTemplate: String, connectivity: Connectivity, account: AccountService,
        hub: EventHub, time: any TimeSource, log: Log
    ) {
        machine = DownloadMachine(
            parallel: parallel, isOnline: account.isSignedIn && !connectivity.isOfflineMode,
            seed: .random(in: .min ... .max))
        self.transfers = transfers
        self.library = library
        self.finisher = finisher
        self.covers = covers
        self.fileNameTemplate = fileNameTemplate
        self.connectivity = connectivity
        self.account = account
        self.hub = hub
        self.time = time
        self.log = log
        space = SpaceWatch(time: time)
        gate.isClosed = !machine.isOnline
        hub.subscribe { [weak self] changes in
            if !changes.isDisjoint(with: [.connectivity, .account]) { self?.lookAtGate() }
            if !changes.isDisjoint(with: [.playback, .queue]) { self?.lookAtListening() }
        }
        transfers.hostRefusal = { [weak self] in self?.hostRefusal($0) }
        transfers.desk.now = { time.now }
        transfers.desk.upcoming = { [weak self] in self?.machine.upcoming($0, at: time.now) ?? [] }
        transfers.desk.onHosts = { [weak self] in self?.handle(.located($0)) }
    }

    /// From now on wishes and readers wait for `restore`: what an earlier run left is not known yet.
    public func willRestore() {
        restoring = Task.onMain { [listWasRead] in
            await listWasRead.wait()
            return true
        }
    }

    /// Returns when the list is what an earlier run left, at once where nothing is to be taken up.
    public func ready() async { _ = await restoring?.value }

    /// In queue order.
    public var list: [Download] { machine.downloads }
    /// Nothing is being fetched or finished.
    public var isQuiet: Bool { claims.isEmpty && finishing.isEmpty }

    /// Takes up what an earlier run left, and removes what it left of downloads that nobody wishes for. Called once at
    /// start; wishes that come meanwhile wait for it.
    /// `sweeping`: false when the list was lost, so that what was being fetched is not taken for left over.
    public func restore(sweeping: Bool = true) async {
        let task = Task.onMain { [self] () -> Bool in
            defer { listWasRead.come() }
            do throws(Failure) {
                let holds = await storedHolds()
                let rows = try await library.downloads()
                // In a new library the copies of a disk that is away are not known yet: their rows stay.
                let gone = sweeping ? try await bereft(rows) : []
                if !holds.isEmpty { handle(.restoreHolds(holds)) }
                handle(.restore(rows))
                handle(.forget(gone))
                lookAtListening()
                return true
            } catch {
                log.error("the download list cannot be read: \(error.message)")
                return false
            }
        }
        restoring = task
        guard await task.value, sweeping else { return }
        transfers.sweep(keeping: Set(machine.downloads.filter { $0.state != .done }.map(\.id)))
    }

    /// Queues tracks; those that are there or on their way are left alone.
    /// - Returns: how many were queued.
    public func add(_ tracks: [Track]) async throws(Failure) -> Int {
        await ready()
        try await tell(.wanted(tracks.map(\.id)))
        let done = Set(tracks.map(\.id).filter { machine[$0]?.state == .done })
        var wanted: [Track] = []
        let missing = try await withoutCopy(tracks)
        var coming = Coming(twins: try await allTwins(of: missing.map(\.id)))
        for track in missing {
            if coming.has(track.id, machine) { continue }
            guard track.isAvailable else {
                // One that was asked for by name gets its reason; among many it is left out.
                if tracks.count == 1 {
                    throw Failure(
                        .unavailableTrack, track.unavailableReason ?? "VK gives no sound for this track",
                        subject: track.id)
                }
                continue
            }
            wanted.append(track)
            coming.add(track.id)
        }
        // The person takes them away in this moment, which the rule could not know.
        if DownloadAsker.isRule { wanted.removeAll { cancelling.contains($0.id) } }
        // Its file was deleted by hand: the old row stands for nothing.
        handle(.forget(wanted.map(\.id).filter(done.contains)))
        let before = Set(machine.downloads.filter(\.state.isUnderWay).map(\.id))
        handle(.add(wanted))
        tryGate()
        try await saved()
        return Set(wanted.map(\.id)).count { machine[$0]?.state.isUnderWay == true && !before.contains($0) }
    }

    /// Leaves out what is in My Music; what should be there and is missing may be fetched anew.
    private func withoutCopy(_ tracks: [Track]) async throws(Failure) -> [Track] {
        let copied = Set(try await library.tracks(tracks.map(\.id)).filter { $0.copyPath != nil }.map(\.track.id))
        var copies: [TrackID: FinishedCopy] = [:]
        for id in copied { copies[id] = try await library.copy(of: id) }
        let sights = await FinishedCopy.sights(of: copies)
        for (id, sight) in sights where sight == .gone {
            // Not one that came while the disk was looked at.
            guard let copy = copies[id], try await library.copy(of: id) == copy else { continue }
            try await library.removeCopy(copy.id)
            hub.changed(.library)
        }
        return tracks.filter { sights[$0.id] != .there }
    }

    /// Stops downloads and leaves nothing behind; nil = all that are not done.
    public func cancel(_ ids: [TrackID]?) async throws(Failure) -> Int {
        await ready()
        let unfinished = machine.downloads.filter { $0.state != .done }.map(\.id)
        let wanted = try known(ids, among: Set(unfinished)) ?? unfinished
        cancelling.formUnion(wanted)
        defer { cancelling.subtract(wanted) }
        // Before it is told: what came to its end meanwhile would stay. A kill between the two may only let a rule queue
        // it again, and nothing was answered then.
        handle(.cancel(.these(wanted)))
        // A full disk has room for the word once they are gone.
        if let owed = await tellFirst(.unwanted(wanted)) { try await tell(owed) }
        try await saved()
        // A file being made in this moment is removed by whoever makes it: the answer is true even if we are killed.
        let gone = Set(wanted)
        for (attempt, file) in making where gone.contains(file.id) && writing.contains(attempt) {
            _ = await LimitedWait.value(of: file.task, within: .seconds(10), by: time)
        }
        return Set(wanted).count
    }

    public func retry(_ ids: [TrackID]?) async throws(Failure) -> Int {
        await ready()
        let wanted = try known(ids, among: retriable) ?? machine.downloads.filter(\.isInTrouble).map(\.id)
        handle(.retry(.these(wanted)))
        tryGate()
        try await saved()
        return Set(wanted).count
    }

    public func pause(_ ids: [TrackID]?) async throws(Failure) {
        await ready()
        handle(.pause(try selection(ids)))
        try await saved()
    }

    /// - Returns: how many go on: paused ones, and where a folder's hold was ended those that stood still for it.
    @discardableResult public func resume(_ ids: [TrackID]?) async throws(Failure) -> Int {
        await ready()
        let selection = try selection(ids)
        let still = standingStill
        handle(.resume(selection))
        let count = machine.placeTrouble == nil ? still.count { machine[$0]?.state.isUnderWay == true } : 0
        tryGate()
        try await saved()
        return count
    }

    public func setParallel(_ parallel: Int) { handle(.setParallel(parallel)) }

    /// Hands over what changed since the last call. An id is in one of the lists only.
    public func takeChanges() -> (changed: [Download], removed: [TrackID]) {
        defer { (changed, removed) = ([], []) }
        return (
            takenRows(),
            removed.filter { machine[$0] == nil }
        )
    }

    /// Lets go of every transfer; what came stays for the next run.
    public func shutDown() async {
        gate.timer?.cancel()
        space.end()
        hold?.cancel()
        for timer in timers.values { timer.cancel() }
        for claim in claims.values { transfers.release(claim) }
        claims = [:]
        try? await saved()
    }

    private func selection(_ ids: [TrackID]?) throws(Failure) -> DownloadMachine.Selection {
        try known(ids, among: Set(machine.downloads.map(\.id))).map { .these($0) } ?? .all
    }

    private func known(_ ids: [TrackID]?, among: Set<TrackID>) throws(Failure) -> [TrackID]? {
        guard let ids else { return nil }
        if let stranger = ids.first(where: { !among.contains($0) }) {
            throw Failure(.notFound, "\(stranger) is not among these downloads", subject: stranger)
        }
        return ids
    }

    func handle(_ input: DownloadMachine.Input) {
        inputs.append(input)
        guard !isHandling else { return }
        isHandling = true
        while !inputs.isEmpty {
            for effect in machine.handle(inputs.removeFirst(), at: time.now) { run(effect) }
        }
        isHandling = false
        lookAtPlace()
        lookAtHolds()
        hub.changed(.downloads)
    }

    private func takenRows() -> [Download] {
        let rows = changed.compactMap { machine[$0] }.sorted { $0.order < $1.order }
        guard !rows.isEmpty else { return [] }
        let holds = machine.holds(at: time.now)
        return rows.map { shown($0, holds) }
    }
}
