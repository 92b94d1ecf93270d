public import NyanCore
import NyanDBus

/// The listener's lists as a desktop sees them: My Music, the profile and the playlists of VK, known by heart so that
/// nobody has to wait for an answer; and how one of them is started (mpris.md §7).
public final class PlaylistShelf {
    /// One list with the name a person reads.
    public nonisolated struct Row: Sendable, Equatable {
        public var list: MusicList
        public var title: String

        public init(_ list: MusicList, _ title: String) { (self.list, self.title) = (list, title) }
    }

    /// VK is asked for the list of playlists at most so often by those who look at them here.
    private static let pause = Duration.seconds(60)
    private static let music = Row(.music, "My Music")
    private static let profile = Row(.profile, "Profile")

    public let origin: QueueOrigin
    /// In the order a person knows: the tabs, then VK's order. Without an account My Music alone.
    public private(set) var rows = [PlaylistShelf.music]
    /// Called when `rows` are others than before.
    var onChange: () -> Void = {}
    private let player: PlayerService
    private let library: LibraryService
    private let playlists: PlaylistService
    private let account: AccountService
    private let connectivity: Connectivity
    private var isReading = false
    private var isStale = false
    private var lookedAt: Duration?

    public init(
        playlists: PlaylistService, library: LibraryService, player: PlayerService, account: AccountService,
        connectivity: Connectivity, origin: QueueOrigin, hub: EventHub
    ) {
        self.playlists = playlists
        self.library = library
        self.player = player
        self.account = account
        self.connectivity = connectivity
        self.origin = origin
        hub.subscribe { [weak self] changes in if changes.contains(.account) { self?.reload() } }
        reload()
    }

    /// The lists are others than before; called beside whoever else is told so.
    public func reload() {
        // At once, so that nobody starts what is somebody else's by now.
        if !account.isSignedIn { set([Self.music]) }
        isStale = true
        guard !isReading else { return }
        isReading = true
        Task.onMain { [self] in
            while isStale {
                isStale = false
                await read()
            }
            isReading = false
        }
    }

    private func read() async {
        guard account.isSignedIn else { return set([Self.music]) }
        let epoch = account.epoch
        // What cannot be read now is shown as it was.
        guard let stored = try? await playlists.store.playlists(), account.epoch == epoch, account.isSignedIn else {
            return
        }
        set(
            [Self.music, Self.profile]
                + stored.map(\.playlist).map { Row(.playlist($0.id), $0.title.isEmpty ? "\($0.id)" : $0.title) })
    }

    private func set(_ next: [Row]) {
        guard next != rows else { return }
        rows = next
        onChange()
    }

    /// Somebody looks at the lists: they are read at VK in the background, and what differs is told.
    func look() {
        let now = playlists.time.now
        guard account.isUsable, !connectivity.isOfflineMode, lookedAt.map({ now - $0 >= Self.pause }) ?? true else {
            return
        }
        lookedAt = now
        Task.onMain { [playlists] in await playlists.refresh() }
    }
}

// Starting a list.
extension PlaylistShelf {
    /// Replaces the queue by a list and plays it, unless something else was chosen while it was read; `choice` = the
    /// number that `makeChoice` gave when it was wished. Offline mode: what of it is on this machine.
    func start(_ list: MusicList, choice: UInt64) async throws(Failure) {
        guard let row = rows.first(where: { $0.list == list }) else {
            throw Failure(.badArgument, "there is no such playlist")
        }
        let tracks = try await tracks(of: list).filter { !connectivity.isOfflineMode || $0.copyPath != nil }
        guard !tracks.isEmpty else {
            try connectivity.requireNetwork()
            throw Failure(.notFound, "“\(row.title)” is empty")
        }
        try player.perform(.playTracks(tracks.map(\.track), startAt: 0), choice: choice)
        origin.filled(from: list, entries: player.state.entries)
        try await player.saved()
    }

    /// A list is wished for now.
    func makeChoice() -> UInt64 { player.makeChoice() }

    private func tracks(of list: MusicList) async throws(Failure) -> [ListedTrack] {
        switch list {
        case .music: return try await library.music(matching: nil)
        case .profile: return try await library.profile(matching: nil, owner: nil)
        case .playlist(let id):
            let known = try await playlists.known(id)?.reference
            return try await playlists.tracks(of: known ?? PlaylistReference(id: id), matching: nil).rows
        }
    }
}
