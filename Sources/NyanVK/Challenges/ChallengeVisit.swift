import NyanCore

/// One call's way through the questions VK may ask: what its next try carries besides its own parameters.
final class ChallengeVisit {
    private weak var keeper: (any ChallengeKeeper)?
    private let method: String
    private let profile: ClientProfile
    private let call = ParkedCall()
    private var isKnown = false
    /// What the person's last answer adds.
    private(set) var fields: [(name: String, value: String)] = []
    /// Another token that VK gave with a confirmation.
    private(set) var token: (token: Secret, expires: Int64?)?

    init(_ keeper: (any ChallengeKeeper)?, _ method: String, _ profile: ClientProfile) {
        self.keeper = keeper
        self.method = method
        self.profile = profile
    }

    /// Waits while another call of this method is parked with a captcha.
    func begin() async throws(Reaction) {
        guard let keeper else { return }
        isKnown = true
        do { try await keeper.passed(method, by: call) } catch { throw .final(error) }
    }

    /// Whether the call goes on: the error was a challenge and somebody answered it.
    /// - Throws: what the call ends with when nobody did.
    func goesOn(after error: Reaction) async throws(Reaction) -> Bool {
        guard let keeper, let challenge = error.challenge?.vetted(for: profile) else { return false }
        isKnown = true
        do {
            switch try await keeper.meet(challenge, of: method, by: call) {
            case .fields(let added): fields = added.map { (name: $0.name, value: $0.value.revealed) }
            case .token(let token, _, let expires):
                fields = []
                self.token = (token, expires)
            case .again, .resend: fields = []
            }
        } catch {
            throw .final(error)
        }
        return true
    }

    func end(_ failure: Failure?) {
        guard isKnown else { return }
        keeper?.ended(call, failure)
    }
}
