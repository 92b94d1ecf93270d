/// Changing the profile, and other people's.
extension CommandTable {
    static let profile = [
        Command(
            name: "add", arguments: "TRACK…", summary: "save tracks to the VK profile", arity: .atLeast(1),
            run: ProfileCommands.add),
        Command(
            name: "like", summary: "save the current track to the VK profile", arity: .none, run: ProfileCommands.like),
        Command(
            name: "remove", arguments: "TRACK…", summary: "take tracks off the VK profile; local files stay",
            arity: .atLeast(1), run: ProfileCommands.remove),
        Command(
            name: "restore", arguments: "TRACK", summary: "undo a removal while VK allows it", arity: .between(1, 1),
            run: ProfileCommands.restore),
        Command(
            name: "friends", summary: "your friends, and whose music can be listed", arity: .none,
            run: PeopleCommands.friends),
        Command(
            name: "groups", summary: "your groups, and whose music can be listed", arity: .none,
            run: PeopleCommands.groups),
    ]
}
