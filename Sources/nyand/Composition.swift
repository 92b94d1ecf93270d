import NyanAudio
import NyanCore
import NyanDBus
import NyanNet
import NyanService
import NyanStore
import NyanVK

/// The one place where adapters meet the services: builds every part and holds it.
final class Composition {
    private(set) var settings: Settings
    /// What the parts were built with: counts until a restart where a key is not reloadable.
    private let built: Settings
    let places: Places
    let hub = EventHub()
    let time = SystemTime()
    let began = SystemTime().now
    let connectivity: Connectivity
    let account: AccountService
    let library: LibraryService
    private(set) lazy var profile = ProfileService(
        editor: source, source: source, store: store, library: library, account: account, hub: hub, time: time,
        log: log)
    private(set) lazy var keep = makeKeep()
    private(set) lazy var musicWatch = makeMusicWatch()
    var mounts: MountWatch?
    private(set) lazy var people = PeopleService(source: source, store: store, library: library, account: account)
    let periodicSync: PeriodicSync
    var routes: RouteWatch?
    let downloads: DownloadService
    let player: PlayerService
    private(set) lazy var playlists = PlaylistService(
        source: source, store: store, library: store, librarian: library, account: account,
        connectivity: connectivity, time: time, log: log)
    private(set) lazy var lyrics = LyricsService(
        source: source, store: store, account: account, connectivity: connectivity)
    private(set) lazy var imports = ImportService(
        importer: music, store: store, library: store,
        fileNameTemplate: { [unowned self] in settings.fileNameTemplate }, hub: hub, log: log)
    private(set) lazy var exports = ExportService(
        exporter: music, library: store, fileNameTemplate: { [unowned self] in settings.fileNameTemplate })
    private lazy var broadcast = BroadcastService(
        source: source, player: player, account: account, connectivity: connectivity, hub: hub, time: time, log: log)
    let loudness: LoudnessService
    private(set) lazy var origin = QueueOrigin(notes: store, hub: hub)
    private(set) lazy var shelf = makeShelf()
    let covers: CoverService
    let transfers: TransferService
    let session: CurlSession
    /// Told of the machine's sleep from `watchSleep` on.
    var sleepWatch: SleepWatch?
    var logind: Logind?
    private let engine: GstEngine
    let store: LibraryDatabase
    let music: MusicFolder
    let copies: CopyFolder
    /// What a new library still lacks; nil = nothing.
    var rebuild: Rebuild?
    /// Waits to give freed memory back.
    var memoryReturn: Task<Void, Never>?
    let source: VKSource
    var keyring: KeyringWatch?
    var notifier: DownloadNotifier?
    var trackNotifier: TrackNotifier?
    /// There is one while `desktop.inhibit-sleep` is on, from the first play on.
    var sleepBlock: SleepBlock?
    let challenges: ChallengeDesk
    let signIn: SignIn
    let log: Log
    /// What the library knows of the current track.
    private var current: ListedTrack?

    static let offlineNote = "offline-mode"

    init(settings: Settings, places: Places, log: Log) async throws(Failure) {
        self.settings = settings
        built = settings
        self.places = places
        self.log = log
        try places.make()
        session = CurlSession(proxy: settings.proxy)
        source = VKSource(http: session, time: time, minInterval: settings.minInterval)
        store = try await LibraryDatabase.open(places.libraryFile)
        if let notice = store.notice { log.error(notice.message) }
        let playback = PlaybackDatabase(path: places.playbackFile)
        copies = CopyFolder(cacheFolder: places.streamFolder, durableFolder: places.unfinishedFolder)
        let credentials = CredentialChoice(settings.accountStore, file: places.credentialsFile)
        connectivity = Connectivity(hub: hub)
        if (try? await store.note(Self.offlineNote)) == "on" { connectivity.setOfflineMode(true) }
        source.metNoNetwork = { [connectivity] in connectivity.failed($0) }
        source.requireNetwork = { [connectivity] () throws(Failure) in try connectivity.requireNetwork() }
        account = AccountService(
            source: source, credentials: credentials, library: store, connectivity: connectivity,
            profiles: settings.profiles.mapValues(\.client), defaultProfile: settings.profile, hub: hub, log: log,
            sessions: Self.sessions(session, time, connectivity), time: time)
        source.keeper = account
        challenges = Self.desk(settings, time, hub, log)
        let grants = Self.grants(session, time, challenges, connectivity)
        signIn = SignIn(account: account, grants: grants, profiles: settings.profiles)
        library = LibraryService(
            source: source, store: store, account: account, connectivity: connectivity, hub: hub, log: log)
        periodicSync = PeriodicSync(
            syncs: library.syncs, account: account, connectivity: connectivity, hub: hub, time: time)
        covers = CoverService(
            client: session, store: CoverFolder(places.coverFolder), library: store, connectivity: connectivity,
            hub: hub)
        let described = Described()
        transfers = TransferService(
            source: source, fetcher: CurlFetcher(session: session), copies: copies, connectivity: connectivity,
            account: account, described: { described.take($0) })
        music = MusicFolder(
            directory: Self.musicDirectory(settings, places), copies: copies,
            isKnown: { [store] folder async throws(Failure) in try await store.hasCopies(in: folder) })
        downloads = DownloadService(
            parallel: settings.parallel, transfers: transfers, library: store, finisher: music, covers: covers,
            fileNameTemplate: settings.fileNameTemplate, connectivity: connectivity, account: account, hub: hub,
            time: time, log: log)
        // What cannot be read must not be taken for an empty queue: the next save would make it one.
        let saved = try await playback.load()
        if let notice = await playback.notice { log.error(notice.message) }
        engine = GstEngine(sink: settings.audioSink, initialVolume: saved?.volume ?? 1, gainMode: settings.replayGain)
        loudness = LoudnessService(
            mode: settings.replayGain, meter: GstLoudnessMeter(), store: store, hub: hub, log: log)
        player = PlayerService(
            restoring: saved, engine: engine, transfers: transfers, library: store, copies: copies, store: playback,
            hub: hub, time: time, log: log)
        connectDownloads()
        broadcast.setOn(settings.broadcast)
        player.loudness = loudness
        player.pausesOnLostOutput = settings.onOutputLost == .pause
        watchCache()
        described.take = { [weak self] in self?.described($0) }
        transfers.setDownloadLimit(settings.rateLimit)
        connectChallenges()
        hub.subscribe { [weak self] in self?.changed($0) }
    }

