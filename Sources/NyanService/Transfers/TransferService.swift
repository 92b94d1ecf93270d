public import NyanCore
import NyanDBus

/// The one byte path: every track's bytes are fetched here, once, however many want them (DESIGN.md §1.2, §5).
public final class TransferService {
    /// What transfers need from outside.
    struct Ports {
        let source: any MusicSource
        let fetcher: any Fetcher
        let connectivity: Connectivity
        let account: AccountService
        /// A track was described anew while its location was asked for.
        let described: (Track) -> Void
        /// Whether no attempt may begin because the machine sleeps.
        let isAsleep: () -> Bool
        /// Something went wrong on the way: time to look whether the machine slept.
        let troubled: () -> Void
        /// So many bytes on disk were not what was written, and are fetched anew.
        let damaged: (TrackID, Int64) -> Void
        let desk: LocationDesk
        /// Why nothing may be asked of this host for a download now; nil = it may.
        let refusal: (_ host: String) -> Failure?
    }

    private lazy var ports = Ports(
        source: source, fetcher: fetcher, connectivity: connectivity, account: account, described: described,
        isAsleep: { [weak self] in self?.isAsleep == true }, troubled: { [weak self] in self?.onTrouble() },
        damaged: { [weak self] in self?.onDamage($0, $1) }, desk: desk,
        refusal: { [weak self] in self?.hostRefusal($0) })
    /// Where downloads ask for their locations.
    private(set) lazy var desk = LocationDesk(source: source, epoch: { [account] in account.epoch })
    /// Why nothing may be asked of a host for a download now; nil = it may.
    var hostRefusal: (_ host: String) -> Failure? = { _ in nil }
    private let source: any MusicSource
    private let fetcher: any Fetcher
    private let connectivity: Connectivity
    private let account: AccountService
    private let described: (Track) -> Void
    private let copies: any CopyStore
    private var active: [TrackID: ActiveCopy] = [:]
    /// Bytes a second for all copies together that only a download wants; nil = no limit.
    private var downloadLimit: Int?
    /// Bytes the stream cache may take; nil = not told yet.
    private var cacheSize: Int64?
    /// No attempt begins until `goOn`.
    private var isAsleep = false
    /// Called when an attempt failed, before anybody else hears of it.
    public var onTrouble: () -> Void = {}
    /// Called when bytes on disk proved damaged: of which track, and how many.
    public var onDamage: (TrackID, Int64) -> Void = { _, _ in }
    /// The track the player stands at, even if it has not claimed it yet: never pruned.
    public var currentTrack: () -> TrackID? = { nil }

    public init(
        source: any MusicSource, fetcher: any Fetcher, copies: any CopyStore, connectivity: Connectivity,
        account: AccountService, described: @escaping (Track) -> Void
    ) {
        self.source = source
        self.fetcher = fetcher
        self.connectivity = connectivity
        self.account = account
        self.described = described
        self.copies = copies
    }

    /// Claims a track's bytes and starts to fetch what is missing. Events come later, never from within this call.
    public func claim(
        _ track: Track, for purpose: Claim.Purpose, onEvent: @escaping (ClaimEvent) -> Void
    ) throws(Failure) -> Claim {
        let copy = try activeCopy(of: track, durable: purpose == .download)
        let claim = Claim(on: copy, purpose: purpose, onEvent: onEvent)
        copy.add(claim)
        if purpose == .playing { copy.sink.notePlayed() }
        share()
        Task.onMain { copy.serve(claim) }
        return claim
    }

    /// Throws where the listener asked for no network.
    func requireNetwork() throws(Failure) { try ports.connectivity.requireNetwork() }

    /// Tries again after a failure; while an attempt runs nothing happens. Events come later, as from `claim`.
    public func retry(_ claim: Claim) {
        guard let copy = claim.copy else { return }
        Task.onMain { copy.serve(claim) }
    }

