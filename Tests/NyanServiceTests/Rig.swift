import NyanCore
import NyanService
import NyanTestKit

/// Every service over fakes, wired as the daemon wires them.
final class Rig {
    let hub = EventHub()
    let time = ManualTime()
    let engine = ScriptedEngine()
    let source = ScriptedSource()
    let fetcher = ScriptedFetcher()
    let library = MemoryLibrary()
    let copies = MemoryCopies()
    let playback: MemoryPlayback
    let credentials: MemoryCredentials
    let finisher = FakeFinisher()
    let http = ScriptedHTTP()
    let pictures = FakeCovers()
    let connectivity: Connectivity
    let account: AccountService
    let covers: CoverService
    let transfers: TransferService
    let downloads: DownloadService
    let librarian: LibraryService
    let player: PlayerService
    /// What the hub has told its readers so far.
    private(set) var told: [ChangeSet] = []

    static let profile = ClientProfile(name: "web", userAgent: "test", version: "5.2", apiURL: "https://api.test")
    static let credential = Credential(profile: profile, token: Secret("topsecret-token"))

    /// - Parameters:
    ///   - queue: what an earlier run left.
    ///   - signedIn: whether the store has a credential.
    ///   - parallel: downloads at once.
    init(queue: SavedPlayback? = nil, signedIn: Bool = true, parallel: Int = 2) {
        let log = Log(level: .error)
        playback = MemoryPlayback(queue)
        credentials = MemoryCredentials(signedIn ? Self.credential : nil)
        connectivity = Connectivity(hub: hub)
        account = AccountService(
            source: source, credentials: credentials, library: library, connectivity: connectivity,
            profiles: ["web": Self.profile], defaultProfile: "web", hub: hub, log: log)
        librarian = LibraryService(
            source: source, store: library, account: account, connectivity: connectivity, hub: hub, log: log)
        covers = CoverService(
            client: http, store: pictures, library: library, connectivity: connectivity, hub: hub, time: time)
        transfers = TransferService(
            source: source, fetcher: fetcher, copies: copies, connectivity: connectivity, account: account,
            described: { _ in })
        downloads = DownloadService(
            parallel: parallel, transfers: transfers, library: library, finisher: finisher, covers: covers,
            fileNameTemplate: "{artist} - {title}", connectivity: connectivity, account: account, hub: hub, time: time,
            log: log)
        player = PlayerService(
            restoring: queue, engine: engine, transfers: transfers, library: library, copies: copies, store: playback,
            hub: hub, time: time, log: log, wallClock: { [time] in 1_000_000 + Int64(time.now / .seconds(1)) })
        downloads.listening = { [weak player] in player?.listening ?? [] }
        hub.subscribe { [weak self] in self?.told.append($0) }
        account.restore()
    }

    /// What readers outside see, as the daemon puts it together.
    func snapshot() -> Snapshot {
        let state = player.state
        let track = state.currentEntry.map {
            ListedTrack(track: $0.track, coverPath: covers.path(of: $0.track.id))
        }
        return Snapshot(
            playback: state, position: player.position, track: track, buffered: player.buffered,
            isOnline: connectivity.isOnline, isOfflineMode: connectivity.isOfflineMode, isSignedIn: account.isSignedIn,
            problem: state.problem ?? account.problem, sleepLeft: player.sleepLeft)
    }

    /// Starts these tracks, and brings all bytes of the first.
    func play(_ tracks: [Track]) async throws {
        player.perform(.playTracks(tracks, startAt: 0))
        try await bring(tracks[0].id)
    }

    /// Waits for a track's transfer and brings all its bytes.
    func bring(_ id: TrackID) async throws {
        _ = await until { self.fetcher.running.contains { $0 === self.fetcher.transfer(of: id) } }
        try fetcher.transfer(of: id)?.finish()
        await settle()
    }

    /// Waits for the attempt to fetch a track to be there.
    func transfer(of id: TrackID) async -> ScriptedTransfer? {
        _ = await until { self.fetcher.running.contains { $0 === self.fetcher.transfer(of: id) } }
        return fetcher.transfer(of: id)
    }
}

/// Tracks of a test: one by its number, three minutes and twenty seconds long.
nonisolated func track(_ number: Int64, available: Bool = true) -> Track {
    Track(
        id: TrackID(owner: 7, audio: number), artist: "Artist \(number)", title: "Title \(number)", duration: 200,
        isAvailable: available, unavailableReason: available ? nil : "taken away")
}

extension Failure {
    static let noNetwork = Failure(.network, "no network", retry: .later)
    static let refused = Failure(.notSignedIn, "The token has expired", retry: .never)
    static let expired = Failure(.expiredLocation, "media.test no longer gives this track.")
}
