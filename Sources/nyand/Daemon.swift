import Dispatch
import Glibc
import NyanCore
import NyanDBus
import NyanService
import NyanStore
import NyanWire

/// The running daemon: its parts, its names on the bus, and its end.
final class Daemon {
    private let parts: Composition
    private let connection: Connection
    private let settingsPath: String
    /// The file was named on the command line: then it must be there at each reading.
    private let settingsMustExist: Bool
    private let log: Log
    private var publishers: [AnyObject] = []
    private var isStopping = false
    private var toldKeys: Set<String> = []
    /// What the desktop calls us.
    private var playerName = Names.mpris

    /// Opens the stores and builds every part; shows nothing yet.
    init(
        settings: Settings, settingsPath: String, settingsMustExist: Bool, places: Places, connection: Connection,
        log: Log
    ) async throws(Failure) {
        self.connection = connection
        self.settingsPath = settingsPath
        self.settingsMustExist = settingsMustExist
        self.log = log
        parts = try await Composition(settings: settings, places: places, log: log)
    }

    /// Objects first, then the names, then READY (DESIGN.md §3); everything slow comes after.
    func serve() throws(Failure) {
        do throws(BusError) {
            try connection.attach()
            connection.onDisconnect = { [weak self] in self?.busIsGone() }
            connection.callLimit = .modest
            connection.onFault = { [log] in log.error("bus: \($0)") }
            parts.downloads.willRestore()
            connection.onNameLost = { [weak self] name in self?.nameLost(name) }
            try export()
            try own(Names.nyand)
            try ownMPRIS()
        } catch {
            throw Failure(.internal, "the session bus refused us: \(error.message)")
        }
        ServiceNotice.send("READY=1\nSTATUS=Answers nyanctl and, as \(playerName), the desktop")
        log.info("nyand \(Names.version) is ready")
        tellKeysWithoutEffect()
        Task.onMain { await self.begin() }
    }

    private func export() throws(BusError) {
        let parts = parts
        let snapshot = { parts.snapshot() }
        try connection.export(
            ExportedObject(
                at: Names.mprisPath,
                [
                    (RootInterface.interface, MPRISRootFrontend(quit: { [weak self] in self?.stop() })),
                    (PlayerInterface.interface, MPRISPlayerFrontend(player: parts.player, snapshot: snapshot)),
                ] + parts.mprisLists()))
        let reload = DaemonFrontend(
            setOfflineMode: { [weak self] on async throws(Failure) in try await self?.setOfflineMode(on) },
            reload: { [weak self] () throws(Failure) in try self?.reload() })
        let paces = DownloadPaces(time: parts.time)
        let library = LibraryFrontend(library: parts.library, downloads: parts.downloads)
        library.onLongList = { [weak self] in self?.parts.returnMemorySoon() }
        let account = AccountFrontend(
            account: parts.account, signIn: parts.signIn, desk: parts.challenges, loginEnds: { parts.loginEnds }
        ) { [weak self] in self?.signedIn() }
        try connection.export(
            ExportedObject(
                at: Names.nyandPath,
                [
                    (NyandInterfaces.player, parts.playerFrontend()),
                    (NyandInterfaces.queue, QueueFrontend(player: parts.player, library: parts.library)),
                    (NyandInterfaces.library, library),
                    (NyandInterfaces.doctor, DoctorFrontend(doctor: doctor())),
                    (NyandInterfaces.history, HistoryFrontend(player: parts.player, library: parts.library)),
                    (
                        NyandInterfaces.downloads,
                        DownloadsFrontend(
                            downloads: parts.downloads, library: parts.library, playlists: parts.playlists,
                            paces: paces)
                    ),
                    (
                        NyandInterfaces.playlists,
                        PlaylistsFrontend(playlists: parts.playlists, connection: connection)
                    ),
                    (NyandInterfaces.lyrics, LyricsFrontend(lyrics: parts.lyrics, player: parts.player)),
                    (NyandInterfaces.account, account),
                    (NyandInterfaces.profile, ProfileFrontend(profile: parts.profile, player: parts.player)),
                    (NyandInterfaces.people, PeopleFrontend(people: parts.people)),
                    (
                        NyandInterfaces.files,
                        FilesFrontend(
                            imports: parts.imports, exports: parts.exports, connection: connection, time: parts.time)
                    ),
                    (NyandInterfaces.keep, KeepFrontend(keep: parts.keep)),
                    (NyandInterfaces.completion, parts.completionFrontend()),
                    (NyandInterfaces.scrobble, ScrobbleFrontend(scrobbles: parts.scrobbles)),
                    (NyandInterfaces.daemon, reload),
                ]))
        publishers = [
            PlayerPublisher(
                connection: connection, hub: parts.hub, trackList: parts.trackListPublisher(on: connection),
                snapshot: snapshot, takeJump: { parts.player.takeJump() }),
            DownloadsPublisher(
                connection: connection, downloads: parts.downloads, hub: parts.hub, time: parts.time, paces: paces),
            parts.playlistsPublisher(on: connection),
        ]
        publishers += parts.libraryPublishers(on: connection)
    }

