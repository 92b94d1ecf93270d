/// Something VK wants from the person before it goes on (vk-api.md §3.2 rows 14, 17, 24, 25, 33xx, 11500; §1.4).
///
/// A value without I/O: what to open, what to ask, and what goes back with the repeated request.
public struct Challenge: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// Letters of a picture (captcha, old form).
        case picture
        /// A page that ends with a `success_token` (captcha since 2025).
        case robotCheck
        /// A page that ends at `blank.html`, with a new token as a rule (error 17).
        case validation
        /// Yes or no to a sentence of VK's (error 24).
        case confirmation
        /// The second factor of a password login.
        case code(CodeWay)
        /// Something to do in VK itself; nothing but "done" can be answered (25, 33xx, 11500).
        case deed
    }

    /// How the second factor's code reaches the person (`validation_type`).
    public enum CodeWay: String, Sendable, CaseIterable {
        case sms = "2fa_sms"
        case app = "2fa_app"
        case call = "2fa_callreset"
        case libverify = "2fa_libverify"
        case push = "2fa_push"
        case email = "2fa_email"
    }

    public var kind: Kind
    /// VK's name for this demand; each is used once.
    public var sid: String?
    /// What to open; only ever an address of VK or of a configured host (`PageAddress`).
    public var address: String?
    /// VK's own sentence or where a code went, cleaned; for `.deed` what is to be done.
    public var words: String?
    /// Goes back as it came: `captcha_ts`, `captcha_attempt`, `remixstlid`.
    public var echo: [FormField]
    /// What became of the answer before; nil for the first round.
    public var note: String?

    public init(
        _ kind: Kind, sid: String? = nil, address: String? = nil, words: String? = nil, echo: [FormField] = [],
        note: String? = nil
    ) {
        self.kind = kind
        self.sid = sid
        self.address = address
        self.words = words
        self.echo = echo
        self.note = note
    }

    public var isCaptcha: Bool { kind == .picture || kind == .robotCheck }

    /// Such a thing cannot be asked: there is nothing to look at, or the address was none of VK's.
    public var isAnswerable: Bool {
        switch kind {
        case .picture, .robotCheck: address != nil && sid != nil
        case .validation: address != nil
        case .confirmation, .code, .deed: true
        }
    }
}

/// One parameter of a request. The value prints as `•••`: it may be a code, a password or a token.
public struct FormField: Sendable, Equatable {
    public var name: String
    public var value: Secret
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = Secret(value)
    }
}

extension Challenge {
    /// What the person is told: what to open and what to hand in. Ends with the command that does.
    public var question: String {
        let first = note.map { "\($0). " } ?? ""
        return first + demand
    }

    /// The failure whoever asked is told at once; the operation itself waits.
    public var failure: Failure { Failure(.challengeNeeded, question) }

    /// A word for logs: neither the address nor VK's sentence.
    public var word: String {
        switch kind {
        case .picture, .robotCheck: "a captcha"
        case .validation: "a validation"
        case .confirmation: "a confirmation"
        case .code: "a code"
        case .deed: "an action in a browser"
        }
    }

    private var demand: String {
        let page = address ?? "VK"
        switch kind {
        case .picture:
            return "VK wants a captcha: open \(page) and hand in its letters: `nyanctl answer LETTERS`"
        case .robotCheck:
            return "VK wants to see that you are no robot: open \(page) in a browser with its network tools (F12) on, "
                + "pass the check, and hand in the success_token of the page's last answer: `nyanctl answer TOKEN`; "
                + "a login by `nyanctl login --cookies` meets this less often"
        case .validation:
            return "VK wants this login confirmed: open \(page) in a browser, and hand in the address it ends at "
                + "(…/blank.html#…): `nyanctl answer`"
        case .confirmation:
            let asked = words.map { "VK asks: “\($0)”" } ?? "VK wants this action confirmed"
            return "\(asked); say `nyanctl answer yes` or `nyanctl answer no`"
        case .code(let way):
            let browser = address.map { "; or open \($0) and hand in the address it ends at" } ?? ""
            return "VK wants \(way.words)\(words.map { " (\($0))" } ?? ""): `nyanctl answer CODE`; "
                + "`nyanctl answer resend` sends another\(browser)"
        case .deed:
            let deed = words ?? "VK wants a confirmation from you"
            return "\(deed): \(address.map { "open \($0)" } ?? "open VK") in a browser, then say `nyanctl answer done`"
        }
    }
}

extension Challenge.CodeWay {
    var words: String {
        switch self {
        case .sms: "the code it sent by SMS"
        case .app: "the code of your authenticator app"
        case .call: "the last digits of the number that calls you"
        case .libverify: "the code it sent to your phone"
        case .push: "the code it sent to another device of yours"
        case .email: "the code it sent by e-mail"
        }
    }
}
