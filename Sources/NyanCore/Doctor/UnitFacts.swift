/// nyand's systemd unit and D-Bus activation, by the files that are there: nothing is asked of systemd.
public struct UnitFacts: Sendable, Equatable {
    /// The unit's file; nil = none.
    public var unitFile: String?
    /// It is a link to /dev/null.
    public var isMasked = false
    /// The link that starts it with the session; nil = it is not enabled.
    public var enabling: String?
    /// The program that the unit names and that is not there.
    public var missingProgram: String?
    /// The service file that lets the bus start nyand; nil = none.
    public var activationFile: String?
    /// The service this process runs under, such as `nyand.service`; nil = none. Only the daemon knows.
    public var runsUnder: String?
    /// Who asks is the daemon itself.
    public var isRunning = true

    public init() {}

    public static let unit = "nyand.service"
    static let activation = "org.nyantunes.Nyand.service"

    /// What there is at a path.
    public enum Entry: Sendable, Equatable {
        case file(text: String)
        /// A link, with where it leads to at once.
        case link(to: String)
        case folder(names: [String])
    }

    /// Looks with `entry`, which is asked about absolute paths (nil = nothing there). `environment`: HOME and the XDG
    /// variables.
    public static func look(
        environment: [String: String], entry: (String) -> Entry?, isProgram: (String) -> Bool
    ) -> UnitFacts {
        var facts = UnitFacts()
        for folder in unitFolders(environment) where facts.unitFile == nil {
            let path = "\(folder)/\(unit)"
            switch entry(path) {
            case .link(let target) where target == "/dev/null":
                (facts.unitFile, facts.isMasked) = (path, true)
            case .file(let text):
                facts.unitFile = path
                facts.missingProgram = program(in: text).flatMap { isProgram($0) ? nil : $0 }
            case .link: facts.unitFile = path
            case .folder, nil: break
            }
        }
        for folder in unitFolders(environment) where facts.enabling == nil {
            guard case .folder(let names) = entry(folder) else { continue }
            facts.enabling = names.sorted().filter { $0.hasSuffix(".wants") || $0.hasSuffix(".requires") }
                .map { "\(folder)/\($0)/\(unit)" }.first { entry($0) != nil }
        }
        facts.activationFile = activationFolders(environment).map { "\($0)/\(activation)" }.first { entry($0) != nil }
        return facts
    }

    /// The absolute path that `ExecStart=` begins with.
    static func program(in text: String) -> String? {
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.drop { $0 == " " }
            guard words.hasPrefix("ExecStart=") else { continue }
            let command = words.dropFirst("ExecStart=".count).drop { "@-:+!".contains($0) }
            let path = command.prefix { !$0.isWhitespace }
            // %h and the like are systemd's to read.
            return path.hasPrefix("/") && !path.contains("%") ? String(path) : nil
        }
        return nil
    }

    /// The service of a `/proc/self/cgroup`: the last element of the path where that is one.
    public static func service(inControlGroups text: String) -> String? {
        for line in text.split(whereSeparator: \.isNewline) {
            if let last = line.split(separator: "/").last, last.hasSuffix(".service"), !last.hasPrefix("user@") {
                return String(last)
            }
        }
        return nil
    }

    /// Where systemd's user manager looks, first come first served (systemd.unit(5)).
    static func unitFolders(_ environment: [String: String]) -> [String] {
        var folders: [String] = []
        if let config = home("XDG_CONFIG_HOME", ".config", environment) { folders.append("\(config)/systemd/user") }
        folders.append("/etc/systemd/user")
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
            folders.append("\(runtime)/systemd/user")
        }
        folders.append("/run/systemd/user")
        if let data = home("XDG_DATA_HOME", ".local/share", environment) { folders.append("\(data)/systemd/user") }
        folders += dataFolders(environment).map { "\($0)/systemd/user" }
        return Diagnosis.unique(folders + ["/usr/local/lib/systemd/user", "/usr/lib/systemd/user"])
    }

    /// Where the session bus looks (dbus-daemon(1), standard_session_servicedirs).
    static func activationFolders(_ environment: [String: String]) -> [String] {
        var folders: [String] = []
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
            folders.append("\(runtime)/dbus-1/services")
        }
        if let data = home("XDG_DATA_HOME", ".local/share", environment) { folders.append("\(data)/dbus-1/services") }
        return folders + dataFolders(environment).map { "\($0)/dbus-1/services" }
    }

    private static func home(_ variable: String, _ usual: String, _ environment: [String: String]) -> String? {
        if let path = environment[variable], path.hasPrefix("/") { return path }
        return environment["HOME"].map { "\($0)/\(usual)" }
    }

    private static func dataFolders(_ environment: [String: String]) -> [String] {
        let text = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
        let named = text.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        return Diagnosis.unique(named + ["/usr/local/share", "/usr/share"])
    }
}

extension Diagnosis {
    /// The unit and the activation file.
    public static func unit(_ facts: UnitFacts) -> [Finding] { [unitLine(facts), activation(facts)] }

    private static func unitLine(_ facts: UnitFacts) -> Finding {
        let under = facts.runsUnder == UnitFacts.unit
        guard let file = facts.unitFile else {
            if under { return Finding(.unit, .ok, "nyand runs under \(UnitFacts.unit)") }
            return Finding(
                .unit, .note, "\(UnitFacts.unit) is not installed: nyand does not start with the session",
                advice: "the package or `make install` brings it; without systemd let the desktop's autostart run nyand"
            )
        }
        if facts.isMasked {
            return Finding(.unit, .problem, "\(file) is masked", advice: "`systemctl --user unmask nyand`")
        }
        if let program = facts.missingProgram {
            return Finding(
                .unit, .problem, "\(file) starts \(program), which is not there",
                advice: "install nyand again, then `systemctl --user daemon-reload`")
        }
        let enabled = facts.enabling == nil ? "not enabled" : "enabled"
        if facts.isRunning, !under {
            return Finding(
                .unit, .note, "installed and \(enabled), but this nyand was started by hand",
                advice: "end it, then `systemctl --user enable --now nyand`")
        }
        guard facts.enabling != nil else {
            return Finding(
                .unit, .note, "installed, not enabled: nyand does not start with the session",
                advice: "`systemctl --user enable --now nyand`")
        }
        return Finding(.unit, .ok, facts.isRunning ? "enabled, and nyand runs under it" : "installed and enabled")
    }

    private static func activation(_ facts: UnitFacts) -> Finding {
        guard let file = facts.activationFile else {
            return Finding(
                .activation, .note, "no file lets the bus start nyand when `nyanctl` needs it",
                advice: "the package or `make install` brings \(UnitFacts.activation)")
        }
        return Finding(.activation, .ok, file)
    }
}
