public import NyanCore

/// Changes of the profile in memory, kept as notes.
extension MemoryLibrary: ProfileStore {
    public func added(_ copy: Track, from original: TrackID) async throws(Failure) {
        try await remember([copy])
        try await put([copy.id] + profileNow.filter { $0 != copy.id })
        try await setNote("twin.\(original)", copy.id.description)
    }

    public func removed(_ id: TrackID) async throws(Failure) {
        if let place = profileNow.firstIndex(of: id) { try await setNote("removed.\(id)", "\(place)") }
        try await put(profileNow.filter { $0 != id })
    }

    public func restored(_ track: Track) async throws(Failure) -> Bool {
        try await remember([track])
        let place = try await placeBeforeRemoval(of: track.id)
        var ids = profileNow
        ids.insert(track.id, at: min(place ?? 0, ids.count))
        try await put(ids)
        try await setNote("removed.\(track.id)", nil)
        return place != nil
    }

    public func profileCopy(of id: TrackID) async throws(Failure) -> TrackID? {
        if profileNow.contains(id) { return id }
        let twin = try await note("twin.\(id)").flatMap { TrackID($0) }
        return twin.flatMap { profileNow.contains($0) ? $0 : nil }
    }

    public func removedCopy(of id: TrackID) async throws(Failure) -> TrackID? {
        for candidate in try await [id] + twins(of: id) where try await note("removed.\(candidate)") != nil {
            return candidate
        }
        return nil
    }

    public func place(of id: TrackID) async throws(Failure) -> Int? { profileNow.firstIndex(of: id) }

    public func placeBeforeRemoval(of id: TrackID) async throws(Failure) -> Int? {
        try await note("removed.\(id)").flatMap { Int($0) }
    }

    public func twins(of id: TrackID) async throws(Failure) -> [TrackID] {
        let twin = try await note("twin.\(id)").flatMap { TrackID($0) }
        return [id] + (twin.map { [$0] } ?? [])
    }

    private func put(_ ids: [TrackID]) async throws(Failure) {
        let tracks = try await tracks(ids).map(\.track)
        try await apply(SyncPlan(tracks: tracks, added: [], removed: [], unavailable: 0, changesAnything: true))
    }
}

/// Nothing ever left.
extension MemoryLibrary: FormerTracks {
    public func departed(_ ids: [TrackID]) async throws(Failure) -> Set<TrackID> {
        await departedLatch.pass()
        return []
    }
}
