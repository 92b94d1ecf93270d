import NyanCore
import NyanDBus
import NyanService
import NyanStore
import NyanWire

/// What a shell offers while a line is being typed.
extension Composition {
    func completionFrontend() -> CompletionFrontend {
        let (store, player, downloads, account, people) = (store, player, downloads, account, people)
        let playlists = playlists
        return CompletionFrontend(
            CompletionFrontend.Sources(
                matching: { text, limit async throws(Failure) in try await store.some(matching: text, limit: limit) },
                tracks: { ids async throws(Failure) in try await store.tracks(ids).map(\.track) },
                downloads: { limit in downloads.list.prefix(limit).map(\.track.id) },
                queue: { limit in player.state.entries.prefix(limit).map(\.track) },
                playlists: { () async throws(Failure) in
                    account.isSignedIn ? try await playlists.known().map(\.playlist) : []
                },
                people: { await people.kept() }))
    }
}