    /// Lets the transfers, which are built first, tell the player and the library, which are built after them.
    private final class Described {
        var take: (Track) -> Void = { _ in }
    }

    /// What may take long: the credential, the download list, the current track's cover.
    func restore() async {
        // First: whoever asks for the account waits from here on.
        account.restore()
        await keepClosedMethods()
        await restoreLibrary()
        await origin.restore()
        // A disk that sleeps, or a network one that hangs, must not hold up the rest.
        Task.onMain { [self] in await startKeeping() }
        transfers.pruneCache(to: settings.cacheSize)
        refreshCurrent()
        Task.onMain { [covers] in await covers.tidy() }
        loudness.start()
    }

    /// Brings GStreamer up before the first play.
    func warmUp() { engine.warmUp() }

    func setOfflineMode(_ on: Bool) async throws(Failure) {
        try await store.setNote(Self.offlineNote, on ? "on" : nil)
        connectivity.setOfflineMode(on)
        if on { transfers.endAttempts(Failure(.offline, "offline mode is on")) }
    }

    /// Takes over what can change while running (`SettingKey.isReloadable`); what plays and downloads goes on.
    /// - Returns: the keys whose new values wait for a restart.
    func take(_ fresh: Settings) -> [String] {
        settings = fresh
        let profiles = fresh.profiles.mapValues { profile in
            built.clientProfile(named: built.profile).map { profile.client.at(addressesOf: $0) } ?? profile.client
        }
        account.use(profiles: profiles, defaultProfile: fresh.profile)
        signIn.profiles = fresh.profiles
        music.use(Self.musicDirectory(fresh, places))
        Task.onMain { [musicWatch] in await musicWatch.start() }
        source.minInterval = fresh.minInterval
        player.pausesOnLostOutput = fresh.onOutputLost == .pause
        engine.gainMode = fresh.replayGain
        loudness.setMode(fresh.replayGain)
        broadcast.setOn(fresh.broadcast)
        useDesktopSettings()
        downloads.setParallel(fresh.parallel)
        downloads.fileNameTemplate = fresh.fileNameTemplate
        transfers.setDownloadLimit(fresh.rateLimit)
        transfers.pruneCache(to: fresh.cacheSize)
        return fresh.keysNeedingRestart(comparedWith: built)
    }

    private static func musicDirectory(_ settings: Settings, _ places: Places) -> String {
        settings.downloadsDirectory.map { places.expanded($0) } ?? places.musicDirectory
    }

    func shutDown() async {
        challenges.cancel(Failure(.cancelled, "nyand is stopping"))
        // Beside the rest: it may have to wait for VK.
        let farewell = Task.onMain { [broadcast] in await broadcast.shutDown() }
        await player.shutDown()
        imports.stop()
        await loudness.shutDown()
        await downloads.shutDown()
        await farewell.value
    }

    /// Everything a reader may see now.
    func snapshot() -> Snapshot {
        let state = player.state
        var track: ListedTrack?
        if let entry = state.currentEntry {
            track = current?.track.id == entry.track.id ? current : ListedTrack(track: entry.track)
            track?.track = entry.track
            if let cover = covers.path(of: entry.track.id) { track?.coverPath = cover }
        }
        return Snapshot(
            playback: state, position: player.position, track: track, buffered: player.buffered,
            isOnline: connectivity.isOnline, isOfflineMode: connectivity.isOfflineMode,
            isSignedIn: account.isSignedIn,
            problem: problem(of: state),
            sleepLeft: player.sleepLeft)
    }

    private func described(_ track: Track) {
        player.trackChanged(track)
        Task.onMain { [self] in try? await store.remember([track]) }
    }

    private func changed(_ changes: ChangeSet) {
        let isOther = player.state.currentEntry?.track.id != current?.track.id
        if isOther || changes.contains(.library) { refreshCurrent() }
        if changes.contains(.queue) { queueChanged() }
    }

    /// Asks the library about the current track, and for its cover.
    private func refreshCurrent() {
        guard let entry = player.state.currentEntry else {
            current = nil
            return covers.watch(nil)
        }
        if current?.track.id != entry.track.id { current = ListedTrack(track: entry.track) }
        Task.onMain { [self] in
            guard let listed = try? await store.tracks([entry.track.id]).first?.withCoverInSight,
                current?.track.id == entry.track.id, listed != current
            else { return }
            current = listed
            hub.changed(.playback)
        }
        covers.watch(entry.track)
    }
}
