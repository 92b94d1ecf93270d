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
            Terminal.say(Terminal.printable(words))
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

    /// Asks the person for one answer after another, as long as a login waits for one, be the question its own or another
    /// operation's; on a terminal only. What counts is what becomes of the login, not of an answer. `first` is what the
    /// login's call ended with.
    static func converse(_ daemon: Daemon, _ first: Ending) throws(Ending) -> Account {
        var ending = first
        while case .failed(Failure.Code.challengeNeeded.rawValue, let question, _) = ending, Terminal.inputIsTerminal {
            Terminal.complain(Terminal.printableMessage(question))
            if let unanswered = try answerOnce(daemon) {
                Terminal.complain("nyanctl: \(Terminal.printableMessage(unanswered))")
            }
            do throws(Ending) {
                return try daemon.ask { client throws(ClientFailure) in try client.account("LoginOutcome") }
            } catch {
                ending = error
            }
        }
        throw ending
    }

    /// Hands in one answer. Returns why there was none: a slip of the fingers leaves the question open, and a question
    /// may be over.
    private static func answerOnce(_ daemon: Daemon) throws(Ending) -> String? {
        do throws(Ending) {
            let descriptor = try SecretPrompt.descriptor(prompt: "Answer (it is not shown; Ctrl-C leaves it): ")
            _ = try daemon.ask { client throws(ClientFailure) in try client.answer(descriptor) }
            return nil
        } catch {
            guard case .failed(let code, let message, let status) = error, status != 3 else { throw error }
            let slips = [Failure.Code.badArgument, .conflict].map(\.rawValue)
            return slips.contains(code) ? message : nil
        }
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
