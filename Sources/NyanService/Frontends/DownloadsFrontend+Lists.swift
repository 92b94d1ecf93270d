import NyanCore
import NyanDBus

// Whole lists: what a listing command would show is queued, in its order.
extension DownloadsFrontend {
    /// The profile, or what of it has these words; an empty filter is all of it.
    func addProfile(matching filter: String) async throws(Failure) -> [BusValue] {
        try await addList(library.profile(matching: filter.isEmpty ? nil : filter, owner: nil))
    }

    /// A playlist's tracks, in its order.
    func addPlaylist(_ text: String) async throws(Failure) -> [BusValue] {
        guard let playlists else { throw Failure(.unsupported, "there are no playlists here") }
        guard let reference = PlaylistReference(text) else {
            throw Failure(
                .badArgument, "“\(text.prefix(80))” is no playlist id such as 123456_17, nor VK's address")
        }
        let shown = try await playlists.tracks(of: reference, matching: nil)
        return try await addList(shown.rows) + [.string(shown.notice ?? "")]
    }

    /// Queues a list, and tells besides under which ids that of it comes which is not there.
    private func addList(_ tracks: [ListedTrack]) async throws(Failure) -> [BusValue] {
        let answer = try await addMany(tracks)
        let missing = Set(tracks.filter { $0.copyPath == nil && !cannotBeHad($0) }.map(\.track.id))
        // A file that was taken away by hand may still be listed, and is fetched anew.
        let unfinished = Set(downloads.list.filter { $0.state != .done }.map(\.id))
        let wanted = tracks.map(\.track.id).filter { missing.contains($0) || unfinished.contains($0) }
        return answer + [.strings(try await downloads.standing(for: wanted).map(\.description))]
    }
}
