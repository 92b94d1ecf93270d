/// What has to do with VK's questions.
extension CommandTable {
    static let challenge = [
        Command(
            name: "answer", arguments: "[TEXT]",
            summary: "hand in what VK asks for, as status tells",
            arity: .any, run: AnswerCommand.run)
    ]
}
