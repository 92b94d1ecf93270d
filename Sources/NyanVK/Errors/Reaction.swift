import NyanCore

/// What to do about one try that gave no answer: thrown inside the module, its `failure` outside.
nonisolated struct Reaction: Error, Sendable, Equatable {
    /// What the caller is told if nothing is tried again or the tries are used up.
    var failure: Failure
    /// Set when the same call may be tried again.
    var backoff: Backoff?
    /// Closes the method for some time (errors 29 and 9).
    var closing: MethodBlocks.Cause?
    /// A newer token of the same login may be taken (vk-api.md §3.4).
    var wantsRenewal = false
    /// VK's error number if VK gave one: lets a caller split a batch on 100.
    var vkCode: Int?
    /// What VK wants from the person; not vetted for showing.
    var challenge: Challenge?
    /// VK gave another token with a confirmation: the call is to be made with it.
    var newToken: NewToken?

    static func final(_ failure: Failure) -> Reaction { Reaction(failure: failure) }
}

extension Reaction {
    /// The answer was HTML, empty or half a JSON document (vk-api.md §3.1, end).
    static let unreadable = Reaction(
        failure: Failure(.badAnswer, "VK answered something that is no answer of its API", retry: .later),
        backoff: .trouble)

    /// The exchange itself failed; only trouble on the way is worth another try.
    static func transport(_ failure: Failure) -> Reaction {
        switch failure.code {
        case .network, .timeout: Reaction(failure: failure, backoff: .trouble)
        default: Reaction(failure: failure)
        }
    }

    /// A status other than success without a VK error in the body.
    static func status(_ status: Int, retryAfter: String?) -> Reaction {
        switch status {
        case 500...599:
            return Reaction(
                failure: Failure(.serverBusy, "VK's server is in trouble (HTTP \(status))", retry: .later),
                backoff: .trouble)
        case 429:
            let seconds = retryAfter.flatMap(Double.init).map { $0.isNaN ? 60 : min(max($0, 1), 86400) } ?? 60
            return .final(Failure(.serverBusy, "VK asks to wait (HTTP 429)", retry: .after(seconds: seconds)))
        case 401, 403, 418, 451:
            return .final(Failure(.denied, "VK's server refuses this machine or client (HTTP \(status))"))
        case 404, 410:
            return .final(
                Failure(.badAnswer, "There is no VK API at this address (HTTP \(status)): check vk.api-url"))
        default:
            return .final(Failure(.badAnswer, "VK's server answered with HTTP status \(status)"))
        }
    }
}
