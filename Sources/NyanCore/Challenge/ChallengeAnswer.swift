/// What a person's answer adds to the request that goes on.
public enum ChallengeAnswer: Sendable, Equatable {
    /// The same request once more, with these parameters besides its own.
    case fields([FormField])
    /// VK gave another token with the confirmation (error 17); the request goes on with it.
    case token(Secret, user: Int64, expires: Int64?)
    /// The same request once more, as it was.
    case again
    /// Another code is to be sent; nothing was answered yet.
    case resend
    /// Another call's question is over, and nobody was asked this call's own.
    case released
}

extension Challenge {
    /// What the person's words mean here.
    ///
    /// `configured` are addresses of the settings, whose hosts count as VK's. Throws `.badArgument` for words that are no
    /// answer to this question, which stays open; `.cancelled` where the person says no, which ends what waits.
    public func answer(in text: Secret, configured: [String] = []) throws(Failure) -> ChallengeAnswer {
        let words = text.revealed.trimmedOfQuotes
        guard !words.isEmpty else { throw Failure(.badArgument, "the answer is empty") }
        switch kind {
        case .picture:
            return .fields([FormField("captcha_sid", sid ?? ""), FormField("captcha_key", words)] + echo)
        case .robotCheck:
            let token = Self.successToken(in: words)
            guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw Failure(.badArgument, "that is no success_token: it has neither spaces nor letters with marks")
            }
            return .fields([FormField("captcha_sid", sid ?? ""), FormField("success_token", token)] + echo)
        case .validation: return try Self.validated(words, configured)
        case .confirmation:
            switch Self.consent(words) {
            case true?: return .fields([FormField("confirm", "1")])
            case false?: throw Failure(.cancelled, "you said no: it was not done")
            case nil: throw Failure(.badArgument, "the answer must be yes or no")
            }
        case .code: return try code(words, configured)
        case .deed:
            if Self.consent(words) == false { throw Failure(.cancelled, "given up, as you said") }
            return .again
        }
    }

    private func code(_ words: String, _ configured: [String]) throws(Failure) -> ChallengeAnswer {
        if words.lowercased() == "resend" { return .resend }
        if words.contains("access_token") || words.contains("blank.html") {
            return try Self.validated(words, configured)
        }
        // People type codes as they are shown: 123 456, 123-456.
        let code = words.filter { $0 != " " && $0 != "-" && $0 != "\u{a0}" }
        guard code.count <= 64, code.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
            throw Failure(.badArgument, "that is no code; `resend` asks for another one")
        }
        return .fields([FormField("code", code)])
    }

    /// The address the page of error 17 ended at.
    private static func validated(_ words: String, _ configured: [String]) throws(Failure) -> ChallengeAnswer {
        switch try PastedAddress.read(words, configured: configured) {
        case .token(let token, let user, let expires, _): return .token(token, user: user, expires: expires)
        case .success: return .again
        case .refused(let why): throw Failure(.cancelled, why)
        }
    }

    /// The token itself, or what the browser's network tools show around it.
    private static func successToken(in words: String) -> String {
        let parts = words.split { !($0.isASCII && ($0.isLetter || $0.isNumber || "-_.~%+/=".contains($0))) }
        for (index, part) in parts.enumerated() {
            if part == "success_token", index + 1 < parts.count { return String(parts[index + 1]) }
            if part.hasPrefix("success_token=") { return String(part.dropFirst("success_token=".count)) }
        }
        return words
    }

    private static func consent(_ words: String) -> Bool? {
        switch words.lowercased() {
        case "yes", "y", "да", "д", "ok", "1", "confirm", "done": true
        case "no", "n", "нет", "н", "0", "cancel": false
        default: nil
        }
    }
}

extension String {
    /// Without what a terminal, a mail program or an editor puts around what was copied.
    var trimmedOfQuotes: String {
        let noise: (Character) -> Bool = { $0.isWhitespace || "\"'`“”«»<>".contains($0) }
        let rest = drop(while: noise)
        guard let last = rest.lastIndex(where: { !noise($0) }) else { return "" }
        return String(rest[...last])
    }
}
