import NyanCore
import NyanDBus

/// One load's sound on its way: where its bytes come from, and how often that was tried.
///
/// Bytes come from the finished copy, else from a claim on the track's transfer. Trouble on the way is retried with
/// growing pauses (`LoadPatience`); a load that is heard is given up only once what is buffered has run out, and one
/// that never began after ten seconds of silence even if nobody reports trouble.
final class SoundLoad {
    let load: LoadNumber
    let entry: Entry
    private(set) var bytes: (any ByteSource)?
    /// Of a finished copy that was measured.
    private(set) var loudness: Loudness?
    private(set) var claim: Claim?
    /// `bytes`, where they are a claim's.
    private var edition: EditionBytes?
    private(set) var isComplete = false
    /// Bytes on disk, and of how many if that is known.
    private(set) var received: Int64 = 0
    private(set) var total: Int64?

    private let player: PlayerService
    private let purpose: PlaybackEffect.Purpose
    private var isPrepared = false
    /// What is wrong with the finished copy, which is why VK is asked.
    private var fileComplaint: String?
    /// The engine said that it sounds.
    private var hasBegun = false
    private var isReleased = false
    private var attempts = 0
    private var firstTrouble: Duration?
    /// Nothing more will come, and the listener still hears what is buffered.
    private var lastWord: Failure?
    private var lastSign: Duration
    /// Bytes that were there then.
    private var receivedAtSign: Int64 = 0
    private var work: Task<Void, Never>?
    private var watch: Task<Void, Never>?

    init(load: LoadNumber, entry: Entry, purpose: PlaybackEffect.Purpose, player: PlayerService) {
        self.load = load
        self.entry = entry
        self.purpose = purpose
        self.player = player
        lastSign = player.time.now
    }

    /// Begins to find the sound. `sibling`: a load of the same track that is alive; its bytes are ours at once, so that
    /// they are not fetched twice when it goes.
    func open(beside sibling: SoundLoad?) {
        if purpose == .current { watchSilence() }
        if let sibling, let bytes = sibling.bytes {
            loudness = sibling.loudness
            if sibling.claim == nil { take(bytes) } else { claimBytes() }
        } else {
            work = Task.onMain { [weak self] in await self?.find() }
        }
    }

    func release() {
        isReleased = true
        work?.cancel()
        watch?.cancel()
        if let claim { player.transfers.release(claim) }
        claim = nil
    }

    /// The engine sounds it.
    func began() {
        hasBegun = true
        watch?.cancel()
    }

    /// It belongs to the current entry now, if it did not from the start.
    func becomeCurrent() {
        if let claim, claim.purpose != .playing { player.transfers.promote(claim) }
    }

    /// The engine has heard out what is buffered: now it is silent, but not for ever.
    func ranDry() {
        guard !isReleased else { return }
        if let lastWord { return refuse(lastWord) }
        lastSign = player.time.now
        watchSilence()
    }

    /// The finished copy if its file is there, else the network. A file of this machine is its own copy.
    private func find() async {
        if let path = entry.track.soundAddress?.path {
            do { return take(try player.file(path)) } catch { return player.refused(self, error) }
        }
        let local = await player.localCopy(of: entry.track.id)
        if case .sound(let bytes, let id) = local, let size = bytes.size {
            loudness = await player.loudness?.loudness(of: id, bytes: size)
        }
        guard !isReleased else { return }
        switch local {
        case .sound(let bytes, _): return take(bytes)
        case .useless(let complaint): fileComplaint = complaint
        case .none: break
        }
        let id = entry.track.id
        if !id.isVKs, entry.track.address == nil {
            // An imported file: nobody else has it.
            return player.refused(self, Failure(.unavailableTrack, fileComplaint ?? "its file is gone", subject: id))
        }
        claimBytes()
    }

    private func take(_ local: any ByteSource) {
        bytes = local
        isComplete = true
        prepareOnce()
    }

