import NyanCore

/// One load's sound on its way: where its bytes come from, and how often that was tried.
///
/// Bytes come from the finished copy, else from a claim on the track's transfer. Trouble on the way is retried with
/// growing pauses while the listener may still be hearing what is buffered (`LoadPatience`); then the load is given up.
final class SoundLoad {
    let load: LoadNumber
    let entry: Entry
    private(set) var bytes: (any ByteSource)?
    private(set) var claim: Claim?
    private(set) var isComplete = false
    /// Bytes on disk, and of how many if that is known.
    private(set) var received: Int64 = 0
    private(set) var total: Int64?

    private let player: PlayerService
    private let purpose: PlaybackEffect.Purpose
    private var attempts = 0
    private var firstTrouble: Duration?
    private var work: Task<Void, Never>?
    private var isReleased = false

    init(load: LoadNumber, entry: Entry, purpose: PlaybackEffect.Purpose, player: PlayerService) {
        self.load = load
        self.entry = entry
        self.purpose = purpose
        self.player = player
    }

    func open() {
        work = Task { [weak self] in await self?.find() }
    }

    func release() {
        isReleased = true
        work?.cancel()
        if let claim { player.transfers.release(claim) }
        claim = nil
    }

    /// The finished copy if its file is there, else the network.
    private func find() async {
        let local = await player.localCopy(of: entry.track.id)
        guard !isReleased else { return }
        if let local {
            bytes = local
            isComplete = true
            player.prepared(self)
            return
        }
        do {
            claim = try player.transfers.claim(
                entry.track, for: purpose == .current ? .playing : .next
            ) { [weak self] event in self?.claimed(event) }
            bytes = claim?.bytes
        } catch {
            player.refused(self, error)
        }
    }

    private var isPrepared = false

    private func claimed(_ event: ClaimEvent) {
        guard !isReleased else { return }
        switch event {
        case .progress(let received, let total):
            attempts = 0
            firstTrouble = nil
            self.received = received
            self.total = total
            prepareOnce()
            player.received(self)
        case .complete:
            isComplete = true
            prepareOnce()
            player.completed(self)
        case .failed(let failure):
            retryOrGiveUp(failure)
        }
    }

    private func prepareOnce() {
        guard !isPrepared else { return }
        isPrepared = true
        player.prepared(self)
    }

    private func retryOrGiveUp(_ failure: Failure) {
        let now = player.time.now
        let since = now - (firstTrouble ?? now)
        firstTrouble = firstTrouble ?? now
        let rule = LoadPatience(isSounding: isPrepared)
        guard let pause = rule.pause(afterAttempt: attempts, troubleFor: since, failure: failure) else {
            return player.refused(self, failure)
        }
        attempts += 1
        work = Task { [weak self] in
            guard let self else { return }
            try? await player.time.wait(for: pause)
            guard !isReleased, let claim else { return }
            player.transfers.retry(claim)
        }
    }
}

/// How long a player's transfer is tried again before its track is given up.
struct LoadPatience: Sendable, Equatable {
    /// Some of it was heard already: worth waiting for longer than a track that never began.
    var isSounding: Bool

    /// A listener who hears silence for a minute would have pressed next; a track that never began is skipped sooner.
    private var patience: Duration { isSounding ? .seconds(60) : .seconds(8) }

    /// The pause before the next attempt; nil = give up.
    func pause(afterAttempt attempt: Int, troubleFor: Duration, failure: Failure) -> Duration? {
        let backOff = Duration.seconds(min(8, 1 << min(attempt, 3)))
        let pause: Duration
        switch failure.retry {
        case .never: return nil
        case .later: pause = backOff
        case .after(let seconds): pause = max(backOff, .seconds(seconds))
        }
        return troubleFor + pause <= patience ? pause : nil
    }
}
