/// What is always offline.
extension CommandTable {
    static let keep = [
        Command(
            name: "keep", arguments: "[PLAYLIST|profile]",
            summary: "always offline, also what is added later; alone: what is kept", arity: .between(0, 1),
            run: KeepCommands.keep),
        Command(
            name: "unkeep", arguments: "PLAYLIST|profile", summary: "keep it no more; its files stay",
            options: [
                .init(name: "--delete", summary: "delete the files that only this rule brought; a terminal asks first"),
                .init(name: "--yes", summary: "delete without asking"),
            ], arity: .between(1, 1), run: KeepCommands.unkeep),
    ]
}
