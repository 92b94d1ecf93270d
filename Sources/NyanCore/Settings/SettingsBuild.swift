/// One line of a settings file, as a key file reader gives it.
public struct SettingEntry: Sendable, Equatable {
    public var group: String
    public var key: String
    /// Blanks at both ends removed.
    public var value: String
    /// From 1; nil when unknown.
    public var line: Int?
    public init(group: String, key: String, value: String, line: Int? = nil) {
        self.group = group
        self.key = key
        self.value = value
        self.line = line
    }
}

/// What is wrong with a settings file. Never holds the value: it may be a secret.
public struct SettingsError: Error, Sendable, Equatable, CustomStringConvertible {
    public var line: Int?
    /// `group.name`.
    public var key: String
    /// Words that follow the key.
    public var message: String
    public init(line: Int?, key: String, message: String) {
        self.line = line
        self.key = key
        self.message = message
    }
    public var description: String { (line.map { "line \($0): " } ?? "") + "\(key) \(message)" }
}

extension Settings {
    /// The settings a file's entries make, on top of the defaults; a repeated key keeps its last value.
    public static func build(from entries: [SettingEntry]) throws(SettingsError) -> Settings {
        var settings = Settings.defaults
        var profileLine: Int?
        for entry in entries {
            let path = "\(entry.group).\(entry.key)"
            do throws(SettingProblem) {
                if entry.group.hasPrefix("profile.") {
                    try settings.setProfile(String(entry.group.dropFirst("profile.".count)), entry.key, entry.value)
                } else if let key = SettingKey.find(group: entry.group, name: entry.key) {
                    try key.set(&settings, entry.value)
                } else {
                    throw SettingProblem(unknown(entry))
                }
            } catch {
                throw SettingsError(line: entry.line, key: path, message: error.words)
            }
            if path == "vk.profile" { profileLine = entry.line }
        }
        settings.addressProfiles()
        try settings.checkProfiles(entries, profileLine)
        return settings
    }

    private mutating func setProfile(_ name: String, _ key: String, _ value: String) throws(SettingProblem) {
        let name = try SettingKey.profileName(name)
        var profile =
            profiles[name]
            ?? ProfileSettings(
                client: ClientProfile(name: name, userAgent: "", version: "", apiURL: ""),
                scope: ProfileSettings.defaultScope)
        guard !value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw SettingProblem("must not hold control characters")
        }
        switch key {
        case "user-agent": profile.client.userAgent = value
        case "version":
            guard !value.isEmpty, value.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }) else {
                throw SettingProblem("must be an API version such as 5.131")
            }
            profile.client.version = value
        case "client-id":
            guard value.utf8.allSatisfy({ (48...57).contains($0) }) else { throw SettingProblem("must be a number") }
            profile.client.clientID = value.isEmpty ? nil : value
        case "client-secret": profile.clientSecret = value.isEmpty ? nil : Secret(value)
        case "scope": profile.scope = value
        default: throw SettingProblem("is not a known key")
        }
        profiles[name] = profile
    }

    /// A profile is used whole: one of your own needs both User-Agent and version (vk-api.md §0.2).
    private func checkProfiles(_ entries: [SettingEntry], _ profileLine: Int?) throws(SettingsError) {
        for (name, profile) in profiles.sorted(by: { $0.key < $1.key }) {
            for (value, key) in [(profile.client.userAgent, "user-agent"), (profile.client.version, "version")]
            where value.isEmpty {
                let line = entries.last { $0.group == "profile.\(name)" }?.line
                throw SettingsError(line: line, key: "profile.\(name).\(key)", message: "must be set")
            }
        }
        guard profiles[profile] != nil else {
            let names = profiles.keys.sorted().joined(separator: ", ")
            throw SettingsError(line: profileLine, key: "vk.profile", message: "must be one of \(names)")
        }
    }

    private static func unknown(_ entry: SettingEntry) -> String {
        if let other = SettingKey.all.first(where: { $0.name == entry.key }) {
            return "is not a known key; there is \(other.path)"
        }
        let isGroup = SettingKey.all.contains { $0.group == entry.group }
        return isGroup ? "is not a known key" : "is not a known key, nor is its group"
    }

    /// The default file: every key with its help and its default, as `nyand --print-default-config` writes it.
    public static var commentedDefaults: String {
        var text = "# Settings of nyand. What is not set here has the value shown.\n"
        var group = ""
        for key in SettingKey.all {
            if key.group != group {
                group = key.group
                text += "\n[\(group)]\n"
            }
            text += "# \(key.note)\n\(key.name)=\(key.defaultText)\n"
        }
        return text + """

            # A client profile of your own, or other values for a built-in one (web, android, marusia, kate).
            #[profile.NAME]
            #user-agent=
            #version=5.131
            #client-id=
            #client-secret=
            #scope=\(ProfileSettings.defaultScope)

            """
    }
}
