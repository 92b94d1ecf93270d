public import NyanCore

extension LibraryDatabase: FormerTracks {
    public func departed(_ ids: [TrackID]) async throws(Failure) -> Set<TrackID> {
        guard !ids.isEmpty else { return [] }
        let all = try reading { connection throws(DatabaseError) in
            try connection.rows("SELECT t.owner, t.audio FROM departed d JOIN tracks t ON t.id = d.track") {
                row throws(DatabaseError) in try TrackColumns.id(row)
            }
        }
        return Set(all).intersection(ids)
    }
}
