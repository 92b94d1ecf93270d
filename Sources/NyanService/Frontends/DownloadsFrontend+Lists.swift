import NyanCore
import NyanDBus

// Whole lists: what a listing command would show is queued, in its order.
extension DownloadsFrontend {
    /// The profile, or what of it has these words; an empty filter is all of it.
    func addProfile(matching filter: String) async throws(Failure) -> [BusValue] {
        try await addMany(library.profile(matching: filter.isEmpty ? nil : filter, owner: nil))
    }

    /// A playlist's tracks, in its order.
    func addPlaylist(_ text: String) async throws(Failure) -> [BusValue] {
        guard let playlists else { throw Failure(.unsupported, "there are no playlists here") }
        guard let reference = PlaylistReference(text) else {
            throw Failure(
                .badArgument, "“\(text.prefix(80))” is no playlist id such as 123456_17, nor VK's address")
        }
        let shown = try await playlists.tracks(of: reference, matching: nil)
        return try await addMany(shown.rows) + [.string(shown.notice ?? "")]
    }
}
