public import NyanCore

extension DownloadService {
    /// Deletes finished copies; the profile at VK stays.
    public func deleteCopies(_ ids: [TrackID]) async throws(Failure) -> (files: Int, bytes: Int64) {
        await ready()
        var copies: [FinishedCopy] = []
        for id in ids {
            guard let copy = try await library.copy(of: id) else {
                throw Failure(.notFound, "\(id) is not in My Music", subject: id)
            }
            // Two ids of one recording have one file.
            if !copies.contains(where: { $0.id == copy.id }) { copies.append(copy) }
        }
        let owed = await tellFirst(.unwanted(copies.map(\.id)))
        for copy in copies {
            try await finisher.delete(copy)
            try await library.removeCopy(copy.id)
            // A death may have left the wish although its file was there: it must not bring the file back.
            handle(.cancel(.these([copy.id])))
            handle(.forget([copy.id]))
            hub.changed(.library)
        }
        try await writes.flush()
        if let owed { try await tell(owed) }
        return (copies.count, copies.reduce(0) { $0 + $1.bytes })
    }
}
