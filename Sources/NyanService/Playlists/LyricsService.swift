public import NyanCore
import NyanDBus

/// Words of tracks: asked of VK once and kept, also that there are none.
public final class LyricsService {
    /// So long VK is believed that a track has no words; in seconds.
    static let noneLasts: Int64 = 7 * 86_400

    private let source: any LyricsSource
    private let store: any LyricsStore
    private let calls: AccountCalls
    /// Seconds since 1970 now.
    private let wallClock: () -> Int64

    public init(
        source: any LyricsSource, store: any LyricsStore, account: AccountService, connectivity: Connectivity,
        wallClock: @escaping () -> Int64 = { WallClock.now }
    ) {
        self.source = source
        self.store = store
        self.wallClock = wallClock
        calls = AccountCalls(account: account, connectivity: connectivity)
    }

    /// - Throws: `.notFound` where there are none.
    public func lyrics(of track: TrackReference) async throws(Failure) -> Lyrics {
        let none = Failure(.notFound, "there are no lyrics for this track", subject: track.id)
        guard track.id.isVKs else { throw none }
        let stored = try await store.lyrics(of: track.id)
        if let found = stored?.lyrics { return found }
        let now = wallClock()
        // A clock that was set back must not make it last for ever.
        if let stored, (0..<Self.noneLasts).contains(now - stored.askedAt) { throw none }
        let found: Lyrics?
        do throws(Failure) {
            found = try await calls.ask { () async throws(Failure) in try await source.lyrics(of: track) }
        } catch {
            if stored != nil { throw none }
            throw error
        }
        try await store.setLyrics(StoredLyrics(lyrics: found, askedAt: now), of: track.id)
        guard let found else { throw none }
        return found
    }
}
