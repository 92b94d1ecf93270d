import Glibc
import NyanAudio
import NyanCore
import NyanDBus
import NyanService
import NyanStore
import NyanWire

/// Where `nyanctl doctor` has its facts from.
extension Composition {
    /// `playerName`: the name the player has on the bus.
    func makeDoctor(
        on connection: Connection, settingsPath: String, mustExist: Bool, playerName: @escaping () -> String
    ) -> DoctorService {
        let look = FolderLook()
        let sources = DoctorService.Sources(
            sound: engine, keyring: { await KeyringLook(connection).state() },
            rooms: FolderRooms(music: music, growing: places.unfinishedFolder), folders: look,
            stateFolder: places.state, cacheFolder: places.streamFolder,
            unit: { await look.unit(environment: Self.unitEnvironment) },
            names: {
                let name = playerName()
                return NameFacts(
                    processID: getpid(), version: Names.version, mpris: name, isPlain: name == Names.mpris)
            },
            settings: { [unowned self] in await settingsFacts(settingsPath, mustExist: mustExist, look) },
            trouble: { [unowned self] in troubleFacts() },
            loginEndsIn: { [unowned self] in loginEnds.map { $0 - Int64(Glibc.time(nil)) } },
            address: { [unowned self] in settings.apiURL },
            keyringSetting: { [unowned self] in settings.accountStore })
        return DoctorService(
            sources, account: account, connectivity: connectivity, http: session, time: time)
    }

    /// What says where units and service files are.
    private static var unitEnvironment: [String: String] {
        let names = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_DATA_DIRS"]
        let pairs = names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// What the settings file says now, beside what was read.
    private func settingsFacts(_ path: String, mustExist: Bool, _ look: FolderLook) async -> SettingsFacts {
        var facts = SettingsFacts(path: path, isThere: await look.isThere(path))
        facts.withoutEffect = settings.keysWithoutEffect
        switch await look.settings(path, mustExist: mustExist) {
        case .success(let fresh): facts.isChanged = fresh != settings
        case .failure(let error): facts.mistake = error.description
        }
        return facts
    }

    private func troubleFacts() -> TroubleFacts {
        let logged = log.lastTrouble.line.map { line in
            (level: "\(line.level)", text: line.text, secondsAgo: max(0, LastTrouble.now - line.moment))
        }
        return TroubleFacts(problem: problem(of: player.state), logged: logged)
    }
}