    private func claimBytes() {
        do {
            let purpose: Claim.Purpose = purpose == .current ? .playing : .next
            let claim = try player.transfers.claim(entry.track, for: purpose) { [weak self] in self?.claimed($0) }
            self.claim = claim
            bind(to: claim)
        } catch {
            refuse(error)
        }
    }

    private func bind(to claim: Claim) {
        let bytes = EditionBytes(claim.bytes)
        self.bytes = bytes
        edition = bytes
    }

    /// The server has another file than the one that was begun with.
    private func renew() {
        guard let claim else { return }
        received = 0
        receivedAtSign = 0
        isComplete = false
        bind(to: claim)
        if isPrepared { player.renewed(self) }
    }

    private func claimed(_ event: ClaimEvent) {
        guard !isReleased else { return }
        if edition?.isCurrent == false {
            renew()
            guard !isReleased else { return }
        }
        switch event {
        case .progress(let received, let total):
            // Being told again of what is there is no progress.
            if received - receivedAtSign >= LoadPatience.leastProgress(total: total) {
                receivedAtSign = received
                attempts = 0
                firstTrouble = nil
                lastWord = nil
                lastSign = player.time.now
            }
            self.received = received
            self.total = total
            prepareOnce()
            player.received(self)
        case .complete:
            guard !isComplete else { return }
            isComplete = true
            lastWord = nil
            if isPrepared { player.completed(self) } else { prepareOnce() }
        case .failed(let failure): retryOrGiveUp(failure)
        }
    }

    private func prepareOnce() {
        guard !isPrepared else { return }
        isPrepared = true
        player.prepared(self)
    }

    private func refuse(_ failure: Failure) {
        var failure = failure
        if let fileComplaint { failure.message = "\(fileComplaint), and VK: \(failure.message)" }
        player.refused(self, failure)
    }

    private func retryOrGiveUp(_ failure: Failure) {
        let now = player.time.now
        // While the listener hears what is buffered, nothing is lost yet.
        let isHeard = hasBegun && player.isHeard(self)
        let since = isHeard ? now : firstTrouble ?? now
        firstTrouble = since
        let rule = patience
        guard let pause = rule.pause(afterAttempt: attempts, troubleFor: now - since, failure: failure) else {
            if isHeard { lastWord = failure } else { refuse(failure) }
            return
        }
        attempts += 1
        work = Task.onMain { [weak self, time = player.time] in
            let before = time.now
            do { try await time.wait(for: pause) } catch { return }
            guard let self, !isReleased, let claim else { return }
            if time.now - before > pause + LoadPatience.oversleep { forgetTrouble() }
            player.transfers.retry(claim)
        }
    }

    /// Gives up a track of which nothing is heard and nothing comes.
    private func watchSilence() {
        watch?.cancel()
        watch = Task.onMain { [weak self, time = player.time] in
            while let left = self?.silenceLeft, left > .zero {
                let before = time.now
                do { try await time.wait(for: left) } catch { return }
                if time.now - before > left + LoadPatience.oversleep { self?.forgetTrouble() }
            }
            guard let self, !isReleased, !isComplete, !(hasBegun && player.isHeard(self)) else { return }
            refuse(Failure(.timeout, "nothing more of this track comes", retry: .later))
        }
    }

    private var silenceLeft: Duration {
        lastSign + patience.silence - player.time.now
    }

    private var patience: LoadPatience { LoadPatience(isSounding: hasBegun || player.isFreshlyAwake) }

    /// The machine or the process stood still: what was wrong before says nothing about now.
    private func forgetTrouble() {
        attempts = 0
        firstTrouble = nil
        lastSign = player.time.now
    }

    /// The machine woke: tries at once what waits for its next attempt, with fresh patience.
    func woke() {
        guard !isReleased, !isComplete else { return }
        forgetTrouble()
        lastWord = nil
        if let claim { player.transfers.retry(claim) }
    }
}
