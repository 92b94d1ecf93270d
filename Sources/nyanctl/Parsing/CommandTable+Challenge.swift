/// What has to do with VK's questions.
extension CommandTable {
    static let challenge = [
        Command(
            name: "answer", arguments: "[TEXT]",
            summary: "hand in what VK asks for (see status), from standard input without TEXT",
            arity: .any, run: AnswerCommand.run)
    ]
}