    private func doctor() -> DoctorService {
        parts.makeDoctor(
            on: connection, settingsPath: settingsPath, mustExist: settingsMustExist,
            playerName: { [weak self] in self?.playerName ?? Names.mpris })
    }

    private func own(_ name: String) throws(BusError) {
        guard try connection.requestName(name) == .exists else { return }
        let holder = (try? connection.processIDBlocking(of: name)).map { " as process \($0)" } ?? ""
        ExitCode.stop(.nameTaken, "nyand is already running on this bus\(holder)")
    }

    /// Somebody else may have the plain name; then ours carries the process id (mpris.md §1).
    private func ownMPRIS() throws(BusError) {
        if try connection.requestName(Names.mpris) == .exists {
            let name = "\(Names.mpris).instance\(getpid())"
            log.warning("\(Names.mpris) is taken; the player is \(name)")
            _ = try connection.requestName(name)
            playerName = name
        }
    }

    /// What may take long or need the network: nothing waits for it.
    private func begin() async {
        parts.watchKeyring(on: connection)
        parts.watchDesktop(on: connection)
        // A keyring may take its time.
        Task.onMain { [parts] in await parts.scrobbles.start() }
        await parts.restore()
        parts.warmUp()
        parts.watchSleep()
        parts.watchNetwork()
        await parts.account.ready()
        parts.warmUpNetwork()
        scheduleSync(firstAfter: .seconds(2))
    }

    private func signedIn() {
        parts.loginHeld()
        Task.onMain { [self] in _ = try? await parts.library.sync() }
        scheduleSync(firstAfter: parts.settings.syncInterval ?? .seconds(1800))
    }

    private func scheduleSync(firstAfter first: Duration) {
        parts.periodicSync.start(interval: parts.settings.syncInterval, firstAfter: first)
    }

    private func setOfflineMode(_ on: Bool) async throws(Failure) {
        try await parts.setOfflineMode(on)
        if !on && parts.account.isSignedIn { Task.onMain { [self] in _ = try? await parts.library.sync() } }
    }

    /// Reads the settings file again. One that is wrong changes nothing; it is logged and thrown.
    func reload() throws(Failure) {
        ServiceNotice.reloading()
        // Also where the file is wrong: what was right before goes on.
        defer { ServiceNotice.send("READY=1") }
        let fresh: Settings
        do throws(SettingsError) {
            fresh = try SettingsFile.read(settingsPath, mustExist: settingsMustExist)
        } catch {
            log.error("the settings stay as they were: \(settingsPath): \(error.description)")
            throw Failure(.badArgument, "\(settingsPath): \(error.description)")
        }
        let waiting = parts.take(fresh)
        scheduleSync(firstAfter: parts.settings.syncInterval ?? .seconds(1800))
        let rest = waiting.isEmpty ? "" : "; these wait for a restart: \(waiting.joined(separator: ", "))"
        log.notice("settings read again\(rest)")
        tellKeysWithoutEffect()
    }

    /// Each once, until the program ends.
    private func tellKeysWithoutEffect() {
        for key in parts.settings.keysWithoutEffect where toldKeys.insert(key).inserted {
            log.warning("\(key) has no effect yet")
        }
    }

    private func nameLost(_ name: String) {
        guard !isStopping else { return }
        log.error("the name \(name) was taken away; stopping")
        stop()
    }

    /// Without a bus nobody can see or steer us: save and end. Not with 3, which means that there is none to begin
    /// with: the unit starts us again, on the bus that takes its place (docs/decisions/0028).
    private func busIsGone() {
        guard !isStopping else { return }
        log.error("the session bus is gone; nyand saves queue and position, ends, and needs a bus to start again")
        stop(.failed)
    }

    /// Everything is saved and let go within three seconds, whatever hangs (CONTRACT.md §1).
    func stop(_ code: ExitCode = .asked) {
        guard !isStopping else { return }
        isStopping = true
        ServiceNotice.send("STOPPING=1\nSTATUS=Saves the queue and the position")
        DispatchQueue.global().asyncAfter(deadline: .now() + 2.5) { @Sendable in _exit(code.rawValue) }
        Task.onMain { [self] in
            await parts.shutDown()
            connection.flush()
            ExitCode.leave(code)
        }
    }
}
