/// What GStreamer has here, and where the sound goes.
public struct SoundFacts: Sendable, Equatable {
    /// Whether a kind of sound can be decoded.
    public struct Decoder: Sendable, Equatable {
        public var check: Finding.Check
        /// `MP3`, `AAC`, `FLAC`.
        public var name: String
        /// The element that decodes it here.
        public var element: String?
        /// What is missing for it; nil = nothing.
        public var missing: MissingElement?
        public init(_ check: Finding.Check, name: String, element: String?, missing: MissingElement?) {
            self.check = check
            self.name = name
            self.element = element
            self.missing = missing
        }
    }

    public enum Server: Sendable, Equatable {
        case answers, refuses
        /// It takes the call and says nothing.
        case silent
        /// There is no element to ask with.
        case cannotBeAsked(MissingElement)
        /// The sink of the settings does not go through it.
        case notAsked
    }

    /// Why GStreamer does not start at all.
    public var trouble: String?
    /// What every sound needs and is not there.
    public var missing: [MissingElement] = []
    public var decoders: [Decoder] = []
    /// The setting `audio.sink`.
    public var sink: String
    /// Why the sink of the settings cannot be made; nil = it can.
    public var sinkTrouble: String?
    public var server = Server.notAsked
    /// The kernel knows a sound card.
    public var hasCard = false
    /// What became of the output when it was used last.
    public var output = AudioOutput.ok

    public init(sink: String) { self.sink = sink }
}

/// The Secret Service, as far as it can be seen without asking the person anything.
public enum KeyringState: Sendable, Equatable {
    case absent
    /// Nobody runs it now; the bus starts it when it is needed.
    case startable
    case unlocked, locked
    /// It runs and has no keyring of its own yet.
    case empty
    case silent
}

public struct AccountFacts: Sendable, Equatable {
    public var account: Account?
    /// What VK or the secret store has against it.
    public var problem: Failure?
    /// Seconds until the login ends for good; nil = no end is known.
    public var endsIn: Int64?
    public init(account: Account?, problem: Failure? = nil, endsIn: Int64? = nil) {
        self.account = account
        self.problem = problem
        self.endsIn = endsIn
    }
}

public struct KeyringFacts: Sendable, Equatable {
    public var setting: Settings.AccountStore
    public var state: KeyringState
    /// Where the login is or would go: `keyring` or `file`.
    public var place: String
    public init(setting: Settings.AccountStore, state: KeyringState, place: String) {
        self.setting = setting
        self.state = state
        self.place = place
    }
}

public enum NetworkFacts: Sendable, Equatable {
    case offlineMode
    case answered(host: String, milliseconds: Int)
    case failed(Failure)
}

public struct NameFacts: Sendable, Equatable {
    /// Of this daemon.
    public var processID: Int32
    public var version: String
    /// The MPRIS name that is ours, and whether it is the plain one.
    public var mpris: String
    public var isPlain: Bool
    public init(processID: Int32, version: String, mpris: String, isPlain: Bool) {
        self.processID = processID
        self.version = version
        self.mpris = mpris
        self.isPlain = isPlain
    }
}

public struct SettingsFacts: Sendable, Equatable {
    public var path: String
    public var isThere: Bool
    /// What is wrong with what the file says now.
    public var mistake: String?
    /// It says something else than when it was read.
    public var isChanged = false
    /// Keys that nothing acts upon.
    public var withoutEffect: [String] = []
    public init(path: String, isThere: Bool) {
        self.path = path
        self.isThere = isThere
    }
}

/// What went wrong: now, and last of all in the log.
public struct TroubleFacts: Sendable, Equatable {
    public var problem: Failure?
    /// A line of the log, `warning` or `error`, and how many seconds ago it was written.
    public var logged: (level: String, text: String, secondsAgo: Int)?
    public init(problem: Failure?, logged: (level: String, text: String, secondsAgo: Int)?) {
        self.problem = problem
        self.logged = logged
    }
    public static func == (a: TroubleFacts, b: TroubleFacts) -> Bool {
        a.problem == b.problem && a.logged?.text == b.logged?.text && a.logged?.secondsAgo == b.logged?.secondsAgo
    }
}
