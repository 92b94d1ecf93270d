/// `help --json`: the command table as data. Manual pages and completions are made from it (`scripts/pages`), so it is
/// never translated.
struct HelpDocument: Encodable {
    var usage: String
    var commands: [CommandDocument]

    @MainActor static var all: HelpDocument {
        HelpDocument(usage: HelpText.usage, commands: CommandTable.all.map(CommandDocument.init))
    }
}

/// One command; `help COMMAND --json` prints it alone.
struct CommandDocument: Encodable {
    struct Option: Encodable {
        var name: String
        /// What its value is called; null for a switch.
        var value: Nullable<String>
        var summary: String
    }

    var name: String
    /// What follows the name, as in the usage line; empty where nothing does.
    var arguments: String
    var summary: String
    var options: [Option]

    init(_ command: Command) {
        name = command.name
        arguments = command.arguments
        summary = command.summary
        options = command.options.map { Option(name: $0.name, value: Nullable($0.value), summary: $0.summary) }
    }
}
