/// Decides which downloads run, wait, are tried again or given up. A value: input in, effects out, no I/O.
///
/// At most `parallel` run at once, those being finished included, beside what the listener hears. `now` is any monotonic time. Effects are to be
/// carried out in order; `.save` and `.remove` come first, so that what a person is told survives a crash.
public struct DownloadMachine: Sendable {
    /// A download with what only this run needs to know.
    struct Item: Sendable {
        var download: Download
        /// All bytes are there and being made a file; still `.running` for the outside.
        var isFinishing = false
        /// Backing off until then; nil = may start at once.
        var waitsUntil: Duration?
        /// The most bytes ever seen: only more than that is progress. A damaged copy fetched anew is none.
        var best: Int64
        /// Where it is fetched from, as far as that is known.
        var host: String?
    }

    var items: [TrackID: Item] = [:]
    /// Ids by `Download.order`.
    var order: [TrackID] = []
    /// Ids that run or are being finished, in the order they started.
    var running: [TrackID] = []
    /// Nothing before this index of `order` is waiting.
    private(set) var cursor = 0
    private var nextOrder: Int64 = 1
    private var random: SeededRandom
    var finishedInBatch = 0
    var failedInBatch = 0
    /// VK's API asked everybody to wait until then.
    var holdUntil: Duration?
    /// The same of media hosts.
    var hostHolds: [String: Hold] = [:]
    /// How often in a row each host asked for a pause.
    var busyRounds: [String: Int] = [:]
    /// Downloads of unknown hosts that were tried during a host's pause, since bytes came last.
    var probes = 0
    /// What the listener hears now and next.
    public internal(set) var listening: [TrackID] = []

    public internal(set) var parallel: Int
    public internal(set) var isOnline: Bool
    /// A download met a full disk, or a folder that is away or closed: nothing starts until `.retry`, `.resume` or
    /// `.spaceIsBack`, or until no download is left that failed for it.
    public internal(set) var placeTrouble: Failure?
    /// Nothing was started yet by this run.
    public private(set) var isFresh = true
    public var isDiskFull: Bool { placeTrouble?.code == .diskFull }

    public init(parallel: Int = 3, isOnline: Bool = true, seed: UInt64) {
        self.parallel = Self.clampedParallel(parallel)
        self.isOnline = isOnline
        random = SeededRandom(seed: seed)
    }

    /// Every download in queue order.
    public var downloads: [Download] { order.compactMap { items[$0]?.download } }
    public subscript(id: TrackID) -> Download? { items[id]?.download }

    /// The one way in: the new state is in place when this returns.
    public mutating func handle(_ input: Input, at now: Duration) -> [Effect] {
        var outcome = Outcome()
        let before = probes
        apply(input, at: now, &outcome)
        // Comes many times a second for each that runs: nothing may start that could not before.
        if case .progress = input, probes == before { return outcome.effects }
        startNext(at: now, &outcome)
        tellBatchEnd(&outcome)
        return outcome.effects
    }

    private mutating func apply(_ input: Input, at now: Duration, _ outcome: inout Outcome) {
        switch input {
        case .add(let tracks): add(tracks, &outcome)
        case .cancel(let selection): cancel(selection, &outcome)
        case .pause(let selection): pause(selection, &outcome)
        case .resume(let selection): resume(selection, &outcome)
        case .retry(let selection): retry(selection, &outcome)
        case .forget(let ids): forget(ids, &outcome)
        case .restore(let downloads): restore(downloads, at: now, &outcome)
        case .progress(let id, let received, let total): progress(id, received, total)
        case .transferFinished(let id): transferFinished(id, &outcome)
        case .finished(let id): finished(id, &outcome)
        case .transferFailed(let id, let failure): fail(id, failure, at: now, &outcome)
        case .timeUp(let id): timeUp(id, at: now, &outcome)
        case .placeFailed(let id, let failure): fail(id, failure, isOfPlace: true, at: now, &outcome)
        case .holdOver: holdOver(at: now, &outcome)
        case .restoreHolds(let left): restoreHolds(left, at: now, &outcome)
        case .located(let hosts): located(hosts)
        case .listening(let ids): setListening(ids, &outcome)
        case .spaceIsBack: useSpaceAgain(&outcome)
        case .online(let isOnline): setOnline(isOnline, &outcome)
        case .setParallel(let count): setParallel(count, &outcome)
        }
    }

    /// Takes a running download off the line; its bytes stay.
    mutating func endRunning(_ id: TrackID) { running.removeAll { $0 == id } }

