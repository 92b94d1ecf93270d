import NyanCore

/// Every error number of VK's methods and what it means here (vk-api.md §3.2, §3.4): the only place that knows them.
nonisolated enum VKErrorTable {
    /// One line of the table. `words` say what to do; the number is appended.
    struct Row: Sendable {
        var codes: [Int]
        var meaning: Failure.Code
        var words: String
        var retry = Failure.Retry.never
        var backoff: Backoff?

        init(
            _ codes: Int..., meaning: Failure.Code, _ words: String, retry: Failure.Retry = .never,
            backoff: Backoff? = nil
        ) {
            self.codes = codes
            self.meaning = meaning
            self.words = words
            self.retry = retry
            self.backoff = backoff
        }
    }

    static func reaction(to error: VKError) -> Reaction {
        let row = error.code == 5 ? AuthorizationError.row(for: error) : row(for: error.code)
        return Reaction(
            failure: Failure(row.meaning, "\(row.words) (VK error \(error.code))", retry: row.retry),
            backoff: row.backoff, closing: MethodBlocks.Cause(rawValue: error.code),
            wantsRenewal: error.code == 5
                ? AuthorizationError.wantsRenewal(error) : [1114, 1117, 3609].contains(error.code),
            vkCode: error.code, challenge: error.challenge)
    }

    private static func row(for code: Int) -> Row {
        byCode[code] ?? Row(code, meaning: .denied, "VK refused this call")
    }

    private static let byCode = Dictionary(
        (passing + client + access + challenges + requests + limits).flatMap { row in row.codes.map { ($0, row) } },
        uniquingKeysWith: { first, _ in first })

    /// Trouble that passes by itself: tried again here.
    private static let passing = [
        Row(
            1, 10, 32, 36, meaning: .serverBusy, "VK has trouble of its own; try again later", retry: .later,
            backoff: .trouble),
        Row(6, meaning: .serverBusy, "VK says the calls come too fast", retry: .later, backoff: .rate),
    ]

    /// The token's client, not the person, is refused.
    private static let client = [
        Row(3, 23, meaning: .clientRefused, "This token's client no longer has music at VK; log in another way"),
        Row(2, 11, meaning: .clientRefused, "VK has switched this token's client off; log in another way"),
        Row(20, 21, meaning: .clientRefused, "VK keeps this from the token's kind of client; log in another way"),
        Row(34, 35, meaning: .clientRefused, "VK calls this client profile too old: change its user-agent and version"),
        Row(33, meaning: .unsupported, "VK has not made this yet"),
        Row(4, meaning: .notSignedIn, "The token wants signed calls; log in with a token made without nohttps"),
        Row(27, 28, meaning: .notSignedIn, "This is not a person's token; log in with your own"),
        Row(1117, meaning: .notSignedIn, "The token has expired; log in again"),
        Row(1114, 1116, 1118, meaning: .notSignedIn, "The token is an anonymous one; log in with your own"),
        Row(3609, meaning: .notSignedIn, "VK wants the token renewed; log in again"),
        Row(16, meaning: .badArgument, "VK wants https: check vk.api-url"),
    ]

    /// Somebody's rights, or something that is not there.
    private static let access = [
        Row(7, meaning: .denied, "This token may not do that at VK"),
        Row(15, meaning: .denied, "VK denies access to this"),
        Row(30, meaning: .denied, "This VK profile is private"),
        Row(200, 203, 204, 260, meaning: .denied, "VK denies access to this list"),
        Row(201, meaning: .denied, "The owner does not show this music"),
        Row(37, 38, 39, 40, 41, meaning: .denied, "VK does not know or has banned this user, group or client"),
        Row(42, meaning: .denied, "VK does not serve this network address"),
        Row(3610, 3611, meaning: .denied, "This VK user or service is switched off"),
        Row(220, 221, meaning: .denied, "The VK status may not show music"),
        Row(18, meaning: .unavailableTrack, "The owner of this music is deleted or banned at VK"),
        Row(19, meaning: .unavailableTrack, "VK has blocked this"),
        Row(104, meaning: .notFound, "VK knows nothing of this"),
        Row(202, meaning: .notFound, "It is too late to restore this; add it again"),
    ]

    /// Only the person can go on. VK's own link is a secret and stays out of the words.
    private static let challenges = [
        Row(14, meaning: .challengeNeeded, "VK wants a captcha: use VK in a browser for a while, then try again"),
        Row(17, meaning: .challengeNeeded, "VK wants this login confirmed: open VK in a browser, then log in again"),
        Row(24, meaning: .challengeNeeded, "VK wants this action confirmed in a browser or its app"),
        Row(
            25, meaning: .challengeNeeded,
            "VK protects the account from this client: confirm it in VK ID, Security, suspicious apps"),
        Row(
            3300, 3301, 3302, 3303, 3304, 3305, 11500, meaning: .challengeNeeded,
            "VK wants a confirmation from you: open VK in a browser, then try again"),
        Row(1110, 1112, 1113, meaning: .challengeNeeded, "VK did not take the code; ask for a new one"),
    ]

    /// The request itself is wrong, or its thing cannot be taken.
    private static let requests = [
        Row(8, meaning: .internal, "VK found the call malformed: the profile's version may not fit this token"),
        Row(12, 13, 9999, meaning: .internal, "VK could not run the call"),
        Row(100, meaning: .badArgument, "VK does not accept a part of the call"),
        Row(
            101, 113, 114, 118, 119, 121, 123, 125, 129, 150, meaning: .badArgument,
            "VK does not accept an id or a text of the call"),
        Row(22, 105, 106, meaning: .denied, "VK could not save this"),
        Row(103, 300, meaning: .denied, "The list is full"),
        Row(270, 301, 302, meaning: .denied, "VK does not take this file"),
        Row(500, 600, 603, meaning: .denied, "VK refuses this action"),
    ]

    /// VK asks to wait, for minutes and more: never tried again here.
    private static let limits = [
        Row(
            9, meaning: .serverBusy, "VK's flood control stopped this action; wait some minutes",
            retry: .after(seconds: 300)),
        Row(
            29, meaning: .serverBusy, "VK's limit for this is used up; it opens again within the hour",
            retry: .after(seconds: 3600)),
        Row(43, meaning: .serverBusy, "This part of VK is closed for now", retry: .after(seconds: 600)),
        Row(601, meaning: .serverBusy, "Too many actions today; go on tomorrow", retry: .after(seconds: 86400)),
        Row(1105, meaning: .serverBusy, "Too many logins; wait some hours", retry: .after(seconds: 7200)),
    ]
}
