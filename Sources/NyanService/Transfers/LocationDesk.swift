import NyanCore
import NyanDBus

/// Where locations are asked for, so that many downloads cost few calls: VK allows three a second (vk-api.md §2.1), and a
/// call may name many tracks.
///
/// The requests of one turn of the main queue are one call, and the downloads that will start next are asked along. Their
/// answers are kept in memory only, each for one use and for a short time: locations expire, and are bound to an account
/// and an address of this machine.
///
/// While they are used up quickly (small files, a fast line) the next are asked for before the last is gone, as a call's
/// turn may take a third of a second.
final class LocationDesk {
    /// Tracks one call names at most (vk-api.md §2.2), and without need to hurry.
    static let most = 100
    static let usual = 50
    /// Calls that follow one another within this time show that answers are soon used.
    static let haste = Duration.seconds(10)
    /// So long is an answer kept at most.
    static let longestLife = Duration.seconds(300)
    /// A location that is refused sooner than this is so for another reason than its age.
    static let leastLife = Duration.seconds(2)
    /// Fewer are not asked along, however quickly locations expire.
    static let fewest = 6

    /// A location and whether it was asked along earlier, so that it may have expired.
    struct Answer {
        var found: ResolvedTrack?
        var askedAt: Duration?
    }

    private struct Kept {
        var found: ResolvedTrack
        var at: Duration
        var epoch: Int
    }
    private typealias Waiter = CheckedContinuation<Result<Answer, Failure>, Never>

    /// One call under way, and who waits for it.
    private final class Batch {
        var waiters: [TrackID: [Waiter]]
        let ids: Set<TrackID>
        private let order: [TrackID]
        let epoch: Int
        /// Nobody waited for it when it was made.
        let isAhead: Bool
        var task: Task<Void, Never>?
        /// Nothing of it may be kept: what it was asked for holds no more.
        var isStale = false

        init(_ waiters: [TrackID: [Waiter]], _ references: [TrackReference], epoch: Int) {
            self.waiters = waiters
            self.epoch = epoch
            order = references.map(\.id)
            ids = Set(order)
            isAhead = waiters.isEmpty
        }

        /// Answers whoever waits, in the order they were asked: so they start.
        func answer(_ outcome: (TrackID) -> Result<Answer, Failure>) {
            let waiters = waiters
            self.waiters = [:]
            for id in order {
                for waiter in waiters[id] ?? [] { waiter.resume(returning: outcome(id)) }
            }
        }
    }

    private let source: any MusicSource
    /// Changes with the account.
    private let epoch: () -> Int
    var now: () -> Duration = { .zero }
    /// The downloads that start next, in their order.
    var upcoming: (_ limit: Int) -> [TrackReference] = { _ in [] }
    /// Told which hosts tracks will come from.
    var onHosts: ([TrackID: String]) -> Void = { _ in }

    private var wishes: [(reference: TrackReference, waiter: Waiter)] = []
    private var isDue = false
    private var batches: [Batch] = []
    private var kept: [TrackID: Kept] = [:]
    /// Of which an answer did not tell where they are: whoever wants one of them asks for it again, nobody else.
    private var soundless: Set<TrackID> = []
    /// What proved good lately: how long answers live, and how many are asked along.
    private var life = LocationDesk.longestLife
    private var along = LocationDesk.usual
    private var lastCall: Duration?
    /// A kept location was refused since the last call.
    private var hasExpired = false

    init(source: any MusicSource, epoch: @escaping () -> Int) {
        self.source = source
        self.epoch = epoch
    }

    /// Where a download's track is: what was asked along, else by the next call.
    /// `fresh`: what was asked along will not do.
    func location(of reference: TrackReference, fresh: Bool) async throws(Failure) -> Answer {
        dropOld()
        if let kept = kept.removeValue(forKey: reference.id), !fresh {
            askAhead()
            return Answer(found: kept.found, askedAt: kept.at)
        }
        let asked = fresh ? nil : batches.first { $0.ids.contains(reference.id) && !$0.isStale && $0.epoch == epoch() }
        let outcome = await withCheckedContinuation { (waiter: Waiter) in
            if let asked { return asked.waiters[reference.id, default: []].append(waiter) }
            wishes.append((reference, waiter))
            guard !isDue else { return }
            isDue = true
            // Behind the requests of this turn.
            Task.onMain { [weak self] in self?.ask() }
        }
        return try outcome.get()
    }

    /// Nobody waits for this track's location any more. A call that nobody waits for ends.
    func leave(_ id: TrackID) {
        let gone = Result<Answer, Failure>.failure(Failure(.cancelled, "nobody waits for it any more", subject: id))
        let left = wishes.filter { $0.reference.id == id }
        wishes.removeAll { $0.reference.id == id }
        for wish in left { wish.waiter.resume(returning: gone) }
        for batch in batches {
            for waiter in batch.waiters.removeValue(forKey: id) ?? [] { waiter.resume(returning: gone) }
            if batch.waiters.isEmpty, !batch.isAhead { batch.task?.cancel() }
        }
        batches.removeAll { $0.waiters.isEmpty && !$0.isAhead }
    }

