public import NyanCore

extension LibraryDatabase: ImportStore {
    public func take(_ copies: [DescribedCopy]) async throws(Failure) {
        guard !copies.isEmpty else { return }
        try writing { connection throws(DatabaseError) in
            for described in copies {
                let known = try connection.knownTrack(described.track.id)
                // VK knows its tracks better than a file; a file nobody else describes is described by itself.
                if known == nil || !described.track.id.isVKs {
                    try connection.write(described.track, replacing: known)
                }
                try connection.write(described.copy)
            }
        }
    }
}
