import Glibc
public import NyanCore
import NyanDBus

/// Covers as local files: each picture is fetched once, whoever shows it (mpris.md §5 artUrl).
///
/// A cover comes from the cache by its address at VK, from the network, or out of the sound file itself; what was known
/// before is shown until a newer one is there (decision 0027).
public final class CoverService {
    /// Covers are shown at 300–600 px; more than this is no cover.
    private static let maxBytes = 5 << 20
    /// Newly stored pictures between two looks at the cache's size.
    private static let batch = 50
    /// Covers known without asking anybody; older ones are looked up again.
    private static let memory = 200
    /// So many of the last covers are not removed: desktops may show them still.
    private static let inUse = 20

    /// What was found for a track.
    private struct Known {
        var path: String
        /// What it was fetched from; nil = it is the best there was, and a better one may come.
        var address: String?
    }

    let client: any HTTPClient
    let cache: any CoverCache
    let library: any LibraryStore & CoverLedger
    let connectivity: Connectivity
    let time: any TimeSource
    let hub: EventHub
    private var known: [TrackID: Known] = [:]
    /// The tracks of `known`, the newest at the end.
    private var order: [TrackID] = []
    private var finding: [TrackID: Task<String?, Never>] = [:]
    /// Fetches under way, by address: an album's tracks share one.
    private var fetches: [String: Task<String?, Never>] = [:]
    var patience = CoverPatience()
    private var storedSinceLook = 0
    /// What plays after the current track; its cover is fetched before.
    public var following: () -> Track? = { nil }
    /// New files whose pictures are not looked for yet, and who does.
    var unseen: [FinishedCopy] = []
    var looking: Task<Void, Never>?
    /// The track whose cover is tried for until it is there.
    var watched: (track: Track, task: Task<Void, Never>)?
    var lastWatch: Duration?
    var wasOnline = true

    public init(
        client: any HTTPClient, store: any CoverCache, library: any LibraryStore & CoverLedger,
        connectivity: Connectivity, hub: EventHub, time: any TimeSource = SystemTime()
    ) {
        self.client = client
        cache = store
        self.library = library
        self.connectivity = connectivity
        self.hub = hub
        self.time = time
        hub.subscribe { [weak self] in if $0.contains(.connectivity) { self?.networkChanged() } }
    }

    /// The cover's absolute path if it is known already.
    public func path(of id: TrackID) -> String? { known[id]?.path }

    /// Whether the picture of a track's address is there; one that is shown for want of it does not count.
    func hasNewest(_ track: Track) -> Bool {
        known[track.id]?.address.map { $0 == track.coverURL ?? $0 } ?? false
    }

    /// Finds or fetches a track's cover; a missing one is no error. Readers are told when it arrives.
    @discardableResult
    public func cover(of track: Track) async -> String? {
        // A cache may be emptied by anybody at any time.
        if let known = known[track.id], let address = known.address, address == track.coverURL ?? address,
            access(known.path, F_OK) == 0
        {
            return known.path
        }
        if let task = finding[track.id] { return await task.value }
        let task = Task.onMain { [self] in await find(track) }
        finding[track.id] = task
        defer { finding[track.id] = nil }
        return await task.value
    }

    /// Brings the cache within its bounds, and lets the library forget what is gone. Called at start, and now and then.
    public func tidy() async {
        storedSinceLook = 0
        let shown = order.suffix(Self.inUse) + [watched?.track.id].compactMap(\.self)
        guard await cache.shrink(keeping: Set(shown.compactMap { known[$0]?.path })) else { return }
        // Others may have come meanwhile: each is looked for, at the moment at which it would be forgotten.
        known = known.filter { cache.isThere($0.value.path) }
        order.removeAll { known[$0] == nil }
        try? await library.forgetCovers { [cache] in !cache.isThere($0) }
    }

    private func find(_ track: Track) async -> String? {
        let listed = try? await library.tracks([track.id]).first
        let address = track.coverURL ?? listed?.track.coverURL
        if let address, let path = await cache.picture(from: address) {
            return await keep(path, from: address, for: track, listed)
        }
        var before = listed?.coverPath.flatMap { access($0, F_OK) == 0 ? $0 : nil }
        let own = track.soundAddress?.path
        // A file that others tagged says for itself what it looks like now.
        if address == nil || before == nil, let file = own ?? listed?.copyPath,
            let path = await cache.embedded(in: file, beside: own != nil)
        {
            before = path
        }
        guard let address, mayFetch(address) else {
            guard let before else { return nil }
            return await keep(before, from: nil, for: track, listed)
        }
        // Its address is another one now; until that is answered, the cover of before is as good as any.
        if let before { show(before, from: nil, for: track) }
        if let path = await fetch(address) { return await keep(path, from: address, for: track, listed) }
        guard let before else { return nil }
        return await keep(before, from: nil, for: track, listed)
    }

    private func mayFetch(_ address: String) -> Bool {
        (try? connectivity.requireNetwork()) != nil && patience.mayAsk(address, at: time.now)
    }

    private func fetch(_ address: String) async -> String? {
        if let task = fetches[address] { return await task.value }
        let task = Task.onMain { [self] in await ask(address) }
        fetches[address] = task
        defer { fetches[address] = nil }
        return await task.value
    }

    private func ask(_ address: String) async -> String? {
        let request = HTTPRequest(.get, url: Secret(address), timeout: .seconds(20), maxBytes: Self.maxBytes)
        do throws(Failure) {
            let answer = try await client.send(request)
            guard answer.status == 200 else {
                patience.failed(address, CoverPatience.Trouble(status: answer.status), at: time.now)
                return nil
            }
            let path = try await cache.store(answer.body, from: address)
            patience.had(address)
            stored()
            return path
        } catch {
            // Anything but a picture, one of too many bytes, no room on the disk: asking soon would help nothing.
            let isLasting = error.code == .badAnswer || error.code == .fileAccess
            patience.failed(address, isLasting ? .lasting : .passing, at: time.now)
            return nil
        }
    }

    /// Looks at the cache's size now and then.
    func stored() {
        storedSinceLook += 1
        guard storedSinceLook >= Self.batch else { return }
        storedSinceLook = 0
        Task.onMain { [self] in await tidy() }
    }

    private func keep(
        _ path: String, from address: String?, for track: Track, _ listed: ListedTrack?
    ) async -> String {
        show(path, from: address, for: track)
        if let listed, listed.coverPath != path { try? await library.setCover(path, of: track.id) }
        return path
    }

    private func show(_ path: String, from address: String?, for track: Track) {
        let isNews = known[track.id]?.path != path
        known[track.id] = Known(path: path, address: address)
        order.removeAll { $0 == track.id }
        order.append(track.id)
        // Many downloads must not drive out what is shown.
        if order.count > Self.memory, let oldest = order.firstIndex(where: { $0 != watched?.track.id }) {
            known[order.remove(at: oldest)] = nil
        }
        if isNews { hub.changed(.playback) }
    }
}
