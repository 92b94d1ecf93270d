import Glibc
public import NyanCore
import NyanDBus

/// Covers as local files: each picture is fetched once, whoever shows it (mpris.md §5 artUrl).
public final class CoverService {
    /// Covers are shown at 300–600 px; more than this is no cover.
    private static let maxBytes = 5 << 20

    private let client: any HTTPClient
    private let store: any CoverStore
    private let library: any LibraryStore
    private let connectivity: Connectivity
    private let hub: EventHub
    private var paths: [TrackID: String] = [:]
    private var fetching: [TrackID: Task<String?, Never>] = [:]

    public init(
        client: any HTTPClient, store: any CoverStore, library: any LibraryStore, connectivity: Connectivity,
        hub: EventHub
    ) {
        self.client = client
        self.store = store
        self.library = library
        self.connectivity = connectivity
        self.hub = hub
    }

    /// The cover's absolute path if it is known already.
    public func path(of id: TrackID) -> String? { paths[id] }

    /// Finds or fetches a track's cover; a missing one is no error. Readers are told when it arrives.
    @discardableResult
    public func cover(of track: Track) async -> String? {
        if let path = paths[track.id] { return path }
        if let task = fetching[track.id] { return await task.value }
        let task = Task.onMain { [self] in await find(track) }
        fetching[track.id] = task
        let path = await task.value
        fetching[track.id] = nil
        if let path, paths[track.id] == nil {
            paths[track.id] = path
            hub.changed(.playback)
        }
        return path
    }

    private func find(_ track: Track) async -> String? {
        // A cache may be emptied by anybody at any time.
        if let known = try? await library.tracks([track.id]).first?.coverPath, access(known, F_OK) == 0 { return known }
        guard let url = track.coverURL, (try? connectivity.requireNetwork()) != nil else { return nil }
        let request = HTTPRequest(.get, url: Secret(url), timeout: .seconds(20), maxBytes: Self.maxBytes)
        guard let answer = try? await client.send(request), answer.status == 200,
            let path = try? await store.store(answer.body)
        else { return nil }
        try? await library.setCover(path, of: track.id)
        return path
    }
}
