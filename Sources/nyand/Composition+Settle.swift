import Glibc
import NyanCore
import NyanService
import NyanStore

/// What an earlier run had finished when it was killed, before it could write down that it had.
extension Composition {
    /// Downloads whose file has its name already are done. Called before the list is taken up, so that nobody can cancel a
    /// wish and find the file of it there all the same.
    func settleFinished() async {
        do throws(Failure) {
            let open = try await store.downloads().filter { $0.state != .done }
            guard !open.isEmpty else { return }
            let listed = try await store.tracks(open.map(\.id)).filter { $0.copyPath != nil }
            let (known, fetched) = (Set(listed.map(\.track.id)), Set(copies.durableIDs()))
            var done: [Download] = []
            for download in open where known.contains(download.id) || fetched.contains(download.id) {
                guard try await hasFile(download.track, isKnown: known.contains(download.id)) else { continue }
                var download = download
                download.state = .done
                download.failure = nil
                download.received = download.total ?? download.received
                done.append(download)
            }
            guard !done.isEmpty else { return }
            try await store.save(done)
            log.info("\(done.count) downloads had come to their end when nyand was ended")
        } catch {
            log.error("finished downloads could not be looked for: \(error.message)")
        }
    }

    /// Whether the file is in My Music; one that the library does not know yet is made known.
    private func hasFile(_ track: Track, isKnown: Bool) async throws(Failure) -> Bool {
        if isKnown, let copy = try await store.copy(of: track.id) { return access(copy.path, F_OK) == 0 }
        let name = FileName.make(template: settings.fileNameTemplate, track: track)
        guard let copy = await music.finishedFile(track.id, name: name) else { return false }
        try await store.addCopy(copy)
        return true
    }
}