    /// A location asked at this moment was refused: those asked then or before are as old, and later ones will live as
    /// short.
    func expired(askedAt moment: Duration) {
        kept = kept.filter { $0.value.at > moment }
        let age = now() - moment
        guard age >= Self.leastLife else { return }
        hasExpired = true
        life = max(Self.leastLife, min(life, age * 0.7))
        along = max(Self.fewest, along / 2)
    }

    /// A host fails: its locations are asked for anew.
    func failed(_ host: String) { kept = kept.filter { $0.value.found.location?.host != host } }

    /// Whatever is known holds no more: another account or network, or none.
    func forgetAll() {
        kept = [:]
        soundless = []
        for batch in batches { batch.isStale = true }
    }

    private func dropOld() {
        guard !kept.isEmpty else { return }
        let (now, epoch) = (now(), epoch())
        kept = kept.filter { now - $0.value.at <= life && $0.value.epoch == epoch }
    }

    private func ask() {
        isDue = false
        guard !wishes.isEmpty else { return }
        var waiters: [TrackID: [Waiter]] = [:]
        var references: [TrackReference] = []
        for wish in wishes {
            if waiters[wish.reference.id] == nil { references.append(wish.reference) }
            waiters[wish.reference.id, default: []].append(wish.waiter)
        }
        wishes = []
        let most = isHasty ? Self.most : Self.usual
        if !hasExpired {
            along = min(most, along * 2)
            life = min(Self.longestLife, life * 1.5)
        }
        hasExpired = false
        call(references + next(min(along, most - references.count), but: references), for: waiters)
    }

    /// Answers are used up quickly.
    private var isHasty: Bool { lastCall.map { now() - $0 < Self.haste } ?? false }

    /// Asks for the next ones before nothing is left, where that will be soon and they live long enough.
    private func askAhead() {
        guard isHasty, !isDue, batches.isEmpty, life >= Self.longestLife, kept.count < along else { return }
        let references = next(Self.most, but: [])
        guard !references.isEmpty else { return }
        along = min(Self.most, along * 2)
        call(references, for: [:])
    }

    /// The downloads that start next and that nobody has asked for, so many at most.
    private func next(_ room: Int, but references: [TrackReference]) -> [TrackReference] {
        guard room > 0 else { return [] }
        let asked = batches.reduce(into: Set(references.map(\.id))) { $0.formUnion($1.ids) }
        return upcoming(room + kept.count + soundless.count).lazy
            .filter { !asked.contains($0.id) && self.kept[$0.id] == nil && !self.soundless.contains($0.id) }
            .prefix(room).map { $0 }
    }

    private func call(_ references: [TrackReference], for waiters: [TrackID: [Waiter]]) {
        lastCall = now()
        let batch = Batch(waiters, references, epoch: epoch())
        batches.append(batch)
        let (wanted, source) = (references, source)
        batch.task = Task.onMain { [weak self] in
            let outcome: Result<[TrackID: ResolvedTrack], Failure>
            do throws(Failure) {
                outcome = .success(
                    try await Operation.outlasting { () async throws(Failure) in try await source.resolve(wanted) })
            } catch {
                outcome = .failure(error)
            }
            self?.answered(batch, outcome)
        }
    }

    private func answered(_ batch: Batch, _ outcome: Result<[TrackID: ResolvedTrack], Failure>) {
        let isAwaited = batches.contains { $0 === batch }
        batches.removeAll { $0 === batch }
        switch outcome {
        case .failure(let failure):
            // One that nobody waited for any more was cancelled, and one made ahead nobody missed: neither says anything of
            // what is kept. The next one that is needed asks.
            if isAwaited, !batch.isAhead || !batch.waiters.isEmpty {
                forgetAll()
            } else if batch.isAhead {
                lastCall = nil
            }
            batch.answer { _ in .failure(failure) }
        case .success(let found):
            onHosts(found.compactMapValues { $0.location?.host })
            if !batch.isStale, batch.epoch == epoch() {
                let moment = now()
                soundless.formUnion(batch.ids)
                soundless.subtract(batch.ids.filter { found[$0]?.location != nil })
                // Only what can be used: one without a sound is asked for again by whoever wants it.
                for (id, track) in found where batch.waiters[id] == nil && track.location != nil {
                    kept[id] = Kept(found: track, at: moment, epoch: batch.epoch)
                }
            }
            batch.answer { .success(Answer(found: found[$0])) }
        }
    }
}