    /// The sound of a claim made ahead is now the one that plays.
    public func promote(_ claim: Claim) {
        claim.purpose = .playing
        claim.bytes.notePlayed()
        share()
    }

    /// The reader of this claim needs bytes from here first.
    public func prefer(_ claim: Claim, offset: Int64) { claim.copy?.prefer(offset: offset) }

    /// Gives a claim back. What came stays on disk: in the cache, or beside the library for a download.
    public func release(_ claim: Claim) {
        guard let copy = claim.copy else { return }
        claim.end()
        copy.remove(claim)
        guard copy.claims.isEmpty else { return share() }
        copy.cancel()
        // A copy that was discarded while somebody read it is nobody's any more.
        guard active[claim.id] === copy else { return }
        active[claim.id] = nil
        share()
        if copy.isOfNoUse { try? copies.discard(claim.id) }
        if !copy.isDurable, let cacheSize { pruneCache(to: cacheSize) }
    }

    /// Removes whatever was fetched of a track. A player that reads it keeps its bytes, in a file without a name, until
    /// it lets go; whoever claims the track from now on begins anew.
    public func discard(_ id: TrackID) throws(Failure) {
        active[id] = nil
        try copies.discard(id)
    }

    /// Ends every attempt that runs, because the network must not be used from now on.
    public func endAttempts(_ failure: Failure) {
        desk.forgetAll()
        for copy in active.values { copy.end(failure) }
    }

    /// The machine is about to sleep: every attempt ends without a word, and none begins until `goOn`.
    public func cutOff() {
        isAsleep = true
        desk.forgetAll()
        for copy in active.values { copy.cutOff() }
    }

    /// The machine is awake: what was cut off or wanted meanwhile goes on with the bytes that are there.
    public func goOn() {
        isAsleep = false
        for copy in active.values { copy.goOn() }
    }

    /// The bytes of a claim are no sound: whoever claims the track from now on begins anew. What a download has fetched is
    /// its own to judge.
    public func distrust(_ claim: Claim) {
        guard let copy = claim.copy, !copy.isDurable else { return }
        try? discard(claim.id)
    }

    public func setDownloadLimit(_ bytesPerSecond: Int?) {
        downloadLimit = bytesPerSecond
        share()
    }

    /// Keeps the stream cache below its ceiling, now and whenever a stream ends.
    public func pruneCache(to bytes: Int64) {
        cacheSize = bytes
        copies.prune(to: bytes, keeping: Set(active.keys).union(currentTrack().map { [$0] } ?? []))
    }

    /// Removes the growing files of downloads that are not wished for any more: what a crash left behind.
    public func sweep(keeping wanted: Set<TrackID>) { copies.sweep(keeping: wanted.union(active.keys)) }

    private func activeCopy(of track: Track, durable: Bool) throws(Failure) -> ActiveCopy {
        if let copy = active[track.id] {
            if durable && !copy.isDurable {
                try copies.makeDurable(track.id)
                copy.isDurable = true
            }
            return copy
        }
        let sink = try copies.open(track.id, durable: durable)
        let copy = ActiveCopy(track: track, sink: sink, isDurable: durable, services: ports)
        // What an earlier run left of a stream without an end is another part of it than what comes now.
        if copy.isOfNoUse { try sink.reset() }
        copy.phaseChanged = { [weak self] in self?.share() }
        active[track.id] = copy
        return copy
    }

    /// Shares the rate limit among the downloads that run. It never starves playback: it holds only where nobody but a
    /// download wants the bytes.
    private func share() {
        let running = active.values.count { copy in
            copy.phase == .transferring && copy.claims.allSatisfy { $0.purpose == .download }
        }
        let part = downloadLimit.map { max(1, $0 / max(1, running)) }
        for copy in active.values {
            let isDownload = copy.claims.allSatisfy { $0.purpose == .download }
            copy.setLimit(isDownload ? part : nil)
        }
    }
}
