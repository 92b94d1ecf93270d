import NyanCore

/// Asks VK to send a code again (`auth.validatePhone`, vk-api.md §1.4), not before the delay VK named is over.
struct CodeSending {
    /// Where VK names no delay.
    private static let usualDelay = 60
    /// No code is sent before that; nil = none was asked for yet.
    private var opens: Duration?

    /// Answers what came of it, in words for the next question; the login goes on whatever it was. `send` makes the call
    /// for a validation's sid.
    mutating func send(
        for question: Challenge, now: Duration, _ send: (String) async throws(Failure) -> HTTPResponse
    ) async throws(Failure) -> String {
        guard let sid = question.sid else { return "VK has no other code to send" }
        if let opens, opens > now {
            return "VK sends another code in \(Int((opens - now).inSeconds.rounded(.up))) s"
        }
        let response: HTTPResponse
        do {
            response = try await send(sid)
        } catch {
            if error.code == .cancelled { throw error }
            return "No other code could be asked for (\(error.message))"
        }
        switch Answer<Sent>.read(response.body) {
        case .response(let sent):
            opens = now + .seconds(min(max(sent.delay ?? Self.usualDelay, 1), 3600))
            return "Another code is on its way"
        case .error(let error):
            if error.code == 1112 {
                opens = now + .seconds(Self.usualDelay)
                return "It is too early for another code: VK wants a minute between two"
            }
            return "No other code was sent: \(VKErrorTable.reaction(to: error).failure.message)"
        case nil: return "No other code could be asked for"
        }
    }

    /// `1`, or an object that names a delay in seconds.
    private struct Sent: Decodable {
        var delay: Int?
        init(from decoder: any Decoder) throws {
            delay = (try? decoder.container(keyedBy: AnyKey.self))?.int("delay")
        }
    }
}
