import NyanCore

/// One track being fetched: its growing file, the claims on it, and the attempt that runs.
///
/// A location that expired is replaced by a fresh one, once until bytes come again (vk-api.md §4.5); every other
/// failure is the claims' to judge.
final class ActiveCopy {
    enum Phase { case idle, resolving, transferring, complete }

    let track: Track
    let sink: any CopySink
    private(set) var claims: [Claim] = []
    private(set) var phase: Phase = .idle
    var isDurable: Bool
    /// Its download was cancelled while a player still reads it: goes when the last claim does.
    var isDoomed = false

    private let services: TransferService.Ports
    private var resolving: Task<Void, Never>?
    private var transfer: (any Transfer)?
    /// Bytes at the moment the last location was asked for: a fresh one must earn the next.
    private var receivedAtResolve: Int64 = -1
    private var wanted: Int64 = 0
    private var limit: Int?

    init(track: Track, sink: any CopySink, isDurable: Bool, services: TransferService.Ports) {
        self.track = track
        self.sink = sink
        self.isDurable = isDurable
        self.services = services
    }

    func add(_ claim: Claim) { claims.append(claim) }
    func remove(_ claim: Claim) { claims.removeAll { $0 === claim } }

    /// Starts an attempt unless one runs or nothing is missing.
    func run() {
        guard phase == .idle else { return }
        if sink.isComplete { return complete() }
        do {
            try services.connectivity.requireNetwork()
        } catch {
            return fail(error)
        }
        phase = .resolving
        receivedAtResolve = sink.received
        resolving = Task { [weak self] in await self?.resolve() }
    }

    func prefer(offset: Int64) {
        wanted = offset
        transfer?.prefer(offset: offset)
    }

    func setLimit(_ bytesPerSecond: Int?) {
        limit = bytesPerSecond
        transfer?.limit(bytesPerSecond: bytesPerSecond)
    }

    func cancel() {
        resolving?.cancel()
        transfer?.cancel()
        transfer = nil
        if phase != .complete { phase = .idle }
    }

    private func resolve() async {
        do {
            let location = try await freshLocation()
            guard phase == .resolving, !Task.isCancelled else { return }
            phase = .transferring
            transfer = services.fetcher.start(
                location, userAgent: services.source.userAgent, into: sink, from: wanted
            ) { [weak self] event in self?.transferred(event) }
            if let limit { transfer?.limit(bytesPerSecond: limit) }
        } catch {
            guard phase == .resolving, error.code != .cancelled else { return }
            services.connectivity.failed(error)
            fail(error)
        }
    }

    private func freshLocation() async throws(Failure) -> Location {
        let found = try await services.source.resolve([track.reference])[track.id]
        services.connectivity.succeeded()
        guard let found else {
            throw Failure(.unavailableTrack, "VK no longer has this track", subject: track.id)
        }
        services.described(found.track)
        guard let location = found.location else {
            let reason = found.track.unavailableReason ?? "VK gives no sound for this track"
            throw Failure(.unavailableTrack, reason, subject: track.id)
        }
        return location
    }

    private func transferred(_ event: TransferEvent) {
        guard phase == .transferring else { return }
        switch event {
        case .progress(let received, let total):
            services.connectivity.succeeded()
            tell(.progress(received: received, total: total))
        case .finished:
            services.connectivity.succeeded()
            complete()
        case .failed(let failure):
            transfer = nil
            phase = .idle
            services.connectivity.failed(failure)
            let earned = sink.received > receivedAtResolve
            if failure.code == .expiredLocation && (earned || !triedFresh) {
                triedFresh = true
                run()
            } else {
                fail(failure)
            }
        }
    }

    /// A fresh location was already tried without a byte to show for it.
    private var triedFresh = false

    private func complete() {
        transfer = nil
        phase = .complete
        tell(.complete)
    }

    private func fail(_ failure: Failure) {
        phase = .idle
        triedFresh = false
        var failure = failure
        failure.subject = failure.subject ?? track.id
        if failure.code == .expiredLocation {
            failure.code = .unavailableTrack
            failure.message = "VK's media server refuses this track, also with a fresh address"
        }
        tell(.failed(failure))
    }

    private func tell(_ event: ClaimEvent) {
        for claim in claims { claim.onEvent(event) }
    }
}
