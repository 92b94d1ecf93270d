/// What has to do with VK's questions.
extension CommandTable {
    static let challenge = [
        Command(
            name: "answer", arguments: "[TEXT]",
            summary: "hand in what VK asks for (see status); without TEXT it is read from standard input",
            arity: .any, run: AnswerCommand.run)
    ]
}
