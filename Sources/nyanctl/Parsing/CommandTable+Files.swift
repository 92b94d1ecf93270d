/// Files on their way into My Music and out of it.
extension CommandTable {
    static let files = [
        Command(
            name: "export", arguments: "TRACK… DIR", summary: "copy files of My Music out under readable names",
            arity: .atLeast(2), run: FileCommands.export),
        Command(
            name: "import", arguments: "DIR", summary: "take a folder's files into My Music; they stay where they are",
            arity: .between(1, 1), run: FileCommands.importFolder),
    ]
}
