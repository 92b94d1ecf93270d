public import NyanCore

/// Owns the download machine: wishes and events go in, effects come out and are run here. Every wish is durable when
/// its call returns.
public final class DownloadService {
    private(set) var machine: DownloadMachine
    let transfers: TransferService
    let library: any LibraryStore
    let finisher: any Finisher
    let covers: CoverService
    let fileNameTemplate: String
    let hub: EventHub
    let time: any TimeSource
    let log: Log
    var claims: [TrackID: Claim] = [:]
    var timers: [TrackID: Task<Void, Never>] = [:]
    /// A server asked everybody to wait.
    var hold: Task<Void, Never>?
    let writes = OrderedWrites()
    /// Rows that changed, and ids that went, since the readers were told.
    var changed: Set<TrackID> = []
    var removed: [TrackID] = []

    public init(
        parallel: Int, transfers: TransferService, library: any LibraryStore, finisher: any Finisher,
        covers: CoverService, fileNameTemplate: String, hub: EventHub, time: any TimeSource, log: Log
    ) {
        machine = DownloadMachine(parallel: parallel, seed: .random(in: .min ... .max))
        self.transfers = transfers
        self.library = library
        self.finisher = finisher
        self.covers = covers
        self.fileNameTemplate = fileNameTemplate
        self.hub = hub
        self.time = time
        self.log = log
    }

    /// In queue order.
    public var list: [Download] { machine.downloads }

    /// Takes up what an earlier run left. Called once at start.
    public func restore() async {
        do {
            handle(.restore(try await library.downloads()))
        } catch {
            log.error("the download list cannot be read: \(error.message)")
        }
    }

    /// Queues tracks; those that are there or on their way are left alone.
    /// - Returns: how many were queued.
    public func add(_ tracks: [Track]) async throws(Failure) -> Int {
        var wanted: [Track] = []
        for track in tracks where try await library.copy(of: track.id) == nil {
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
        }
        // Its file was deleted by hand: the old row stands for nothing.
        handle(.forget(wanted.filter { machine[$0.id]?.state == .done }.map(\.id)))
        let before = wanted.count { machine[$0.id]?.state.isUnderWay == true }
        handle(.add(wanted))
        try await writes.flush()
        return wanted.count - before
    }

    /// Stops downloads and leaves nothing behind; nil = all that are not done.
    public func cancel(_ ids: [TrackID]?) async throws(Failure) -> Int {
        let unfinished = machine.downloads.filter { $0.state != .done }.map(\.id)
        let wanted = try known(ids, among: Set(unfinished)) ?? unfinished
        handle(.cancel(.these(wanted)))
        try await writes.flush()
        return wanted.count
    }

    public func retry(_ ids: [TrackID]?) async throws(Failure) -> Int {
        let failed = machine.downloads.filter { $0.state == .failed }.map(\.id)
        let wanted = try known(ids, among: Set(failed)) ?? failed
        handle(.retry(.these(wanted)))
        try await writes.flush()
        return wanted.count
    }

    public func pause(_ ids: [TrackID]?) async throws(Failure) {
        handle(.pause(try selection(ids)))
        try await writes.flush()
    }

    public func resume(_ ids: [TrackID]?) async throws(Failure) {
        handle(.resume(try selection(ids)))
        try await writes.flush()
    }

    /// Deletes finished copies; the profile at VK stays.
    public func deleteCopies(_ ids: [TrackID]) async throws(Failure) -> (files: Int, bytes: Int64) {
        var copies: [FinishedCopy] = []
        for id in ids {
            guard let copy = try await library.copy(of: id) else {
                throw Failure(.notFound, "\(id) is not in My Music", subject: id)
            }
            copies.append(copy)
        }
        for copy in copies {
            try await finisher.delete(copy)
            try await library.removeCopy(copy.id)
        }
        handle(.forget(copies.map(\.id)))
        hub.changed(.library)
        try await writes.flush()
        return (copies.count, copies.reduce(0) { $0 + $1.bytes })
    }

    public func setParallel(_ parallel: Int) { handle(.setParallel(parallel)) }

    /// Hands over what changed since the last call.
    public func takeChanges() -> (changed: [Download], removed: [TrackID]) {
        defer { (changed, removed) = ([], []) }
        return (changed.isEmpty ? [] : machine.downloads.filter { changed.contains($0.id) }, removed)
    }

    /// Lets go of every transfer; what came stays for the next run.
    public func shutDown() async {
        for timer in timers.values { timer.cancel() }
        for claim in claims.values { transfers.release(claim) }
        claims = [:]
        try? await writes.flush()
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
        for effect in machine.handle(input, at: time.now) { run(effect) }
        hub.changed(.downloads)
    }
}
