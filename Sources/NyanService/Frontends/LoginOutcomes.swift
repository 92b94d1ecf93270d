import NyanCore
import NyanDBus
import NyanWire

/// What becomes of logins, for whoever began one and was told of a question of VK's meanwhile: the answer to that
/// question ends with what came of the operation that met it, which need not be the login.
final class LoginOutcomes {
    /// Oldest first, one per caller (a unique name of the bus).
    private var begun: [(caller: String, operation: Operation)] = []
    /// Conversations that may go on at once; older ones have long been answered.
    private static let kept = 16

    /// Begins a login, and answers as `Answer.working` does. `work` gives the account.
    func begin(by caller: String, _ work: @escaping @MainActor () async throws(Failure) -> [BusValue]) -> Answer {
        .later { [self] () async throws(BusError) in
            let operation = Operation.begin(words: AccountFrontend.signedInWords, work)
            begun.removeAll { $0.caller == caller }
            begun.append((caller, operation))
            if begun.count > Self.kept { begun.removeFirst() }
            return try await operation.told()
        }
    }

    /// Answers with the account once the caller's login is over, or with why it failed or waits.
    func outcome(for caller: String) -> Answer {
        .later { [self] () async throws(BusError) in
            guard let login = begun.first(where: { $0.caller == caller }) else {
                throw FailureCoding.busError(Failure(.conflict, "no login was begun here"))
            }
            return try await login.operation.told()
        }
    }
}
