public import NyanCore

/// The one byte path: every track's bytes are fetched here, once, however many want them (DESIGN.md §1.2, §5).
public final class TransferService {
    /// What transfers need from outside.
    struct Ports {
        let source: any MusicSource
        let fetcher: any Fetcher
        let connectivity: Connectivity
        /// A track was described anew while its location was asked for.
        let described: (Track) -> Void
    }

    private let ports: Ports
    private let copies: any CopyStore
    private var active: [TrackID: ActiveCopy] = [:]
    /// Bytes a second for copies that only a download wants; nil = no limit.
    private var downloadLimit: Int?

    public init(
        source: any MusicSource, fetcher: any Fetcher, copies: any CopyStore, connectivity: Connectivity,
        described: @escaping (Track) -> Void
    ) {
        ports = Ports(source: source, fetcher: fetcher, connectivity: connectivity, described: described)
        self.copies = copies
    }

    /// Claims a track's bytes and starts to fetch what is missing. Events come later, never from within this call.
    public func claim(
        _ track: Track, for purpose: Claim.Purpose, onEvent: @escaping (ClaimEvent) -> Void
    ) throws(Failure) -> Claim {
        let copy = try activeCopy(of: track, durable: purpose == .download)
        let claim = Claim(id: track.id, purpose: purpose, bytes: copy.sink, onEvent: onEvent)
        copy.add(claim)
        copy.isDoomed = false
        limit(copy)
        if copy.phase == .complete {
            Task { onEvent(.complete) }
        } else {
            Task { copy.run() }
        }
        return claim
    }

    /// Tries again after a failure; nothing happens while an attempt runs.
    public func retry(_ claim: Claim) {
        guard let copy = active[claim.id], copy.claims.contains(where: { $0 === claim }) else { return }
        copy.run()
    }

    /// The reader of this claim needs bytes from here first.
    public func prefer(_ claim: Claim, offset: Int64) { active[claim.id]?.prefer(offset: offset) }

    /// Gives a claim back. What came stays on disk: in the cache, or beside the library for a download.
    public func release(_ claim: Claim) {
        guard let copy = active[claim.id] else { return }
        copy.remove(claim)
        guard copy.claims.isEmpty else { return limit(copy) }
        copy.cancel()
        active[claim.id] = nil
        if copy.isDoomed { try? copies.discard(claim.id) }
    }

    /// Removes whatever was fetched of a track; a player that reads it keeps its bytes until it lets go.
    public func discard(_ id: TrackID) throws(Failure) {
        if let copy = active[id] {
            copy.isDoomed = true
        } else {
            try copies.discard(id)
        }
    }

    public func setDownloadLimit(_ bytesPerSecond: Int?) {
        downloadLimit = bytesPerSecond
        for copy in active.values { limit(copy) }
    }

    /// Keeps the stream cache below its ceiling.
    public func pruneCache(to bytes: Int64) { copies.prune(to: bytes, keeping: Set(active.keys)) }

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
        active[track.id] = copy
        return copy
    }

    /// The rate limit never starves playback: it holds only where nobody but a download wants the bytes.
    private func limit(_ copy: ActiveCopy) {
        let onlyDownloads = copy.claims.allSatisfy { $0.purpose == .download }
        copy.setLimit(onlyDownloads ? downloadLimit : nil)
    }
}
