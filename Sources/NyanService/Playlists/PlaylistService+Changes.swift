public import NyanCore

/// Changing playlists at VK. What is answered has happened there; a call whose answer was lost is not repeated before a
/// look at what came of it.
extension PlaylistService {
    /// Tracks one call names at most.
    private static let batch = 100

    /// VK may act a moment after the answer was given up.
    private static let pause = Duration.seconds(2)

    /// Makes an empty playlist at the top of the list.
    public func create(_ title: String) async throws(Failure) -> ListedPlaylist {
        let title = try Self.checked(title)
        return try await turns.run { [self] turn throws(Failure) in try await create(title, turn) }
    }

    private func create(_ title: String, _ turn: ChangeTurns.Turn) async throws(Failure) -> ListedPlaylist {
        // Each call makes another one: only a list from before tells a new playlist from one of the same title.
        let before = try await listBefore()
        var attempts = 0
        while true {
            attempts += 1
            do throws(Failure) {
                let made = try await change(turn) { () async throws(Failure) in
                    try await source.createPlaylist(title, owner: owner)
                }
                return try await took(made, titled: title, turn)
            } catch {
                guard error.isLostAnswer, let before else { throw error }
                try await settle(turn)
                if let made = try await look(for: title, before: before, after: error) {
                    return try await took(made, titled: title, turn)
                }
                if attempts == 2 { throw error }
                log.info("playlist: VK did not make it; asking once more")
            }
        }
    }

    /// Asks VK for a change: not in the name of another account than the one that it was asked for.
    private func change<Answer>(
        _ turn: ChangeTurns.Turn, _ call: () async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        try await calls.ask { () async throws(Failure) in
            try turn.requireSame()
            return try await call()
        }
    }

    /// Waits after a lost answer until what VK made of the call shows.
    private func settle(_ turn: ChangeTurns.Turn) async throws(Failure) {
        do { try await time.wait(for: Self.pause) } catch { throw Failure(.cancelled, "cancelled") }
        try turn.requireSame()
    }

    private func listBefore() async throws(Failure) -> Set<PlaylistID>? {
        do throws(Failure) {
            return Set(try await readList().map(\.id))
        } catch {
            if error.code == .unsupported { return nil }
            throw error
        }
    }

    private func look(
        for title: String, before: Set<PlaylistID>, after lost: Failure
    ) async throws(Failure) -> Playlist? {
        do throws(Failure) {
            return try await readList().first { !before.contains($0.id) && $0.title == title && !$0.isFollowed }
        } catch {
            throw Failure(
                lost.code,
                "VK did not say whether the playlist was made: look with `nyanctl playlists` before you "
                    + "try again (\(lost.message))", retry: lost.retry)
        }
    }

    private func took(
        _ made: Playlist, titled title: String, _ turn: ChangeTurns.Turn
    ) async throws(Failure) -> ListedPlaylist {
        var made = made
        if made.title.isEmpty { made.title = title }
        let isListed = try await store.playlists().contains { $0.playlist.id == made.id }
        // One account's playlist must not stand in another one's list.
        try turn.requireSame()
        try await store.setDescription(made, first: !isListed)
        onChange()
        return ListedPlaylist(playlist: made)
    }

    public func rename(_ reference: PlaylistReference, to title: String) async throws(Failure) {
        let title = try Self.checked(title)
        try await turns.run { [self] turn throws(Failure) in
            var playlist = try await changeable(reference) ?? Playlist(id: reference.id, title: title)
            try await change(turn) { () async throws(Failure) in try await source.rename(playlist, to: title) }
            playlist.title = title
            let isKnown = try await store.playlist(playlist.id) != nil
            try turn.requireSame()
            if isKnown { try await store.setDescription(playlist, first: false) }
            onChange()
        }
    }

    /// Deletes an own playlist, follows somebody else's no more; tells which of both it was.
    public func delete(_ reference: PlaylistReference) async throws(Failure) -> Playlist {
        try await turns.run { [self] turn throws(Failure) in try await delete(reference, turn) }
    }

    private func delete(_ reference: PlaylistReference, _ turn: ChangeTurns.Turn) async throws(Failure) -> Playlist {
        try account.requireAccount()
        guard !reference.id.isGenerated else { throw Self.generated }
        let known = try await store.playlist(reference.id)?.playlist
        var playlist = known ?? Playlist(id: reference.id, title: "")
        if let owner, reference.id.owner != owner { playlist.isFollowed = true }
        do throws(Failure) {
            try await change(turn) { () async throws(Failure) in
                try await source.delete(playlist.follow ?? playlist.id)
            }
        } catch {
            // It is gone already: somebody else's doing, or a call whose answer was lost.
            guard error.code == .notFound, known != nil else { throw error }
        }
        let isListed = try await store.playlists().contains { $0.playlist.id == reference.id }
        try turn.requireSame()
        try await store.forgetPlaylist(reference.id)
        onChange()
        // It may stand in the list under another id.
        if !isListed { await refresh() }
        return playlist
    }

