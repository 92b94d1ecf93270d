/// One key of the settings file: the table everything about settings is made from (file, checks, manual page).
public struct SettingKey: Sendable {
    public let group: String
    public let name: String
    public let defaultText: String
    /// One sentence for the default file and the manual.
    public let help: String
    /// Takes effect on reload (SIGHUP, `nyanctl reload`), else at the next start.
    public let isReloadable: Bool
    /// False where the key is read and checked, and nothing acts upon it yet.
    public let hasEffect: Bool
    /// Checks a text and puts its value into the settings.
    let set: @Sendable (inout Settings, String) throws(SettingProblem) -> Void
    /// Copies this key's value from one to another.
    let copy: @Sendable (Settings, inout Settings) -> Void

    /// `group.name`, as messages and CONTRACT.md write it.
    public var path: String { "\(group).\(name)" }

    /// The help with what else is to be known of the key.
    public var note: String {
        if !hasEffect { return help + " (no effect yet)" }
        return isReloadable ? help : help + " (needs a restart)"
    }

    /// Whether two settings have different values for this key.
    func differs(_ settings: Settings, _ other: Settings) -> Bool {
        // It does if setting it back would make a difference.
        var probe = settings
        copy(other, &probe)
        return probe != settings
    }

    init<Value>(
        _ group: String, _ name: String, _ defaultText: String, _ help: String, reloads: Bool, acts: Bool = true,
        _ field: any WritableKeyPath<Settings, Value> & Sendable,
        _ parse: @escaping @Sendable (String) throws(SettingProblem) -> Value
    ) {
        self.group = group
        self.name = name
        self.defaultText = defaultText
        self.help = help
        isReloadable = reloads
        hasEffect = acts
        set = { (settings, text) throws(SettingProblem) in settings[keyPath: field] = try parse(text) }
        copy = { source, target in target[keyPath: field] = source[keyPath: field] }
    }

    /// Every key, in the order of the default file.
    public static let all: [SettingKey] = vk + account + audio + downloads + rest

    public static func find(group: String, name: String) -> SettingKey? {
        all.first { $0.group == group && $0.name == name }
    }

    private static let vk: [SettingKey] = [
        SettingKey(
            "vk", "api-url", "https://api.vk.ru/method", "Base of API calls.", reloads: false, \.apiURL,
            SettingValue.address),
        SettingKey(
            "vk", "oauth-url", "https://oauth.vk.ru", "Token endpoint and authorize page.", reloads: false,
            \.oauthURL, SettingValue.address),
        SettingKey(
            "vk", "login-url", "https://login.vk.ru", "Token endpoint of web sessions.", reloads: false,
            \.loginURL, SettingValue.address),
        SettingKey(
            "vk", "profile", "web",
            "Client profile of a login that names none: web, android, marusia, kate (VK has switched its music off), "
                + "or one of your own.", reloads: true, \.profile, Self.profileName),
        SettingKey(
            "vk", "min-interval-ms", "400", "Least time between two API calls, in milliseconds.", reloads: true,
            \.minInterval
        ) { (text) throws(SettingProblem) in
            .milliseconds(try SettingValue.int(text, in: 0...60_000))
        },
        SettingKey(
            "vk", "sync-interval", "30min", "How often the profile is read anew: off, or a time such as 90s or 1h.",
            reloads: true, \.syncInterval, Self.syncInterval),
        SettingKey(
            "vk", "broadcast", "false", "Show the current track in your VK status.", reloads: true,
            \.broadcast, SettingValue.bool),
    ]

    private static let account: [SettingKey] = [
        SettingKey(
            "account", "store", "auto",
            "Where the login is kept: keyring (Secret Service), file, or auto: the keyring if there is one.",
            reloads: false, \.accountStore
        ) { (text) throws(SettingProblem) in
            try SettingValue.choice(text, Settings.AccountStore.self)
        }
    ]

