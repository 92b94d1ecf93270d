import NyanCore

// What the machine orders.
extension DownloadService {
    func run(_ effect: DownloadMachine.Effect) {
        switch effect {
        case .start(let track): start(track)
        case .stop(let id): letGo(id)
        case .finish(let id): finish(id)
        case .discard(let id):
            letGo(id)
            do {
                try transfers.discard(id)
            } catch {
                log.warning("\(id): what was fetched could not be removed: \(error.message)")
            }
        case .wait(let id, let pause): wait(id, pause)
        case .hold(let pause):
            hold?.cancel()
            hold = Task { [weak self, time] in
                do { try await time.wait(for: pause) } catch { return }
                self?.handle(.holdOver)
            }
        case .batchEnded(let finished, let failed):
            log.info("downloads: \(finished) done, \(failed) failed")
        case .save(let ids): save(ids)
        case .remove(let ids): remove(ids)
        }
    }

    private func start(_ track: Track) {
        timers.removeValue(forKey: track.id)?.cancel()
        if let claim = claims[track.id] { return transfers.retry(claim) }
        do {
            claims[track.id] = try transfers.claim(track, for: .download) { [weak self] event in
                self?.claimed(track.id, event)
            }
        } catch {
            // Not from within the machine's own effects.
            let failure = error
            Task { self.handle(.transferFailed(track.id, failure)) }
        }
    }

    private func claimed(_ id: TrackID, _ event: ClaimEvent) {
        guard claims[id] != nil else { return }
        switch event {
        case .progress(let received, let total): handle(.progress(id, received: received, total: total))
        case .complete: handle(.transferFinished(id))
        case .failed(let failure): handle(.transferFailed(id, failure))
        }
        changed.insert(id)
    }

    private func letGo(_ id: TrackID) {
        timers.removeValue(forKey: id)?.cancel()
        if let claim = claims.removeValue(forKey: id) { transfers.release(claim) }
    }

    private func wait(_ id: TrackID, _ pause: Duration) {
        timers.removeValue(forKey: id)?.cancel()
        timers[id] = Task { [weak self, time] in
            do { try await time.wait(for: pause) } catch { return }
            self?.handle(.timeUp(id))
        }
    }

    /// Verified, tagged, named, moved: then it is a copy, and what was fetched goes.
    private func finish(_ id: TrackID) {
        guard let track = machine[id]?.track else { return }
        Task {
            let cover = await covers.cover(of: track)
            let tags = FileTags(
                title: track.title, artist: track.artist, album: track.album, trackID: id, coverPath: cover)
            do throws(Failure) {
                let copy = try await finisher.finish(
                    id, tags: tags, expectedLength: track.length, fileName: FileName.make(template: fileNameTemplate, track: track))
                // Cancelled meanwhile: a cancelled download leaves nothing.
                guard claims[id] != nil else { return try await finisher.delete(copy) }
                try await library.addCopy(copy)
                handle(.finished(id))
                letGo(id)
                try? transfers.discard(id)
                hub.changed(.library)
                log.info("\(id): kept")
            } catch {
                // What is damaged must not be resumed.
                if error.code == .damagedSound { letGo(id); try? transfers.discard(id) }
                handle(.transferFailed(id, error))
            }
        }
    }

    private func save(_ ids: [TrackID]) {
        changed.formUnion(ids)
        let rows = ids.compactMap { machine[$0] }
        writes.add { [library] () throws(Failure) in try await library.save(rows) }
    }

    private func remove(_ ids: [TrackID]) {
        changed.subtract(ids)
        removed += ids
        writes.add { [library] () throws(Failure) in try await library.removeDownloads(ids) }
    }
}
