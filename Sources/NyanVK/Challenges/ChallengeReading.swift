import NyanCore

/// Reads what VK wants from the person out of its errors (vk-api.md §3.1, §3.5, §1.4).
nonisolated enum ChallengeReading {
    /// The challenge in an `error` object of the API; nil for errors that ask nothing of anybody. Addresses are as VK
    /// sent them: not to be shown before `vetted`.
    static func challenge(code: Int, _ fields: KeyedDecodingContainer<AnyKey>) -> Challenge? {
        switch code {
        case 14: captcha(fields)
        case 17: Challenge(.validation, address: fields.filledText("redirect_uri"))
        case 24: Challenge(.confirmation, words: fields.filledText("confirmation_text"))
        case 25:
            Challenge(
                .deed, address: fields.filledText("redirect_uri"),
                words: "VK protects the account from this client: allow it under VK ID, Security, suspicious apps")
        case 3300...3305, 11500:
            Challenge(.deed, address: fields.filledText("redirect_uri"), words: "VK wants \(deeds[code] ?? "you")")
        default: nil
        }
    }

    private static let deeds = [
        3300: "a check that you are no robot", 3301: "your phone confirmed", 3302: "your password confirmed",
        3303: "a code of your authenticator app", 3304: "your e-mail confirmed", 3305: "a confirmation from you",
        11500: "this action confirmed",
    ]

    /// Error 14 and `need_captcha`. With `redirect_uri` the picture may be useless (§3.5): the page counts then.
    static func captcha(_ fields: KeyedDecodingContainer<AnyKey>) -> Challenge {
        let page = fields.filledText("redirect_uri")
        let echoed = page == nil ? ["captcha_ts", "captcha_attempt"] : ["captcha_ts", "captcha_attempt", "remixstlid"]
        return Challenge(
            page == nil ? .picture : .robotCheck, sid: fields.filledText("captcha_sid"),
            address: page ?? fields.filledText("captcha_img"),
            echo: echoed.compactMap { name in fields.number(name).map { FormField(name, $0) } })
    }
}

extension Challenge {
    /// The same with what may be shown only; nil where nothing is left that could be asked.
    nonisolated func vetted(for profile: ClientProfile) -> Challenge? {
        var vetted = self
        vetted.address = address.flatMap {
            PageAddress.shown($0, configured: [profile.apiURL, profile.oauthURL, profile.loginURL])
        }
        vetted.words = words.flatMap { ForeignWords.cleaned($0) }
        return vetted.isAnswerable ? vetted : nil
    }
}

extension KeyedDecodingContainer<AnyKey> {
    /// A text or a number, as digits: `captcha_ts` is a broken one, which goes back as it came.
    nonisolated func number(_ name: String) -> String? {
        if let text = filledText(name) { return text }
        return (try? decode(Double.self, forKey: AnyKey(name))).map { "\($0)" }
    }
}
