import NyanCore
import NyanDBus

/// Changes at VK that are made one after the other, each in the name of whoever was signed in when it was asked for.
final class ChangeTurns {
    /// One change's turn.
    struct Turn {
        let account: AccountService
        /// The account's when the change was asked for.
        let epoch: Int

        /// - Throws: where another account is in use by now. Asked right before VK is, and before its answer is believed.
        func requireSame() throws(Failure) {
            guard account.epoch == epoch else { throw Failure(.cancelled, "the account changed meanwhile") }
        }
    }

    private let account: AccountService
    private let turns = Turns()
    /// Who asked for the last change.
    private var asker: Operation?

    init(account: AccountService) { self.account = account }

    /// Does `work` after all that was asked for before has ended.
    func run<Answer: Sendable>(
        _ work: @escaping (Turn) async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        await account.ready()
        let turn = Turn(account: account, epoch: account.epoch)
        // Whoever waits for a change that VK has a question about is told so, too.
        if let asker, !asker.hasEnded { asker.join() }
        asker = Operation.current ?? asker
        return try await turns.run { () async throws(Failure) in
            try turn.requireSame()
            return try await work(turn)
        }
    }
}
