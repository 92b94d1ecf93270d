import NyanCore
import NyanDBus
import NyanService
import NyanStore

/// What an earlier run had finished when it was killed, before it could write down that it had.
extension Composition {
    /// A disk that takes longer to be looked at holds up nothing: at worst something is fetched twice.
    private static let patience: Duration = .seconds(5)

    /// A download that had come to its end.
    private struct Ended {
        var download: Download
        /// Its file, where the library does not know it yet.
        var copy: FinishedCopy?
    }

    /// Clears My Music of what was half made. Downloads whose file has its name already are done. Called before the list
    /// is taken up, so that nobody can cancel a wish and find the file of it there all the same.
    func settleFinished() async {
        let looking = Task.onMain { [self] () -> [Ended] in
            await music.sweepLeftovers()
            return await ended()
        }
        guard let ended = await LimitedWait.value(of: looking, within: Self.patience, by: time) else {
            return log.notice("\(music.directory) does not answer: the downloads go on without a look at it")
        }
        guard !ended.isEmpty else { return }
        do throws(Failure) {
            for copy in ended.compactMap(\.copy) { try await store.addCopy(copy) }
            try await store.save(ended.map(\.download))
            log.info("\(ended.count) downloads had come to their end when nyand was ended")
        } catch {
            log.error("finished downloads could not be written down: \(error.message)")
        }
    }

    private func ended() async -> [Ended] {
        var ended: [Ended] = []
        do throws(Failure) {
            let open = try await store.downloads().filter { $0.state != .done }
            guard !open.isEmpty else { return [] }
            let listed = try await store.tracks(open.map(\.id)).filter { $0.copyPath != nil }
            let (known, fetched) = (Set(listed.map(\.track.id)), Set(copies.durableIDs()))
            for download in open where known.contains(download.id) || fetched.contains(download.id) {
                guard var found = try await file(of: download, isKnown: known.contains(download.id)) else { continue }
                found.download.state = .done
                found.download.failure = nil
                found.download.received = download.total ?? download.received
                ended.append(found)
            }
        } catch {
            log.error("finished downloads could not be looked for: \(error.message)")
        }
        return ended
    }

    /// A download whose file is in My Music; nil = it is not.
    private func file(of download: Download, isKnown: Bool) async throws(Failure) -> Ended? {
        if isKnown, let copy = try await store.copy(of: download.id) {
            return await copy.isThere ? Ended(download: download) : nil
        }
        let name = FileName.make(template: settings.fileNameTemplate, track: download.track)
        guard let copy = await music.finishedFile(download.id, name: name) else { return nil }
        return Ended(download: download, copy: copy)
    }
}
