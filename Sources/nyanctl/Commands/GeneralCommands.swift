import NyanCore
import NyanDBus
import NyanWire

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
                throw Nearest.unknown(command: name)
            }
            return Terminal.print(
                invocation.asJSON ? JSONText.encode(CommandDocument(command)) : HelpText.command(command))
        }
        Terminal.print(invocation.asJSON ? JSONText.encode(HelpDocument.all) : HelpText.all)
    }
}
