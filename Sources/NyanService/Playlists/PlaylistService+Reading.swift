import NyanCore

/// Reading at VK and taking over what is believed.
extension PlaylistService {
    /// Whose playlists: nil where only the token knows.
    var owner: Int64? { account.account.flatMap { $0.id == 0 ? nil : $0.id } }

    /// Reads the person's list and stores it.
    func readList() async throws(Failure) -> [Playlist] {
        await account.ready()
        let epoch = account.epoch
        let stored = try await store.playlists().map(\.playlist)
        var reading = PlaylistsReading(stored: stored.map(\.id))
        while true {
            switch reading.next {
            case .page(let offset, let count):
                reading.received(
                    try await calls.ask { () async throws(Failure) in
                        try await source.playlistPage(owner: owner, offset: offset, count: count)
                    })
            case .failed(let failure): throw failure
            case .done(let playlists):
                if playlists.isEmpty { try await requireGone(stored) }
                try requireSame(epoch)
                if try await store.setPlaylists(playlists) { onChange() }
                return playlists
            }
        }
    }

    /// A list that reads as empty may be a login gone wrong (vk-api.md §5): the first that was known must be gone, too.
    private func requireGone(_ stored: [Playlist]) async throws(Failure) {
        guard let first = stored.first else { return }
        do throws(Failure) {
            _ = try await calls.ask { () async throws(Failure) in try await source.playlist(first.reference) }
        } catch {
            if error.code == .notFound { return }
            throw error
        }
        throw Failure(
            .badAnswer, "VK suddenly shows no playlist where there were \(stored.count)", retry: .later)
    }

    /// Reads a playlist's tracks and stores them.
    func readTracks(_ reference: PlaylistReference) async throws(Failure) -> [Track] {
        await account.ready()
        let epoch = account.epoch
        let known = try await store.playlist(reference.id)
        let stored = try await store.tracks(of: reference.id, matching: nil)?.map(\.track.id)
        var reference = reference
        reference.accessKey = reference.accessKey ?? known?.playlist.accessKey
        var described = known == nil || reference.id.isGenerated ? try await description(of: reference) : nil
        var before: [TrackID]?
        while true {
            let (tracks, count) = try await readOnce(reference)
            let ids = tracks.map(\.id)
            if ids.isEmpty, before == ids { described = try await description(of: reference) ?? described }
            switch PlaylistDoubt.about(
                reference.id, stored: stored, read: ids, before: before, described: described?.count)
            {
            case .readAgain: before = ids
            case .keep(let failure): throw failure
            case .believe:
                var playlist = described ?? known?.playlist ?? Playlist(id: reference.id, title: "")
                playlist.accessKey = playlist.accessKey ?? reference.accessKey
                playlist.count = count
                // What is known of following stays: the description of the original does not say so.
                playlist.isFollowed = known?.playlist.isFollowed ?? playlist.isFollowed
                playlist.follow = playlist.follow ?? known?.playlist.follow
                try requireSame(epoch)
                if try await store.setTracks(tracks, of: playlist) { onChange() }
                onRead(playlist.id)
                return tracks
            }
        }
    }

    /// One complete reading that stood still meanwhile, and how many tracks VK counts.
    private func readOnce(_ reference: PlaylistReference) async throws(Failure) -> ([Track], Int) {
        // What is gone is judged by the whole list afterwards.
        var reading = SyncReading(storedIDs: [])
        var total = 0
        while true {
            switch reading.next {
            case .page(let offset, let count):
                let page = try await calls.ask { () async throws(Failure) in
                    try await source.playlistTracks(reference, offset: offset, count: count)
                }
                total = page.count
                reading.received(page)
            case .done(let plan): return (plan.tracks, total)
            case .failed:
                throw Failure(.badAnswer, "The playlist keeps changing while it is read", retry: .later)
            }
        }
    }

    /// VK's description; nil where this login's client has no such call: the tracks may be had all the same.
    private func description(of reference: PlaylistReference) async throws(Failure) -> Playlist? {
        do throws(Failure) {
            return try await calls.ask { () async throws(Failure) in try await source.playlist(reference) }
        } catch {
            if error.code == .unsupported { return nil }
            throw error
        }
    }

    /// What was read for one account must not become another one's.
    func requireSame(_ epoch: Int) throws(Failure) {
        guard account.epoch == epoch else {
            throw Failure(.cancelled, "the account changed while its playlists were read")
        }
    }
}