    /// Adds tracks in this order; one that is in the playlist already is not asked for again.
    /// - Returns: how many were added.
    public func add(_ tracks: [TrackReference], to reference: PlaylistReference) async throws(Failure) -> Int {
        let wanted = try Self.vkTracks(tracks)
        return try await turns.run { [self] turn throws(Failure) in try await add(wanted, to: reference, turn) }
    }

    private func add(
        _ wanted: [TrackReference], to reference: PlaylistReference, _ turn: ChangeTurns.Turn
    ) async throws(Failure) -> Int {
        _ = try await changeable(reference)
        var present = Set(try await readTracks(reference).map(\.id))
        let missing = wanted.filter { !present.contains($0.id) }
        var attempts = 0
        while true {
            attempts += 1
            do throws(Failure) {
                for part in Self.batches(missing.filter { !present.contains($0.id) }) {
                    try await change(turn) { () async throws(Failure) in
                        try await source.add(part, to: reference.id)
                    }
                    present.formUnion(part.map(\.id))
                }
                break
            } catch {
                guard error.isLostAnswer, attempts < 3 else { throw error }
                try await settle(turn)
                // VK may have added them: what is there now is not added twice.
                present = Set(try await readTracks(reference).map(\.id))
            }
        }
        if !missing.isEmpty { await readBack(reference) }
        return missing.count
    }

    /// Takes tracks out. - Returns: how many of them were in it.
    public func remove(_ tracks: [TrackReference], from reference: PlaylistReference) async throws(Failure) -> Int {
        let wanted = try Self.vkTracks(tracks)
        return try await turns.run { [self] turn throws(Failure) in try await remove(wanted, from: reference, turn) }
    }

    private func remove(
        _ wanted: [TrackReference], from reference: PlaylistReference, _ turn: ChangeTurns.Turn
    ) async throws(Failure) -> Int {
        _ = try await changeable(reference)
        let present = Set(try await readTracks(reference).map(\.id))
        let leaving = wanted.filter { present.contains($0.id) }
        guard !leaving.isEmpty else {
            throw Failure(
                .notFound, wanted.count == 1 ? "this track is not in the playlist" : "none of them is in the playlist",
                subject: wanted.first?.id)
        }
        for part in Self.batches(leaving) {
            try await change(turn) { () async throws(Failure) in try await source.remove(part, from: reference.id) }
        }
        await readBack(reference)
        return leaving.count
    }

    /// The change is done; a list that cannot be read back now is read at the next look.
    private func readBack(_ reference: PlaylistReference) async {
        do throws(Failure) { _ = try await readTracks(reference) } catch {
            log.info("playlist \(reference.id): \(error.message)")
        }
    }

    /// What is known of a playlist that can be changed.
    /// - Throws: where it certainly cannot; else VK decides.
    private func changeable(_ reference: PlaylistReference) async throws(Failure) -> Playlist? {
        await account.ready()
        try account.requireAccount()
        guard !reference.id.isGenerated else { throw Self.generated }
        let known = try await store.playlist(reference.id)?.playlist
        guard known?.isFollowed != true else {
            throw Failure(.denied, "this playlist is somebody else's: it can be followed no more, but not changed")
        }
        return known
    }

    private static let generated = Failure(.denied, "VK makes this playlist itself: nobody can change it")

    private static func checked(_ title: String) throws(Failure) -> String {
        var words = title[...]
        while words.first?.isWhitespace == true { words = words.dropFirst() }
        while words.last?.isWhitespace == true { words = words.dropLast() }
        guard !words.isEmpty else { throw Failure(.badArgument, "a playlist needs a title") }
        return String(words)
    }

    /// Each once, in the order asked.
    private static func vkTracks(_ tracks: [TrackReference]) throws(Failure) -> [TrackReference] {
        if let other = tracks.first(where: { !$0.id.isVKs }) {
            throw Failure(.badArgument, "only VK's tracks can be in a playlist", subject: other.id)
        }
        var seen: Set<TrackID> = []
        return tracks.filter { seen.insert($0.id).inserted }
    }

    private static func batches(_ tracks: [TrackReference]) -> [[TrackReference]] {
        stride(from: 0, to: tracks.count, by: batch).map { Array(tracks[$0..<min($0 + batch, tracks.count)]) }
    }
}
