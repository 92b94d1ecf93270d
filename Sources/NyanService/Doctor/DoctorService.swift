public import NyanCore
import NyanDBus

/// Looks at everything a person could have to mend, all at once, each part within its own time.
///
/// Harmless: no sound is made, nothing is unlocked or asked of the person, one small request goes out, and none where
/// offline mode is on.
public final class DoctorService {
    /// Where the facts come from. Each is asked once an examination.
    public struct Sources {
        public var sound: any SoundExaminer
        public var keyring: () async -> KeyringState
        public var rooms: any RoomSource
        public var folders: any FolderExaminer
        /// The folders of the queue's database and of the stream cache.
        public var stateFolder: String
        public var cacheFolder: String
        public var unit: () async -> UnitFacts
        public var names: () -> NameFacts
        public var settings: () async -> SettingsFacts
        public var trouble: () -> TroubleFacts
        /// Seconds until the login ends for good.
        public var loginEndsIn: () -> Int64?
        /// Where VK's API is.
        public var address: () -> String
        public var keyringSetting: () -> Settings.AccountStore

        public init(
            sound: any SoundExaminer, keyring: @escaping () async -> KeyringState, rooms: any RoomSource,
            folders: any FolderExaminer, stateFolder: String, cacheFolder: String,
            unit: @escaping () async -> UnitFacts, names: @escaping () -> NameFacts,
            settings: @escaping () async -> SettingsFacts, trouble: @escaping () -> TroubleFacts,
            loginEndsIn: @escaping () -> Int64?, address: @escaping () -> String,
            keyringSetting: @escaping () -> Settings.AccountStore
        ) {
            self.sound = sound
            self.keyring = keyring
            self.rooms = rooms
            self.folders = folders
            self.stateFolder = stateFolder
            self.cacheFolder = cacheFolder
            self.unit = unit
            self.names = names
            self.settings = settings
            self.trouble = trouble
            self.loginEndsIn = loginEndsIn
            self.address = address
            self.keyringSetting = keyringSetting
        }
    }

    /// What hangs longer is told as hanging.
    static let limit: Duration = .seconds(4)
    static let networkLimit: Duration = .seconds(5)

    private let sources: Sources
    private let account: AccountService
    private let connectivity: Connectivity
    private let http: any HTTPClient
    private let time: any TimeSource
    /// Who asks meanwhile is told the same.
    private var running: Task<[Finding], Never>?
    /// Parts that have not come to their end yet, by their first check: one that hangs is waited for, not begun again.
    private var parts: [Finding.Check: Task<[Finding], Never>] = [:]

    public init(
        _ sources: Sources, account: AccountService, connectivity: Connectivity, http: any HTTPClient,
        time: any TimeSource
    ) {
        self.sources = sources
        self.account = account
        self.connectivity = connectivity
        self.http = http
        self.time = time
    }

    /// The lines, always in the same order and never later than a second after the longest limit.
    public func examine() async -> [Finding] {
        if let running { return await running.value }
        let task = Task.onMain { [self] in await look() }
        running = task
        defer { running = nil }
        return await task.value
    }

    private func look() async -> [Finding] {
        let sources = sources
        let sound = begin([.pieces, .mp3, .aac, .flac, .sink, .server]) {
            Diagnosis.sound(await sources.sound.examineSound())
        }
        let keyring = begin([.keyring]) { [self] in
            [Diagnosis.keyring(await keyringFacts())]
        }
        let network = begin([.network], within: Self.networkLimit + .milliseconds(500)) { [self] in
            [Diagnosis.network(await networkFacts())]
        }
        let disks = begin([.music, .library]) { await Self.diskLines(sources.rooms) }
        let state = begin([.state]) {
            [Diagnosis.disk(.state, sources.stateFolder, await sources.folders.room(in: sources.stateFolder))]
        }
        let cache = begin([.cache]) {
            [Diagnosis.disk(.cache, sources.cacheFolder, await sources.folders.room(in: sources.cacheFolder))]
        }
        let unit = begin([.unit, .activation]) { Diagnosis.unit(await sources.unit()) }
        let settings = begin([.settings]) { [Diagnosis.settings(await sources.settings())] }
        let who = begin([.account]) { [self] in
            await account.ready()
            return [
                Diagnosis.account(
                    AccountFacts(
                        account: account.account, problem: account.problem, endsIn: sources.loginEndsIn()))
            ]
        }
        var findings = Diagnosis.names(sources.names())
        for part in [sound, keyring, who, network, disks, state, cache, unit, settings] { findings += await part.value }
        findings.append(Diagnosis.trouble(sources.trouble()))
        return findings
    }

    /// Begins one part; where it takes too long, its lines say that.
    private func begin(
        _ checks: [Finding.Check], within limit: Duration = DoctorService.limit,
        _ work: @escaping @MainActor () async -> [Finding]
    ) -> Task<[Finding], Never> {
        let task =
            parts[checks[0]]
            ?? Task.onMain { [self] in
                let lines = await work()
                parts[checks[0]] = nil
                return lines
            }
        parts[checks[0]] = task
        return Task.onMain { [time] in
            if let lines = await LimitedWait.value(of: task, within: limit, by: time) { return lines }
            return checks.map { Diagnosis.late($0, seconds: Int(limit.components.seconds)) }
        }
    }

    private func keyringFacts() async -> KeyringFacts {
        let setting = sources.keyringSetting()
        let place = await account.credentials.place
        // Where it is not used it is left alone.
        let state = setting == .file ? .absent : await sources.keyring()
        return KeyringFacts(setting: setting, state: state, place: place)
    }

    /// Any answer will do, and none takes longer than the limit.
    private func networkFacts() async -> NetworkFacts {
        guard !connectivity.isOfflineMode else { return .offlineMode }
        let address = sources.address()
        let begin = time.now
        let request = HTTPRequest(.get, url: Secret(address), timeout: Self.networkLimit, maxBytes: 1 << 20)
        do throws(Failure) {
            _ = try await http.send(request)
            connectivity.succeeded()
            let taken = (time.now - begin) / .milliseconds(1)
            return .answered(host: Self.host(of: address), milliseconds: Int(taken))
        } catch {
            connectivity.failed(error)
            return .failed(error)
        }
    }

    /// `api.vk.ru` of an address; a name and password in it stay where they are.
    private static func host(of address: String) -> String {
        let rest = address.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first ?? ""
        return String(rest.split(separator: "@").last ?? rest)
    }

    private static func diskLines(_ rooms: any RoomSource) async -> [Finding] {
        await rooms.rooms().map { Diagnosis.disk($0.purpose == .music ? .music : .library, $0.folder, $0.room) }
    }
}
