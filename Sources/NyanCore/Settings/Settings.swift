/// Everything a person can set, with types (CONTRACT.md §3). The file's text is read elsewhere.
public struct Settings: Sendable, Equatable {
    public enum AccountStore: String, Sendable, CaseIterable { case auto, keyring, file }
    public enum OutputLost: String, Sendable, CaseIterable { case pause, `continue` }

    /// Base of API calls, without a slash at the end.
    public var apiURL = ""
    public var oauthURL = ""
    public var loginURL = ""
    /// Name of the client profile of a login that names none; always in `profiles`.
    public var profile = ""
    /// Least time between two API calls.
    public var minInterval: Duration = .zero
    /// nil = only when asked to.
    public var syncInterval: Duration?
    /// Show the current track in the VK status.
    public var broadcast = false
    public var accountStore = AccountStore.auto
    /// `auto`, or a GStreamer sink description.
    public var audioSink = ""
    public var replayGain = GainMode.off
    public var onOutputLost = OutputLost.pause
    /// As written: absolute or starting with `~/`; nil = `Nyan Tunes` in the person's music folder.
    public var downloadsDirectory: String?
    /// Transfers at once, 1…16.
    public var parallel = 1
    public var fileNameTemplate = ""
    /// Bytes a second for all downloads together; nil = no limit.
    public var rateLimit: Int?
    /// Ceiling of the stream cache, in bytes.
    public var cacheSize: Int64 = 0
    /// As libcurl takes it; may hold a password. nil = the environment decides.
    public var proxy: Secret?
    public var inhibitSleep = false
    public var notify = false
    /// Bases of the scrobbling sites' interfaces, without a slash at the end.
    public var listenBrainzURL = ""
    public var lastFMURL = ""
    /// Built-in profiles and those of the file, by name.
    public var profiles: [String: ProfileSettings] = [:]

    /// What a file without a word means.
    public static let defaults: Settings = {
        var settings = Settings()
        settings.profiles = ProfileSettings.builtIn
        for key in SettingKey.all {
            // A default that its own key refuses is caught by the tests.
            try? key.set(&settings, key.defaultText)
        }
        settings.addressProfiles()
        return settings
    }()

    private init() {}

    /// The client profile of this name, ready for a credential; nil when there is none.
    public func clientProfile(named name: String) -> ClientProfile? { profiles[name]?.client }

    /// Keys (`group.name`) whose values differ and that take effect only after a restart.
    public func keysNeedingRestart(comparedWith old: Settings) -> [String] {
        SettingKey.all.filter { !$0.isReloadable && $0.hasEffect && $0.differs(self, old) }.map(\.path)
    }

    /// Keys (`group.name`) that are set to something else than their default, and that nothing acts upon yet.
    public var keysWithoutEffect: [String] {
        SettingKey.all.filter { !$0.hasEffect && $0.differs(self, .defaults) }.map(\.path)
    }

    /// Every profile speaks to the addresses that `vk.api-url`, `vk.oauth-url` and `vk.login-url` name.
    mutating func addressProfiles() {
        for name in profiles.keys {
            profiles[name]?.client.apiURL = apiURL
            profiles[name]?.client.oauthURL = oauthURL
            profiles[name]?.client.loginURL = loginURL
        }
    }
}

/// One `[profile.NAME]`: a client profile and what a login with it needs (vk-api.md §1.3, §1.9).
public struct ProfileSettings: Sendable, Equatable {
    public var client: ClientProfile
    /// Never built in: VK's own secrets are the person's to supply.
    public var clientSecret: Secret?
    public var scope: String

    public init(client: ClientProfile, clientSecret: Secret? = nil, scope: String) {
        self.client = client
        self.clientSecret = clientSecret
        self.scope = scope
    }

    static let builtIn: [String: ProfileSettings] = {
        let browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
        let profiles = [
            make("web", browser, "5.282", "6287487", ["Origin": "https://vk.ru", "Referer": "https://vk.ru/"]),
            make(
                "android",
                "VKAndroidApp/8.50-17564 (Android 13; SDK 33; arm64-v8a; Google Pixel 7; ru; 1080x2400)", "5.131",
                "2274003", ["X-VK-Android-Client": "new"]),
            make(
                "kate",
                "KateMobileAndroid/56 lite-460 (Android 4.4.2; SDK 19; x86; unknown Android SDK built for x86; en)",
                "5.131", "2685278", [:]),
            // No source names Marusia's User-Agent; a login through a browser view is what its clients do.
            make("marusia", browser, "5.131", "6463690", [:]),
        ]
        return Dictionary(uniqueKeysWithValues: profiles.map { ($0.client.name, $0) })
    }()

    private static func make(
        _ name: String, _ userAgent: String, _ version: String, _ clientID: String, _ headers: [String: String]
    ) -> ProfileSettings {
        let client = ClientProfile(
            name: name, userAgent: userAgent, version: version, apiURL: "", headers: headers, clientID: clientID)
        return ProfileSettings(client: client, scope: defaultScope)
    }

    static let defaultScope = "audio,offline"
}
