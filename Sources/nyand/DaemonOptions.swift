import NyanService

/// What the command line says (CONTRACT.md §1).
struct DaemonOptions: Equatable {
    enum Action: Equatable { case run, help, version, printDefaultConfig }

    var action = Action.run
    /// nil = the usual place.
    var configPath: String?
    var logLevel = LogLevel.notice

    /// A sentence about the first argument that is wrong.
    struct Mistake: Error, Equatable { var message: String }

    init(_ arguments: [String]) throws(Mistake) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let (name, inline) = Self.split(argument)
            switch name {
            case "--help", "-h": action = .help
            case "--version": action = .version
            case "--print-default-config": action = .printDefaultConfig
            case "--config": configPath = try Self.value(of: name, inline, &rest)
            case "--log-level":
                let word = try Self.value(of: name, inline, &rest)
                guard let level = LogLevel(name: word) else {
                    throw Mistake(message: "“\(word)” is no log level: error, warning, notice, info or debug")
                }
                logLevel = level
            default: throw Mistake(message: "unknown option \(argument)")
            }
        }
    }

    private static func split(_ argument: String) -> (name: String, value: String?) {
        guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
        return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
    }

    private static func value(
        of name: String, _ inline: String?, _ rest: inout ArraySlice<String>
    ) throws(Mistake) -> String {
        guard let value = inline ?? rest.popFirst() else { throw Mistake(message: "\(name) needs a value") }
        return value
    }

    static let usage = """
        usage: nyand [--config FILE] [--log-level error|warning|notice|info|debug] [--version] [--help]

        The music daemon: plays, downloads and keeps the tracks of a VK profile, and shows itself to the desktop as an
        MPRIS player. It stays in the foreground and logs to standard error. Talk to it with nyanctl.

          --config FILE           read this settings file instead of ~/.config/nyand/nyand.conf
          --log-level LEVEL       how much to log (notice)
          --print-default-config  print every setting with its default, commented, and end
          --version               print the version and end
          --help                  print this and end

        exit status: 0 asked to stop, 1 failed, 2 bad option or settings, 3 no session bus, 4 already running
        """
}
