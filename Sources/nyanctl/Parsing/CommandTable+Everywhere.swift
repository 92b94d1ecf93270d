/// The options of every command, which the parser reads by itself.
extension CommandTable {
    static let everywhere: [Command.Option] = [
        .init(name: "--json", summary: "print one JSON document"),
        .init(name: "--timeout", value: "SECONDS", summary: "how long to wait for the daemon's answer"),
        .init(name: "--help", summary: "show how it is used"),
        .init(name: "--version", summary: "print the version"),
    ]
}
