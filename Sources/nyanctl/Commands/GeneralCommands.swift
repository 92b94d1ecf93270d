import NyanCore
import NyanDBus
import NyanWire
import NyanWords

/// `offline`, `reload`, `help`.
@MainActor enum GeneralCommands {
    static func offline(_ invocation: Invocation) throws(Ending) {
        let word = invocation.words[0]
        guard word == "on" || word == "off" else { throw .usage("offline is on or off", command: "offline") }
        _ = try Daemon(invocation).ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.daemon, "SetOfflineMode", [.bool(word == "on")])
        }
    }

    static func reload(_ invocation: Invocation) throws(Ending) {
        _ = try Daemon(invocation).ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.daemon, "Reload")
        }
    }

    /// `--version`, which is no word and therefore in no table and no help.
    static let version = Command(name: "--version", summary: "", arity: .any) {
        invocation throws(Ending) in
        Terminal.print(
            invocation.asJSON ? JSONText.encode(["version": Names.version]) : "nyanctl \(Names.version)")
        if Hints.isWanted(invocation) { VersionLook.hint(VersionLook.running()) }
    }

    static func help(_ invocation: Invocation) throws(Ending) {
        if let name = invocation.words.first {
            guard let command = CommandTable.command(name) else {
                throw .usage("there is no command “\(name)”", command: nil)
            }
            return Terminal.print(
                invocation.asJSON ? JSONText.encode(CommandDocument(command)) : HelpText.command(command))
        }
        Terminal.print(invocation.asJSON ? JSONText.encode(HelpDocument.all) : HelpText.all)
    }
}

/// Help, made from the command table.
@MainActor enum HelpText {
    /// The line for a command that is not known.
    static let usage = "nyanctl [--json] [--timeout SECONDS] COMMAND …"

    static var all: String {
        let names = CommandTable.all.map { [$0.name, $0.arguments].filter { !$0.isEmpty }.joined(separator: " ") }
        let width = min(30, names.map { DisplayText.columns($0) }.max() ?? 0)
        let rows = zip(names, CommandTable.all).map { name, command in
            let gap = String(repeating: " ", count: max(0, width - DisplayText.columns(name)))
            let separator = DisplayText.columns(name) > width ? "\n  " + String(repeating: " ", count: width) : gap
            return "  \(name)\(separator)  \(Words.said(command.summary))"
        }
        return Words.said(
            """
            usage: \(usage)

            Asks the nyand daemon. TRACK is a VK id such as 123456_456239321 or its address at VK, a row
            number of the listing printed last, or, where it is only played, a text that selects tracks
            of the library, a file, or an http or https address.

            \(rows.joined(separator: "\n"))

            exit status: 0 done, 1 failed, 2 wrong usage, 3 nyand is not running, 4 not signed in,
            5 no such track or position, 6 network or VK not reachable, 7 no answer in time
            """)
    }

    static func command(_ command: Command) -> String {
        var lines = [Words.said("usage: \(command.usage)"), "", Words.said(command.summary)]
        let names = command.options.map { [$0.name, $0.value].compactMap { $0 }.joined(separator: " ") }
        let width = names.map(\.count).max() ?? 0
        if !names.isEmpty { lines.append("") }
        for (name, option) in zip(names, command.options) {
            lines.append("  \(name)\(String(repeating: " ", count: width - name.count))  \(Words.said(option.summary))")
        }
        return lines.joined(separator: "\n")
    }
}
