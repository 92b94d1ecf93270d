public import NyanCore

extension DownloadService {
    /// Deletes finished copies, up to the first that cannot be; the profile at VK stays.
    public func deleteCopies(_ ids: [TrackID]) async throws(Failure) -> (files: Int, bytes: Int64) {
        await ready()
        var copies: [FinishedCopy] = []
        var seen: Set<TrackID> = []
        for id in ids {
            guard let copy = try await library.copy(of: id) else {
                throw Failure(.notFound, "\(id) is not in My Music", subject: id)
            }
            // Two ids of one recording have one file.
            if seen.insert(copy.id).inserted { copies.append(copy) }
        }
        var failure: Failure?
        try await delete(copies) {
            failure = $0
            return false
        }
        if let failure { throw failure }
        return (copies.count, copies.reduce(0) { $0 + $1.bytes })
    }

    /// The same for a batch of a rule's; one that cannot be deleted keeps no other one, and is told to `failed`.
    /// - Returns: those that are gone.
    func deleteEach(_ ids: [TrackID], failed: (Failure) -> Void) async throws(Failure) -> [FinishedCopy] {
        await ready()
        var copies: [FinishedCopy] = []
        for id in ids {
            if let copy = try await library.copy(of: id) {
                copies.append(copy)
            } else {
                failed(Failure(.notFound, "\(id) is not in My Music", subject: id))
            }
        }
        return try await delete(copies) {
            failed($0)
            return true
        }
    }

    /// What is gone leaves the list in one go. `failed`: whether the others are deleted all the same.
    @discardableResult private func delete(
        _ copies: [FinishedCopy], failed: (Failure) -> Bool
    ) async throws(Failure) -> [FinishedCopy] {
        let owed = await tellFirst(.unwanted(copies.map(\.id)))
        var gone: [FinishedCopy] = []
        for copy in copies {
            do throws(Failure) {
                try await finisher.delete(copy)
                try await library.removeCopy(copy.id)
                gone.append(copy)
            } catch {
                guard failed(error) else { break }
            }
        }
        if !gone.isEmpty {
            let ids = gone.map(\.id)
            // A death may have left the wish although its file was there: it must not bring the file back.
            handle(.cancel(.these(ids)))
            handle(.forget(ids))
            hub.changed(.library)
        }
        try await saved()
        if let owed { try await tell(owed) }
        return gone
    }

    /// Rows of files that are gone: a death came between the end of a file and that of its row.
    func bereft(_ rows: [Download]) async throws(Failure) -> [TrackID] {
        let done = rows.filter { $0.state == .done }.map(\.id)
        guard !done.isEmpty else { return [] }
        let kept = Set(try await library.tracks(done).filter { $0.copyPath != nil }.map(\.track.id))
        return done.filter { !kept.contains($0) }
    }
}
