import FoundationEssentials
import NyanCore

/// What the token endpoint answers (vk-api.md §1.4): unlike the API's methods, `error` is a text here and the status 401
/// or 400.
nonisolated enum OAuthAnswer {
    case token(Secret, user: Int64, expires: Int64?)
    /// VK wants something from the person; not vetted for showing.
    case challenge(Challenge)
    /// The code was wrong; the question before stands.
    case wrongCode
    case refused(Failure)

    static func read(_ response: HTTPResponse) -> OAuthAnswer {
        let body = Data(BodyMending.mend(response.body))
        guard let answer = try? JSONDecoder().decode(Body.self, from: body) else {
            let reaction =
                (200...299).contains(response.status)
                ? Reaction.unreadable : .status(response.status, retryAfter: response.headers["retry-after"])
            return .refused(reaction.failure)
        }
        return answer.meaning
    }

    private struct Body: Decodable {
        var meaning: OAuthAnswer

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: AnyKey.self)
            if let token = fields.filledText("access_token") {
                meaning = OAuthAnswer.granted(token, fields)
            } else if let error = fields.filledText("error") {
                meaning = OAuthAnswer.error(error, fields)
            } else if let error: VKError = fields.object("error") {
                // The API's own shape: seen for 1105 and the like.
                let reaction = VKErrorTable.reaction(to: error)
                meaning = error.challenge.map { .challenge($0) } ?? .refused(reaction.failure)
            } else {
                meaning = .refused(Reaction.unreadable.failure)
            }
        }
    }

    private static func granted(_ token: String, _ fields: KeyedDecodingContainer<AnyKey>) -> OAuthAnswer {
        guard let user = fields.int64("user_id"), user > 0 else { return .refused(Reaction.unreadable.failure) }
        // A century at most: what is added must not overflow.
        let seconds = min(fields.int64("expires_in") ?? 0, 3_155_760_000)
        return .token(Secret(token), user: user, expires: seconds > 0 ? UnixTime.now + seconds : nil)
    }

    private static func error(_ error: String, _ fields: KeyedDecodingContainer<AnyKey>) -> OAuthAnswer {
        let type = fields.text("error_type") ?? ""
        switch (error, type) {
        case ("need_validation", _): return .challenge(validation(fields))
        case ("need_captcha", _): return .challenge(ChallengeReading.captcha(fields))
        case (_, "otp_format_is_incorrect"), (_, "wrong_otp"): return .wrongCode
        case (_, "username_or_password_is_incorrect"):
            return .refused(
                Failure(.notSignedIn, "VK does not accept this name and password; too many wrong ones lock the account")
            )
        case (_, "password_bruteforce_attempt"): return .refused(flood)
        case _ where error.lowercased().contains("flood") || error.hasPrefix("9;"): return .refused(flood)
        case _ where error.hasPrefix("1105"): return .refused(tooMany)
        default: return .refused(Failure(.notSignedIn, words(error, fields)))
        }
    }

    /// The second factor; without a way for a code to come there is only the page.
    private static func validation(_ fields: KeyedDecodingContainer<AnyKey>) -> Challenge {
        let page = fields.filledText("redirect_uri")
        guard let way = fields.filledText("validation_type").flatMap(Challenge.CodeWay.init) else {
            return fields.has("validation_sid")
                ? Challenge(.code(.sms), sid: fields.filledText("validation_sid"), address: page)
                : Challenge(.validation, address: page)
        }
        return Challenge(
            .code(way), sid: fields.filledText("validation_sid"), address: page,
            words: fields.filledText("phone_mask"))
    }

    private static let flood = Failure(
        .serverBusy, "VK has had too many logins of this account: wait some hours, more tries only make it longer",
        retry: .after(seconds: 7200))
    private static let tooMany = Failure(
        .serverBusy, "Too many logins; wait some hours (VK error 1105)", retry: .after(seconds: 7200))

    /// Any other refusal, with VK's own sentence: it is about the client or the account, and speaks to the person.
    private static func words(_ error: String, _ fields: KeyedDecodingContainer<AnyKey>) -> String {
        let name = ForeignWords.cleaned(error, limit: 60) ?? "no reason"
        let described = fields.filledText("error_description").flatMap { ForeignWords.cleaned($0) }
        return "VK refuses this login: \(described.map { "\($0) (\(name))" } ?? name)"
    }
}
