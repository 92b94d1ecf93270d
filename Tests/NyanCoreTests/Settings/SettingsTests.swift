import Testing

@testable import NyanCore

@Suite("Settings") struct SettingsTests {
    private func build(_ entries: (String, String, String)...) throws(SettingsError) -> Settings {
        try Settings.build(
            from: entries.enumerated().map {
                SettingEntry(group: $1.0, key: $1.1, value: $1.2, line: $0 + 1)
            })
    }

    /// What a key file reader makes of a text, as far as these tests need.
    private func entries(_ text: String) -> [SettingEntry] {
        var group = ""
        var entries: [SettingEntry] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("[") { group = String(line.dropFirst().dropLast()) }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard !line.hasPrefix("#"), !line.hasPrefix("["), parts.count == 2 else { continue }
            entries.append(
                SettingEntry(group: group, key: String(parts[0]), value: String(parts[1]), line: number + 1))
        }
        return entries
    }

    @Test("No file means the documented defaults") func hasDefaults() throws {
        let settings = try Settings.build(from: [])
        #expect(settings == .defaults)
        #expect(settings.apiURL == "https://api.vk.ru/method" && settings.oauthURL == "https://oauth.vk.ru")
        #expect(settings.loginURL == "https://login.vk.ru" && settings.profile == "web")
        #expect(settings.minInterval == .milliseconds(400) && settings.syncInterval == .seconds(1800))
        #expect(settings.accountStore == .auto && settings.audioSink == "auto" && settings.replayGain == .off)
        #expect(settings.onOutputLost == .pause && settings.downloadsDirectory == nil && settings.parallel == 3)
        #expect(settings.fileNameTemplate == "{artist} - {title}" && settings.rateLimit == nil)
        #expect(settings.cacheSize == 1 << 30 && settings.proxy == nil)
        #expect(!settings.inhibitSleep && !settings.notify && !settings.broadcast)
        #expect(Set(settings.profiles.keys) == ["web", "android", "kate", "marusia"])
        #expect(settings.profiles.values.allSatisfy { $0.clientSecret == nil && $0.client.apiURL == settings.apiURL })
    }

    @Test("The default file reads back to the defaults and names every key") func printsDefaults() throws {
        let found = entries(Settings.commentedDefaults)
        #expect(found.map { "\($0.group).\($0.key)" } == SettingKey.all.map(\.path))
        #expect(try Settings.build(from: found) == .defaults)
        #expect(Set(SettingKey.all.map(\.path)).count == SettingKey.all.count)
        for key in SettingKey.all {
            #expect(key.help.hasSuffix(".") && !key.help.contains("\n"))
            // Set to its default alone: proves that no default is refused.
            #expect(
                try Settings.build(from: [.init(group: key.group, key: key.name, value: key.defaultText)]) == .defaults)
        }
    }

    @Test("Values get their types") func readsValues() throws {
        let settings = try build(
            ("vk", "api-url", "http://127.0.0.1:8080/method/"), ("vk", "profile", "android"),
            ("vk", "min-interval-ms", "0"), ("vk", "sync-interval", "off"), ("account", "store", "file"),
            ("audio", "sink", "fakesink sync=true"), ("audio", "replaygain", "album"),
            ("audio", "on-output-lost", "continue"), ("downloads", "directory", "~/Music"),
            ("downloads", "parallel", "16"), ("downloads", "file-name", "{title} {id}"),
            ("downloads", "rate-limit", "500k"), ("cache", "size", "0"), ("network", "proxy", "http://u:p@h:1"),
            ("desktop", "inhibit-sleep", "yes"), ("desktop", "notify", "1"), ("vk", "broadcast", "true"))
        #expect(settings.apiURL == "http://127.0.0.1:8080/method" && settings.profile == "android")
        #expect(settings.profiles["web"]?.client.apiURL == "http://127.0.0.1:8080/method")
        #expect(settings.minInterval == .zero && settings.syncInterval == nil && settings.accountStore == .file)
        #expect(settings.audioSink == "fakesink sync=true" && settings.replayGain == .album)
        #expect(settings.onOutputLost == .continue && settings.downloadsDirectory == "~/Music")
        #expect(settings.parallel == 16 && settings.rateLimit == 512_000 && settings.cacheSize == 0)
        #expect(settings.proxy?.revealed == "http://u:p@h:1" && !"\(settings)".contains("u:p"))
        #expect(settings.inhibitSleep && settings.notify && settings.broadcast)
    }

    @Test("The last of repeated keys counts") func takesLast() throws {
        #expect(try build(("downloads", "parallel", "2"), ("downloads", "parallel", "5")).parallel == 5)
    }

    @Test("A profile of one's own is added, a built-in one overridden") func readsProfiles() throws {
        let settings = try build(
            ("vk", "profile", "mine"), ("profile.mine", "user-agent", "Mine/1"), ("profile.mine", "version", "5.199"),
            ("profile.mine", "client-id", "42"), ("profile.mine", "client-secret", "hush"),
            ("profile.web", "user-agent", "Mozilla/5.0 mine"))
        let mine = settings.profiles["mine"]
        #expect(mine?.client == settings.clientProfile(named: "mine"))
        #expect(mine?.client.userAgent == "Mine/1" && mine?.client.version == "5.199" && mine?.client.clientID == "42")
        #expect(mine?.clientSecret?.revealed == "hush" && mine?.scope == "audio,offline")
        #expect(mine?.client.apiURL == settings.apiURL)
        #expect(settings.profiles["web"]?.client.userAgent == "Mozilla/5.0 mine")
        #expect(settings.profiles["web"]?.client.headers["Origin"] == "https://vk.ru")
        #expect(!"\(settings)".contains("hush"))
    }

    private static let bad: [(String, String, String, String)] = [
        ("vk", "api-url", "ftp://x/y", "http"), ("vk", "api-url", "api.vk.ru", "http"), ("vk", "api-url", "", "http"),
        ("vk", "api-url", "https://h/x?y", "http"), ("vk", "profile", "nope", "android, kate, marusia, web"),
        ("vk", "profile", "", "name of a profile"), ("vk", "min-interval-ms", "-1", "0 to 60000"),
        ("vk", "min-interval-ms", "+1", "0 to"), ("vk", "sync-interval", "30", "time"),
        ("vk", "sync-interval", "0s", "1s"), ("vk", "sync-interval", "soon", "time"),
        ("account", "store", "vault", "auto, keyring or file"), ("audio", "sink", "", "empty"),
        ("audio", "replaygain", "loud", "off, track or album"), ("downloads", "directory", "Music", "absolute"),
        ("downloads", "parallel", "0", "1 to 16"), ("downloads", "parallel", "17", "1 to 16"),
        ("downloads", "parallel", "3.5", "1 to 16"), ("downloads", "file-name", "{artist}", "{title}"),
        ("downloads", "rate-limit", "12", "1k"), ("downloads", "rate-limit", "fast", "size"),
        ("cache", "size", "-1G", "size"), ("cache", "size", "99999999999999999999", "size"),
        ("desktop", "notify", "maybe", "true or false"), ("desktop", "paralel", "3", "not a known key"),
        ("nope", "x", "3", "group"), ("download", "parallel", "3", "downloads.parallel"),
        ("profile.x/y", "version", "5.1", "name of a profile"), ("profile.web", "version", "new", "API version"),
        ("profile.web", "user-agent", "a\u{0D}\u{0A}b", "control"), ("profile.web", "user-agent", "", "must be set"),
        ("profile.mine", "user-agent", "x", "must be set"), ("profile.web", "agent", "x", "not a known key"),
        ("profile.web", "client-id", "abc", "number"),
    ]

    @Test("A bad value or key names line and key and says what is wanted", arguments: bad)
    func refuses(group: String, key: String, value: String, words: String) {
        do throws(SettingsError) {
            _ = try build(("downloads", "parallel", "3"), (group, key, value))
            Issue.record("accepted")
        } catch {
            #expect(error.line == 2)
            #expect(error.key.hasPrefix(group) && error.message.contains(words), "\(error)")
            #expect(error.description.hasPrefix("line 2: \(group)."))
        }
    }

    @Test(
        "Times are read with their units",
        arguments: [
            ("90s", 90.0), ("30min", 1800), ("30m", 1800), ("1h", 3600), ("1h30min", 5400), ("1h 30min", 5400),
            ("2d", 172_800), ("500ms", 0.5), ("5 min", 300),
        ])
    func readsTimes(text: String, seconds: Double) throws {
        #expect(try SettingValue.time(text) == .seconds(seconds))
    }

    @Test(
        "What is no time is refused", arguments: ["", "s", "1", "1x", "-1s", "1.5h", "99999999999999999999s", "1h30"])
    func refusesTimes(text: String) {
        #expect(throws: SettingProblem.self) { _ = try SettingValue.time(text) }
    }

    @Test(
        "Sizes count by 1024",
        arguments: [("0", 0), ("12", 12), ("500k", 512_000), ("10M", 10_485_760), ("1G", 1 << 30), ("2 GiB", 2 << 30)])
    func readsSizes(text: String, bytes: Int64) throws { #expect(try SettingValue.size(text) == bytes) }

    @Test("A reload tells which changes need a restart") func tellsRestart() throws {
        let old = Settings.defaults
        let new = try build(
            ("downloads", "parallel", "5"), ("vk", "api-url", "https://api.vk.com/method"), ("audio", "sink", "x"))
        #expect(new.keysNeedingRestart(comparedWith: old) == ["vk.api-url", "audio.sink"])
        #expect(old.keysNeedingRestart(comparedWith: old).isEmpty)
    }

    @Test("Keys that nothing acts upon yet are told once they are set, and the default file says which they are")
    func tellsNoEffect() throws {
        let all: [String] = []
        #expect(SettingKey.all.filter { !$0.hasEffect }.map(\.path) == all)
        #expect(Settings.defaults.keysWithoutEffect.isEmpty)
        let set = try build(
            ("vk", "oauth-url", "https://o.test"), ("vk", "login-url", "https://l.test"), ("vk", "broadcast", "true"),
            ("audio", "replaygain", "track"), ("desktop", "inhibit-sleep", "on"), ("desktop", "notify", "on"),
            ("downloads", "parallel", "5"))
        #expect(set.keysWithoutEffect == all)
        let lines = Settings.commentedDefaults.split(separator: "\n").map(String.init)
        for key in SettingKey.all {
            let place = try #require(lines.firstIndex { $0.hasPrefix("\(key.name)=") })
            #expect(lines[place - 1].hasSuffix("(no effect yet)") == !key.hasEffect)
            #expect(lines[place - 1].hasSuffix("(needs a restart)") == (key.hasEffect && !key.isReloadable))
        }
    }
}
