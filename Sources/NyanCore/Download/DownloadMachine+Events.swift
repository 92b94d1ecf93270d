extension DownloadMachine {
    mutating func progress(_ id: TrackID, _ received: Int64, _ total: Int64?) {
        guard var item = items[id], item.download.state == .running, !item.isFinishing else { return }
        item.download.received = received
        item.download.total = total ?? item.download.total
        if received > item.best {
            item.best = received
            item.download.attempts = 0
            heard(from: item.host)
        }
        items[id] = item
    }

    mutating func transferFinished(_ id: TrackID, _ outcome: inout Outcome) {
        guard var item = items[id], item.download.state == .running, !item.isFinishing else { return }
        item.isFinishing = true
        item.download.received = item.download.total ?? item.download.received
        items[id] = item
        outcome.act(.finish(id))
    }

    mutating func finished(_ id: TrackID, _ outcome: inout Outcome) {
        guard var item = items[id] else {
            // Cancelled while it was being finished: it must not come back as a file.
            outcome.act(.discard(id))
            return
        }
        guard item.download.state != .done else { return }
        if item.download.state == .running {
            endRunning(id)
            // Cancelled and wished for again meanwhile: the file is there, the second fetch is not needed.
            if !item.isFinishing { outcome.act(.stop(id)) }
        }
        item.isFinishing = false
        item.waitsUntil = nil
        item.download.state = .done
        item.download.failure = nil
        item.download.attempts = 0
        item.download.received = item.download.total ?? item.download.received
        items[id] = item
        finishedInBatch += 1
        outcome.save(id)
    }

    /// `isOfPlace`: it is the folder's trouble, and would be every download's.
    mutating func fail(
        _ id: TrackID, _ failure: Failure, isOfPlace: Bool = false, at now: Duration, _ outcome: inout Outcome
    ) {
        guard var item = items[id], item.download.state == .running else { return }
        endRunning(id)
        var failure = failure
        failure.subject = id
        // By this it is known again, also by the next run: it ends with the folder's trouble.
        if isOfPlace { failure.retry = .later }
        item.isFinishing = false
        item.download.failure = failure
        let host = failure.code == .serverBusy ? failure.host : nil
        item.host = host ?? item.host
        // What a host says while everybody waits for it already was said once.
        if RetryRule.countsAsAttempt(failure), !isHeld(host, at: now) { item.download.attempts += 1 }
        let isOver = isOfPlace || RetryRule.isOver(failure, attempts: item.download.attempts)
        items[id] = item
        if isOver {
            items[id]?.download.state = .failed
            failedInBatch += 1
            if isOfPlace || failure.code == .diskFull { placeTrouble = failure }
            outcome.save(id)
        } else {
            makeWaiting(id, &outcome)
            backOff(id, failure, at: now, &outcome)
        }
        if let host { hold(host, after: failure, at: now, &outcome) }
    }

    mutating func timeUp(_ id: TrackID, at now: Duration, _ outcome: inout Outcome) {
        guard let until = items[id]?.waitsUntil else { return }
        // A timer of an earlier wait, or one that fired a little early.
        if now < until {
            outcome.act(.wait(id, until - now))
        } else {
            items[id]?.waitsUntil = nil
        }
    }

    mutating func setOnline(_ online: Bool, _ outcome: inout Outcome) {
        isOnline = online
        guard online else {
            stopTransfers(keeping: 0, &outcome)
            return
        }
        // The reason of these waits is gone with the network's return, also where the time of the wait is over but
        // nothing could start; servers that asked for time still get it.
        for id in order {
            guard let item = items[id], item.download.state == .waiting, let code = item.download.failure?.code,
                [.network, .timeout, .offline].contains(code)
            else { continue }
            items[id]?.download.attempts = 0
            makeWaiting(id, &outcome)
        }
    }

    mutating func setParallel(_ count: Int, _ outcome: inout Outcome) {
        parallel = Self.clampedParallel(count)
        stopExtras(&outcome)
    }

    mutating func setListening(_ ids: [TrackID], _ outcome: inout Outcome) {
        listening = Array(ids.prefix(2))
        stopExtras(&outcome)
    }

    /// Beside what the listener hears only `parallel` run: whoever skips through a queue leaves none running behind.
    private mutating func stopExtras(_ outcome: inout Outcome) {
        let heard = running.count { listening.contains($0) }
        stopTransfers(keeping: parallel + heard, sparing: listening, &outcome)
    }

    /// Stops the transfers that started last until so many run; what is being finished needs no network and goes on.
    private mutating func stopTransfers(keeping limit: Int, sparing spared: [TrackID] = [], _ outcome: inout Outcome) {
        for id in running.reversed()
        where running.count > limit && items[id]?.isFinishing == false && !spared.contains(id) {
            endRunning(id)
            makeWaiting(id, &outcome)
            outcome.act(.stop(id))
        }
    }
}
