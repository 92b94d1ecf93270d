import NyanCore
import NyanDBus
import NyanWire

/// One track being fetched: its growing file, the claims on it, and the attempt that runs.
///
/// A location that expired is replaced by a fresh one, once until bytes come again (vk-api.md §4.5); every other
/// failure is the claims' to judge.
final class ActiveCopy {
    /// `checking`: what an earlier run left is compared with what was written then; nobody reads it before.
    enum Phase { case idle, checking, resolving, transferring, complete }

    let track: Track
    let sink: any CopySink
    private(set) var claims: [Claim] = []
    private(set) var phase: Phase = .idle {
        didSet { if phase != oldValue { phaseChanged() } }
    }
    var phaseChanged: () -> Void = {}
    var isDurable: Bool

    let services: TransferService.Ports
    /// The machine sleeps: an attempt is wanted, and begins when it wakes.
    private var waitsForWake = false
    private var resolving: Task<Void, Never>?
    private var transfer: (any Transfer)?
    /// Bytes at the moment the last location was asked for: a fresh one must earn the next.
    private var receivedAtResolve: Int64 = -1
    /// A fresh location was already tried without a byte to show for it.
    private(set) var triedFresh = false
    var origin = Origin()
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

    /// Gives a claim what is there and sees to it that the rest comes. One that was given back meanwhile gets nothing.
    func serve(_ claim: Claim) {
        guard claim.copy === self else { return }
        if phase == .complete { return claim.tell(.complete) }
        // What is to sound waits for nobody's sake.
        if phase == .resolving, origin.isAtDesk, !isForDownloadOnly { cancel() }
        run()
        // What an earlier run left, or others have fetched so far, can be read at once.
        if phase == .resolving || phase == .transferring { tellWhatIsThere(claim) }
    }

    private func tellWhatIsThere(_ claim: Claim) {
        if sink.available(from: 0) > 0 { claim.tell(.progress(received: sink.received, total: sink.size)) }
    }

    /// Starts an attempt unless one runs.
    private func run() {
        guard phase == .idle else { return }
        if sink.needsCheck { return check() }
        if sink.isComplete { return complete() }
        if let failure = refusal { return fail(failure) }
        guard !services.isAsleep() else {
            waitsForWake = true
            return
        }
        phase = .resolving
        receivedAtResolve = sink.received
        // Silence is worse than a later download or sync.
        let isPlaying = claims.contains { $0.purpose == .playing }
        resolving = CallUrgency.$isPlaying.withValue(isPlaying) {
            Task.onMain { [weak self] in await self?.resolve() }
        }
    }

    /// Finds out what of the bytes on disk is not what was written, so that it is fetched anew and never heard.
    private func check() {
        phase = .checking
        resolving = Task.onMain { [weak self, sink] in
            let damaged = await sink.check()
            guard let self else { return }
            if damaged > 0 { services.damaged(track.id, damaged) }
            guard !Task.isCancelled, phase == .checking else { return }
            phase = .idle
            run()
            if phase == .resolving { for claim in claims { tellWhatIsThere(claim) } }
        }
    }

    /// Why the network must not be used; nil where it may.
    private var refusal: Failure? {
        do throws(Failure) {
            try services.connectivity.requireNetwork()
            return nil
        } catch {
            return error
        }
    }

    func prefer(offset: Int64) {
        wanted = offset
        transfer?.prefer(offset: offset)
    }

    func setLimit(_ bytesPerSecond: Int?) {
        guard bytesPerSecond != limit else { return }
        limit = bytesPerSecond
        transfer?.limit(bytesPerSecond: bytesPerSecond)
    }

    /// Ends the attempt without a word.
    func cancel() {
        resolving?.cancel()
        resolving = nil
        leaveDesk()
        transfer?.cancel()
        transfer = nil
        if phase != .complete { phase = .idle }
    }

    /// Ends the attempt without a word and has it begin anew, from the bytes that are there, when `goOn` says so.
    func cutOff() {
        guard phase == .resolving || phase == .transferring else { return }
        cancel()
        waitsForWake = true
    }

    func goOn() {
        guard waitsForWake else { return }
        waitsForWake = false
        if !claims.isEmpty { run() }
    }