    private static let audio: [SettingKey] = [
        SettingKey(
            "audio", "sink", "auto", "auto, or a GStreamer sink description such as pulsesink device=x.",
            reloads: false, \.audioSink
        ) { (text) throws(SettingProblem) in
            try notEmpty(text)
        },
        SettingKey(
            "audio", "replaygain", "off",
            "Even out loudness by ReplayGain: off, track or album; finished downloads without tags are measured.",
            reloads: true, \.replayGain
        ) { (text) throws(SettingProblem) in
            try SettingValue.choice(text, GainMode.self)
        },
        SettingKey(
            "audio", "on-output-lost", "pause", "When the output device goes away: pause or continue.", reloads: true,
            \.onOutputLost
        ) { (text) throws(SettingProblem) in
            try SettingValue.choice(text, Settings.OutputLost.self)
        },
    ]

    private static let downloads: [SettingKey] = [
        SettingKey(
            "downloads", "directory", "",
            "Where finished downloads go; empty: the folder Nyan Tunes in your music folder.", reloads: true,
            \.downloadsDirectory, Self.directory),
        SettingKey(
            "downloads", "parallel", "3", "Transfers at once, 1 to 16.", reloads: true, \.parallel
        ) {
            (text) throws(SettingProblem) in try SettingValue.int(text, in: 1...16)
        },
        SettingKey(
            "downloads", "file-name", "{artist} - {title}",
            "Names of files, made of {artist}, {title}, {album} and {id}.", reloads: true, \.fileNameTemplate,
            Self.template),
        SettingKey(
            "downloads", "rate-limit", "off", "Bytes a second for all downloads: off, or a size such as 500k or 2M.",
            reloads: true, \.rateLimit, Self.rateLimit),
    ]

    private static let rest: [SettingKey] = [
        SettingKey(
            "cache", "size", "1G", "Ceiling of the stream cache; never touches My Music.", reloads: true, \.cacheSize,
            SettingValue.size),
        SettingKey(
            "network", "proxy", "", "As curl's proxy, such as socks5h://localhost:1080; empty: the environment's.",
            reloads: false, \.proxy
        ) { (text) throws(SettingProblem) in
            text.isEmpty ? nil : Secret(text)
        },
        SettingKey(
            "desktop", "inhibit-sleep", "false", "Hold off suspend while playing.", reloads: true,
            \.inhibitSleep, SettingValue.bool),
        SettingKey(
            "desktop", "notify", "false", "Notify on track change and at the end of a batch of downloads.",
            reloads: true, \.notify, SettingValue.bool),
    ]
}

extension SettingKey {
    private static func notEmpty(_ text: String) throws(SettingProblem) -> String {
        guard !text.isEmpty else { throw SettingProblem("must not be empty") }
        return text
    }

    /// Letters, digits, `-`, `_` and `.`: it is part of a group's name.
    static func profileName(_ text: String) throws(SettingProblem) -> String {
        guard !text.isEmpty, text.utf8.count <= 64,
            text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
        else { throw SettingProblem("must be the name of a profile") }
        return text
    }

    private static func syncInterval(_ text: String) throws(SettingProblem) -> Duration? {
        if text == "off" { return nil }
        let time = try SettingValue.time(text)
        guard time >= .seconds(1), time <= .seconds(30 * 86_400) else {
            throw SettingProblem("must be off or from 1s to 30d")
        }
        return time
    }

    private static func rateLimit(_ text: String) throws(SettingProblem) -> Int? {
        if text == "off" { return nil }
        let bytes = try SettingValue.size(text)
        guard bytes >= 1024 else { throw SettingProblem("must be off or at least 1k") }
        return Int(bytes)
    }

    private static func directory(_ text: String) throws(SettingProblem) -> String? {
        if text.isEmpty { return nil }
        guard text.hasPrefix("/") || text == "~" || text.hasPrefix("~/"), !text.utf8.contains(0) else {
            throw SettingProblem("must be an absolute path, or start with ~/")
        }
        return text
    }

    private static func template(_ text: String) throws(SettingProblem) -> String {
        if let problem = FileName.problem(inTemplate: text) { throw SettingProblem(problem) }
        return text
    }
}
