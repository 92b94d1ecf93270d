import NyanCore
import NyanDBus

/// Where locations are asked for, so that many downloads cost few calls: VK allows three a second (vk-api.md §2.1), and a
/// call may name many tracks.
///
/// The requests of one turn of the main queue are one call, and the downloads that will start next are asked along. Their
/// answers are kept in memory only, each for one use and for a short time: locations expire, and are bound to an account
/// and an address of this machine.
final class LocationDesk {
    /// Tracks one call names at most.
    static let most = 50
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
        let ids: [TrackID]
        var task: Task<Void, Never>?
        /// Nothing of it may be kept: what it was asked for holds no more.
        var isStale = false

        init(_ waiters: [TrackID: [Waiter]], _ references: [TrackReference]) {
            self.waiters = waiters
            ids = references.map(\.id)
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
    /// What proved good lately: how long answers live, and how many are asked along.
    private var life = LocationDesk.longestLife
    private var along = LocationDesk.most
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
            return Answer(found: kept.found, askedAt: kept.at)
        }
        let outcome = await withCheckedContinuation { (waiter: Waiter) in
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
            if batch.waiters.isEmpty { batch.task?.cancel() }
        }
        batches.removeAll { $0.waiters.isEmpty }
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
        if !hasExpired {
            along = min(Self.most, along * 2)
            life = min(Self.longestLife, life * 1.5)
        }
        hasExpired = false
        let asked = batches.reduce(into: Set(references.map(\.id))) { $0.formUnion($1.ids) }
        let room = max(0, min(along, Self.most - references.count))
        references += upcoming(room + kept.count).lazy.filter { !asked.contains($0.id) && self.kept[$0.id] == nil }
            .prefix(room)
        let batch = Batch(waiters, references)
        batches.append(batch)
        let (epoch, wanted, source) = (epoch(), references, source)
        batch.task = Task.onMain { [weak self] in
            let outcome: Result<[TrackID: ResolvedTrack], Failure>
            do throws(Failure) {
                outcome = .success(
                    try await Operation.outlasting { () async throws(Failure) in try await source.resolve(wanted) })
            } catch {
                outcome = .failure(error)
            }
            self?.answered(batch, outcome, epoch: epoch)
        }
    }

    private func answered(_ batch: Batch, _ outcome: Result<[TrackID: ResolvedTrack], Failure>, epoch asked: Int) {
        batches.removeAll { $0 === batch }
        let waiters = batch.waiters
        batch.waiters = [:]
        switch outcome {
        case .failure(let failure):
            forgetAll()
            for waiter in batch.ids.flatMap({ waiters[$0] ?? [] }) { waiter.resume(returning: .failure(failure)) }
        case .success(let found):
            onHosts(found.compactMapValues { $0.location?.host })
            if !batch.isStale, asked == epoch() {
                let moment = now()
                // Only what can be used: one without a sound is asked for again by whoever wants it.
                for (id, track) in found where waiters[id] == nil && track.location != nil {
                    kept[id] = Kept(found: track, at: moment, epoch: asked)
                }
            }
            // In the order they were asked: so they start.
            for id in batch.ids {
                for waiter in waiters[id] ?? [] { waiter.resume(returning: .success(Answer(found: found[id]))) }
            }
        }
    }
}