    /// Ends the attempt, if one runs, and tells why.
    func end(_ failure: Failure) {
        guard phase == .resolving || phase == .transferring else { return }
        cancel()
        fail(failure)
    }

    private func resolve() async {
        if track.address == nil { await services.account.ready() }
        let epoch = services.account.epoch
        do {
            let location = try await freshLocation()
            guard !Task.isCancelled, phase == .resolving else { return }
            origin.host = location.host
            if let refusal = hostRefusal { return fail(refusal) }
            phase = .transferring
            transfer = services.fetcher.start(
                location, userAgent: userAgent, into: sink, from: wanted
            ) { [weak self] event in self?.transferred(event) }
            if let limit { transfer?.limit(bytesPerSecond: limit) }
        } catch {
            services.troubled()
            // Cancelled: whatever runs now is another attempt.
            guard !Task.isCancelled, phase == .resolving else { return }
            guard services.account.epoch == epoch else {
                // What VK has against an account that is no longer in use is nobody's problem.
                phase = .idle
                return run()
            }
            services.connectivity.failed(error)
            services.account.noted(error)
            if error.code != .unavailableTrack { services.desk.forgetAll() }
            fail(error)
        }
    }

    private func freshLocation() async throws(Failure) -> Location {
        if let address = track.address { return Location(url: Secret(address)) }
        try services.account.requireAccount()
        let answer = try await ask()
        if answer.askedAt == nil {
            services.connectivity.succeeded()
            if services.account.isSignedIn { services.account.noted(nil) }
        }
        let found = answer.found
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
            if let failure = tooMuch(received, of: total) { return end(failure) }
            tell(.progress(received: received, total: total))
        case .finished:
            services.connectivity.succeeded()
            complete()
        case .failed(var failure):
            services.troubled()
            // The machine slept, as was found out just now: another attempt has begun.
            guard phase == .transferring else { return }
            transfer = nil
            phase = .idle
            noteHost(&failure)
            // Radio would begin somewhere else, with all that was heard still to come.
            if isEndless { failure.retry = .never }
            // A media server that does not answer says little about the network: the next attempt begins with a call
            // to VK, and that decides.
            let earned = sink.received > receivedAtResolve
            if failure.code == .expiredLocation && track.address == nil && (earned || !triedFresh) {
                triedFresh = true
                run()
            } else {
                fail(failure)
            }
        }
    }

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
            // Of a sound in parts it is known which one is missing.
            let hasParts = sink.kind == .hls && sink.received > 0
            if track.address == nil, !hasParts {
                failure.message = "VK's media server refuses this track, also with a fresh address"
            }
        }
        tell(.failed(failure))
    }

    /// A claim may be given back, or another one made, by whoever hears this.
    private func tell(_ event: ClaimEvent) {
        for claim in claims { claim.tell(event) }
    }
}

// Sounds at addresses that are not VK's.
extension ActiveCopy {
    /// More of one sound is not fetched: radio has no end, and neither has what somebody sends who means harm; either would
    /// fill the disk.
    static var mostOfAddress: Int64 { 1 << 30 }

    /// VK's servers know VK's clients; any other server is told who we are.
    private var userAgent: String {
        track.address == nil ? services.source.userAgent : "nyand/\(Names.version)"
    }

    private func tooMuch(_ received: Int64, of total: Int64?) -> Failure? {
        // The total of a sound in parts is reckoned, from the first of them.
        let announced = track.address == nil ? sink.size : total
        guard max(received, announced ?? 0) > Self.mostOfAddress else { return nil }
        let host = track.address == nil ? "VK's media server" : track.soundAddress?.host ?? "the address"
        return Failure(
            .unsupported, "\(host) sends more than 1 GiB, or without an end: nyand stops here", subject: track.id)
    }

    /// A stream without an end, as far as is known.
    private var isEndless: Bool {
        track.address != nil && sink.size == nil && sink.kind != .hls && sink.received > 0
    }

    /// What cannot be gone on with, nor be known again: radio, and whatever else has neither a size nor a name for what
    /// it is. It is another thing the next time.
    var isOfNoUse: Bool {
        if max(sink.received, sink.size ?? 0) > Self.mostOfAddress { return true }
        guard track.address != nil, sink.kind == .direct, sink.received > 0 else { return false }
        return sink.size == nil || (sink.validator?.etag ?? sink.validator?.lastModified) == nil
    }
}
