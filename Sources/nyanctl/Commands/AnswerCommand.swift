import NyanCore
import NyanDBus
import NyanWire

/// `answer`: hands in what VK asks for.
@MainActor enum AnswerCommand {
    static func run(_ invocation: Invocation) throws(Ending) {
        let daemon = try Daemon(invocation)
        if invocation.words.isEmpty, Terminal.inputIsTerminal { try showQuestion(daemon) }
        let descriptor =
            invocation.words.isEmpty
            ? try SecretPrompt.descriptor(prompt: "Answer (it is not shown): ")
            : try SecretPrompt.descriptor(holding: invocation.words.joined(separator: " "))
        let words = try daemon.ask { client throws(ClientFailure) in try client.answer(descriptor) }
        if invocation.asJSON {
            Terminal.print(JSONText.encode(AnswerDocument(message: words)))
        } else {
            Terminal.print(Terminal.printable(words))
        }
    }

    /// Shows what VK asks before the person is asked to type; ends where it asks nothing.
    private static func showQuestion(_ daemon: Daemon) throws(Ending) {
        let problem = try daemon.ask { client throws(ClientFailure) in try client.status() }.problem
        guard let problem, problem.code == Failure.Code.challengeNeeded.rawValue else {
            throw .failed(code: Failure.Code.conflict.rawValue, message: "VK asks nothing at present", status: 1)
        }
        Terminal.complain(Terminal.printableMessage(problem.message))
    }

    /// Asks the person for one answer after another, as long as VK asks; on a terminal only. `first` is what the first
    /// call ended with.
    static func converse(_ daemon: Daemon, _ first: Ending) throws(Ending) {
        var ending = first
        while case .failed(Failure.Code.challengeNeeded.rawValue, let question, _) = ending, Terminal.inputIsTerminal {
            Terminal.complain(Terminal.printableMessage(question))
            do throws(Ending) {
                let descriptor = try SecretPrompt.descriptor(prompt: "Answer (it is not shown; Ctrl-C leaves it): ")
                _ = try daemon.ask { client throws(ClientFailure) in try client.answer(descriptor) }
                return
            } catch {
                // A slip of the fingers leaves the question open.
                if case .failed(Failure.Code.badArgument.rawValue, let message, _) = error {
                    Terminal.complain("nyanctl: \(Terminal.printableMessage(message))")
                } else {
                    ending = error
                }
            }
        }
        throw ending
    }
}

/// What `answer --json` prints.
nonisolated struct AnswerDocument: Encodable {
    var message: String
}

extension NyanClient {
    /// `Answer`: words for the person.
    func answer(_ descriptor: OwnedFD) throws(ClientFailure) -> String {
        let values = try call(NyandInterfaces.account, "Answer", [.unixFD(descriptor)], .network)
        guard let words = values.first?.string else { throw .misunderstood("Answer") }
        return words
    }

    /// Unix seconds at which the login ends; nil = VK named no end.
    func loginEnds() throws(ClientFailure) -> Int64? {
        let values = try call(NyandInterfaces.account, "LoginEnds")
        guard let moment = values.first?.int64 else { throw .misunderstood("LoginEnds") }
        return moment > 0 ? moment : nil
    }
}