    /// Puts a download where it may start as soon as there is room.
    mutating func makeWaiting(_ id: TrackID, _ outcome: inout Outcome) {
        items[id]?.download.state = .waiting
        items[id]?.isFinishing = false
        items[id]?.waitsUntil = nil
        cursor = 0
        outcome.save(id)
    }

    mutating func append(_ track: Track, _ outcome: inout Outcome) {
        items[track.id] = Item(download: Download(track: track, order: nextOrder), best: 0)
        order.append(track.id)
        nextOrder += 1
        outcome.save(track.id)
    }

    mutating func drop(_ ids: Set<TrackID>) {
        guard !ids.isEmpty else { return }
        for id in ids { items[id] = nil }
        order.removeAll { ids.contains($0) }
        running.removeAll { ids.contains($0) }
        cursor = 0
    }

    /// Takes over what an earlier run left: what ran waits; what backed off does so again.
    private mutating func restore(_ downloads: [Download], at now: Duration, _ outcome: inout Outcome) {
        items = [:]
        running = []
        cursor = 0
        for var download in downloads where items[download.id] == nil {
            let ran = download.state == .running
            if ran { download.state = .waiting }
            items[download.id] = Item(download: download, best: download.received, host: download.failure?.host)
            // Whether that is over is looked at before anything starts.
            if download.state == .failed, let failure = download.failure, Self.isOfPlace(failure) {
                placeTrouble = failure
            }
            // A server's pause is kept by itself, and may be over.
            if !ran, download.state == .waiting, let failure = download.failure, !RetryRule.isPause(failure) {
                backOff(download.id, failure, at: now, &outcome)
            }
        }
        order = items.values.map(\.download)
            .sorted { ($0.order, $0.id.owner, $0.id.audio) < ($1.order, $1.id.owner, $1.id.audio) }.map(\.id)
        nextOrder = (items.values.map(\.download.order).max() ?? 0) + 1
    }

    /// Starts the back-off of a waiting download, as long as its failure and attempts ask for.
    mutating func backOff(_ id: TrackID, _ failure: Failure, at now: Duration, _ outcome: inout Outcome) {
        // The hold of its host is its wait.
        if failure.code == .serverBusy, failure.host != nil { return }
        guard let attempts = items[id]?.download.attempts else { return }
        let pause = RetryRule.pause(after: failure, attempts: attempts, chance: random.nextFraction())
        items[id]?.waitsUntil = now + pause
        outcome.act(.wait(id, pause))
        guard failure.code == .serverBusy, case .after = failure.retry else { return }
        // One pause for the server, not one for each download (field-issues.md C12).
        holdUntil = max(holdUntil ?? .zero, now + pause)
        armHold(at: now, &outcome)
    }

    mutating func nextChance() -> Double { random.nextFraction() }

    private mutating func startNext(at now: Duration, _ outcome: inout Outcome) {
        guard isOnline, placeTrouble == nil, holdUntil == nil else { return }
        // Fetched for the listener anyway: these need no place among the downloads.
        for id in listening where mayStart(id, at: now) { start(id, &outcome) }
        while cursor < order.count, items[order[cursor]]?.download.state != .waiting { cursor += 1 }
        var index = cursor
        while running.count < parallel, index < order.count {
            let id = order[index]
            index += 1
            guard mayStart(id, at: now) else { continue }
            if !hostHolds.isEmpty, items[id]?.host == nil {
                guard probes < Self.mostProbes else { continue }
                probes += 1
            }
            start(id, &outcome)
        }
    }

    private func mayStart(_ id: TrackID, at now: Duration) -> Bool {
        guard let item = items[id] else { return false }
        return item.download.state == .waiting && item.waitsUntil == nil && !isHeld(item.host, at: now)
    }

    private mutating func start(_ id: TrackID, _ outcome: inout Outcome) {
        guard let track = items[id]?.download.track else { return }
        items[id]?.download.state = .running
        items[id]?.download.failure = nil
        running.append(id)
        isFresh = false
        outcome.act(.start(track))
    }

    /// Once nothing runs or waits any more, says how the batch went.
    private mutating func tellBatchEnd(_ outcome: inout Outcome) {
        guard finishedInBatch + failedInBatch > 0, running.isEmpty,
            placeTrouble != nil || !items.values.contains(where: { $0.download.state == .waiting })
        else { return }
        outcome.act(.batchEnded(finished: finishedInBatch, failed: failedInBatch))
        finishedInBatch = 0
        failedInBatch = 0
    }

    static func clampedParallel(_ count: Int) -> Int { min(max(count, 1), 16) }
}
