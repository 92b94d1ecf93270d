import Glibc
public import NyanCore

/// Where things are kept: the XDG base directories with nyand's own folder in each (CONTRACT.md §2).
public struct Places: Sendable, Equatable {
    /// `$XDG_CONFIG_HOME/nyand`
    public var config: String
    /// `$XDG_DATA_HOME/nyand`
    public var data: String
    /// `$XDG_STATE_HOME/nyand`
    public var state: String
    /// `$XDG_CACHE_HOME/nyand`
    public var cache: String
    /// `$XDG_RUNTIME_DIR/nyand`, or inside `cache` where there is no runtime directory.
    public var runtime: String
    /// The home directory, for `music`.
    private var home: String
    private var configHome: String

    /// `environment`: the process's variables. Unset, empty and relative values count as unset, as the XDG
    /// specification says.
    public init(environment: [String: String]) {
        func absolute(_ name: String) -> String? {
            guard let value = environment[name], value.hasPrefix("/") else { return nil }
            return value.count > 1 && value.hasSuffix("/") ? String(value.dropLast()) : value
        }
        home = absolute("HOME") ?? Self.homeOfUser() ?? "/"
        configHome = absolute("XDG_CONFIG_HOME") ?? "\(home)/.config"
        config = "\(configHome)/nyand"
        data = "\(absolute("XDG_DATA_HOME") ?? "\(home)/.local/share")/nyand"
        state = "\(absolute("XDG_STATE_HOME") ?? "\(home)/.local/state")/nyand"
        cache = "\(absolute("XDG_CACHE_HOME") ?? "\(home)/.cache")/nyand"
        runtime = absolute("XDG_RUNTIME_DIR").map { "\($0)/nyand" } ?? "\(cache)/run"
    }

    /// The places of this process.
    public init() {
        let names = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"]
        let pairs = names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }
        self.init(environment: Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
    }

    /// The user database's word when HOME is not set.
    private static func homeOfUser() -> String? {
        guard let user = getpwuid(geteuid()), let folder = user.pointee.pw_dir else { return nil }
        return String(cString: folder)
    }

    /// Makes data, state and cache folders, private to the user; the settings' folder is the user's own to make.
    public func make() throws(Failure) {
        for folder in [data, state, cache] { try Folder.makePrivate(folder) }
    }

    public var configFile: String { "\(config)/nyand.conf" }
    public var libraryFile: String { "\(data)/library.db" }
    public var credentialsFile: String { "\(data)/credentials" }
    public var playbackFile: String { "\(state)/playback.db" }
    public var scrobbleKeysFile: String { "\(data)/scrobble-keys" }
    public var scrobblesFile: String { "\(state)/scrobbles.db" }
    /// Growing files of downloads.
    public var unfinishedFolder: String { "\(data)/copies" }
    /// Growing files of streams.
    public var streamFolder: String { "\(cache)/copies" }
    public var coverFolder: String { "\(cache)/covers" }

    /// A path of the settings: `~/` stands for the home directory.
    public func expanded(_ path: String) -> String {
        var path = path == "~" || path.hasPrefix("~/") ? home + path.dropFirst() : path
        // `Music/` and `Music` are one folder, and the names in it are compared as texts.
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }

    /// Default of `downloads.directory`: `Nyan Tunes` in the music folder of `user-dirs.dirs`, else in `~/Music`.
    public var musicDirectory: String {
        let text = (try? WholeFile.read("\(configHome)/user-dirs.dirs", flags: O_NONBLOCK)).map {
            String(decoding: $0, as: UTF8.self)
        }
        let music = text.flatMap { userFolder("XDG_MUSIC_DIR", in: $0) } ?? "\(home)/Music"
        return music == "/" ? "/Nyan Tunes" : "\(music)/Nyan Tunes"
    }

    /// A value such as `XDG_MUSIC_DIR="$HOME/Music"`; only absolute ones and those under `$HOME` are allowed there.
    private func userFolder(_ name: String, in text: String) -> String? {
        var found: String?
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.drop { $0.isWhitespace } }
            guard parts.count == 2, parts[0] == name, parts[1].hasPrefix("\"") else { continue }
            var value = ""
            var isEscaped = false
            for character in parts[1].dropFirst() {
                if !isEscaped && character == "\"" { break }
                isEscaped = !isEscaped && character == "\\"
                if !isEscaped { value.append(character) }
            }
            if value == "$HOME" || value.hasPrefix("$HOME/") { value = home + value.dropFirst("$HOME".count) }
            while value.count > 1 && value.hasSuffix("/") { value.removeLast() }
            if value.hasPrefix("/") { found = value }
        }
        return found
    }
}
