/// Everything on one screen.
extension CommandTable {
    static let ui = [
        Command(
            name: "ui", summary: "the lists, the queue and the player on one screen", arity: .none, run: UICommand.run)
    ]
}
