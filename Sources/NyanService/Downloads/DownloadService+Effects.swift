import NyanCore
import NyanDBus

// What the machine orders.
extension DownloadService {
    func run(_ effect: DownloadMachine.Effect) {
        switch effect {
        case .start(let track): start(track)
        case .stop(let id): letGo(id)
        case .finish(let id): finish(id)
        case .discard(let id):
            letGo(id)
            finishing[id] = nil
            starts[id] = nil
            do {
                try transfers.discard(id)
            } catch {
                log.warning("\(id): what was fetched could not be removed: \(error.message)")
            }
        case .wait(let id, let pause): wait(id, pause)
        case .hold(let pause): waitForHold(pause)
        case .batchEnded(let finished, let failed):
            log.info("downloads: \(finished) done, \(failed) failed")
            tellBatchEnd(finished: finished)
        case .save(let ids): save(ids)
        case .remove(let ids): remove(ids)
        }
    }

    private func start(_ track: Track) {
        timers.removeValue(forKey: track.id)?.cancel()
        changed.insert(track.id)
        lastStart += 1
        starts[track.id] = lastStart
        if let claim = claims[track.id] { return transfers.retry(claim) }
        do {
            claims[track.id] = try transfers.claim(track, for: .download) { [weak self] event in
                self?.claimed(track.id, event)
            }
        } catch {
            judgePlace(track.id, error)
        }
    }

    private func claimed(_ id: TrackID, _ event: ClaimEvent) {
        guard claims[id] != nil else { return }
        changed.insert(id)
        switch event {
        case .progress(let received, let total):
            if received > machine[id]?.received ?? 0 { bytesCame() }
            handle(.progress(id, received: received, total: total))
        case .complete: handle(.transferFinished(id))
        case .failed(let failure):
            // Its file is closed while it waits or has failed, as thousands may.
            letGo(id)
            if !concernsAll(id, failure) { judgePlace(id, failure) }
        }
    }

    private func letGo(_ id: TrackID) {
        timers.removeValue(forKey: id)?.cancel()
        if let claim = claims.removeValue(forKey: id) { transfers.release(claim) }
    }

    private func wait(_ id: TrackID, _ pause: Duration) {
        timers.removeValue(forKey: id)?.cancel()
        timers[id] = Task.onMain { [weak self, time] in
            do { try await time.wait(for: pause) } catch { return }
            self?.handle(.timeUp(id))
        }
    }

    /// Verified, tagged, named, moved: then it is a copy, and what was fetched goes.
    private func finish(_ id: TrackID) {
        guard let track = machine[id]?.track else { return }
        lastFinish += 1
        let mine = lastFinish
        finishing[id] = mine
        let task = Task.onMain { [self] in
            defer {
                making[mine] = nil
                writing.remove(mine)
            }
            do throws(Failure) {
                guard try await keep(track, attempt: mine) else { return }
                finishing[id] = nil
                space.proved()
                handle(.finished(id))
                letGo(id)
                try? transfers.discard(id)
                hub.changed(.library)
                log.info("\(id): kept")
            } catch {
                guard finishing[id] == mine else { return }
                finishing[id] = nil
                // Its file is closed while it waits or has failed, as thousands may.
                letGo(id)
                // What is damaged must not be resumed.
                if error.code == .damagedSound { try? transfers.discard(id) }
                judgePlace(id, error)
            }
        }
        making[mine] = (id, task)
    }

    /// Makes the complete copy a file of My Music.
    /// - Returns: false when the download was cancelled meanwhile; then My Music has what it had before.
    private func keep(_ track: Track, attempt: Int) async throws(Failure) -> Bool {
        // A file that was there before is not ours to replace, and a cancel must not reach it.
        let earlier = try await library.copy(of: track.id)
        if let earlier, await earlier.sight == .there { return finishing[track.id] == attempt }
        let tags = FileTags(
            title: track.title, artist: track.artist, album: track.album, trackID: track.id,
            coverPath: await covers.cover(of: track), lyrics: await knownLyrics(track.id))
        guard finishing[track.id] == attempt else { return false }
        writing.insert(attempt)
        let copy = try await finisher.finish(
            track.id, tags: tags, expectedLength: track.length,
            fileName: FileName.make(template: fileNameTemplate, track: track))
        if finishing[track.id] == attempt {
            try await library.addCopy(copy)
            if finishing[track.id] == attempt { return true }
            if copy.replaced {
                hub.changed(.library)
            } else if let earlier {
                try await library.addCopy(earlier)
            } else {
                try await library.removeCopy(track.id)
            }
        }
        if copy.replaced {
            log.info("\(track.id): cancelled while it was finished; its file of before was renewed and stays")
            return false
        }
        try await finisher.delete(copy)
        log.info("\(track.id): cancelled while it was finished; its file is removed")
        return false
    }

    private func save(_ ids: [TrackID]) {
        changed.formUnion(ids)
        let rows = ids.compactMap { machine[$0] }
        for row in rows where row.state == .failed || row.state == .done {
            let expected = expectedFailures.removeValue(forKey: row.id)
            if row.state == .failed, expected == nil || expected != row.failure?.code { failedInBatch.insert(row.id) }
        }
        writes.add { [self] () throws(Failure) in
            // What a full disk refused before goes along.
            let late = unsaved.subtracting(ids)
            do throws(Failure) {
                try await library.save(rows + late.compactMap { machine[$0] })
                unsaved.subtract(late)
                unsaved.subtract(ids)
            } catch {
                unsaved.formUnion(ids)
                throw error
            }
            try await removeLate()
        }
    }

    /// Returns when every wish so far is on disk; what a full disk refused before is tried again.
    func saved() async throws(Failure) {
        writeLate()
        try await writes.flush()
    }

    /// Writes what a full disk refused.
    func writeLate() {
        guard !unsaved.isEmpty || !unremoved.isEmpty else { return }
        save([])
    }

    /// Removals that a full disk refused. One that is refused again is owed on, and whoever waits is told.
    private func removeLate() async throws(Failure) {
        let late = unremoved.filter { machine[$0] == nil }
        guard !late.isEmpty else { return }
        try await library.removeDownloads(Array(late))
        unremoved.subtract(late)
    }

    /// One that was tried again and came is no failure of the batch any more.
    private func tellBatchEnd(finished: Int) {
        let failures = failedInBatch.compactMap { machine[$0] }.filter { $0.state == .failed }
        failedInBatch = []
        let first = failures.min { $0.order < $1.order }
        let batch = DownloadBatch(finished: finished, failed: failures.count, reason: first?.failure?.message)
        if !batch.isEmpty { onBatchEnd(batch) }
    }

    private func remove(_ ids: [TrackID]) {
        changed.subtract(ids)
        removed.formUnion(ids)
        writes.add { [self] () throws(Failure) in
            let late = unremoved.filter { machine[$0] == nil }
            do throws(Failure) {
                try await library.removeDownloads(ids + late)
                unremoved.subtract(late)
            } catch {
                unremoved.formUnion(ids)
                throw error
            }
            let rows = unsaved.compactMap { machine[$0] }
            guard !rows.isEmpty else { return unsaved = [] }
            try await library.save(rows)
            unsaved.subtract(rows.map(\.id))
        }
    }
}
