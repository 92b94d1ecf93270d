/// The address that a page of VK's ended at, as a person copies it from a browser (vk-api.md §1.5).
public enum PastedAddress: Sendable, Equatable {
    /// `expires`: seconds from now; nil = VK named no end.
    case token(Secret, user: Int64, expires: Int64?, state: String?)
    /// `success=1` without a token: the old one holds (error 17).
    case success
    /// VK or the person said no; in words.
    case refused(String)

    /// Layers of percent-encoding and of `authorize_url=` that are taken off at most.
    private static let layers = 4
    /// A token has up to 1 KiB (vk-api.md §1.10).
    private static let longestToken = 4096

    /// Reads every form of §1.5: either domain, after `#` or `?`, encoded once or twice, the bare fragment, in quotes or
    /// broken over lines, or inside `authorize_url=`.
    ///
    /// `configured` are addresses of the settings, whose hosts count as VK's. Throws `.badArgument` for anything that is
    /// not such an address; its words never repeat what was pasted.
    public static func read(_ pasted: String, configured: [String] = []) throws(Failure) -> PastedAddress {
        // No address holds white space: what is there, a terminal's line breaks put in.
        var text = pasted.trimmedOfQuotes.filter { !$0.isWhitespace }
        for _ in 0..<layers {
            if let inner = value(of: "authorize_url", in: parameters(of: text)) {
                text = inner
            } else if meant(parameters(of: text)) == nil, text.contains("%"),
                let decoded = String(validating: PercentText.decoded(text), as: UTF8.self), decoded != text
            {
                text = decoded
            } else {
                break
            }
        }
        let parameters = parameters(of: text)
        guard let meaning = meant(parameters) else {
            throw Failure(
                .badArgument, "that is not the address VK's page ends at: it holds access_token=… and user_id=…")
        }
        if let place = place(of: text) {
            guard let host = PageAddress.host(of: place),
                PageAddress.isVKs(host) || configured.contains(where: { PageAddress.host(of: $0) == host })
            else { throw Failure(.badArgument, "that address is none of VK's (vk.com or vk.ru)") }
        }
        switch meaning {
        case "access_token": return try token(parameters)
        case "success": return value(of: "success", in: parameters) == "1" ? .success : .refused(declined)
        case "error": return .refused(words(parameters))
        default: return .refused(declined)
        }
    }

    private static let declined = "the confirmation was given up in the browser"

    /// The parameter that tells what the address means.
    private static func meant(_ parameters: [(name: String, value: String)]) -> String? {
        ["access_token", "error", "fail", "cancel", "success", "user_id"].first { wanted in
            parameters.contains { $0.name == wanted }
        }.map { $0 == "user_id" ? "access_token" : $0 }
    }

    /// Seconds a token may last: a century. More is nonsense, and what is added to it must not overflow.
    private static let longestLife: Int64 = 3_155_760_000

    private static func token(_ parameters: [(name: String, value: String)]) throws(Failure) -> PastedAddress {
        guard let token = value(of: "access_token", in: parameters), !token.isEmpty else {
            throw Failure(.badArgument, "the address has no access_token: copy it whole")
        }
        guard token.utf8.count <= longestToken, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure(.badArgument, "the address has an access_token that is none: copy it anew")
        }
        guard let user = value(of: "user_id", in: parameters).flatMap({ Int64($0) }), user > 0 else {
            throw Failure(.badArgument, "the address has no user_id: copy it whole")
        }
        let seconds = value(of: "expires_in", in: parameters).flatMap { Int64($0) }
        return .token(
            Secret(token), user: user, expires: seconds.flatMap { $0 > 0 ? min($0, longestLife) : nil },
            state: value(of: "state", in: parameters))
    }

    /// VK's error fragments in words (vk-api.md §1.5, §1.6).
    private static func words(_ parameters: [(name: String, value: String)]) -> String {
        switch value(of: "error", in: parameters) ?? "" {
        case "access_denied": return "access was refused on VK's page"
        case "invalid_client", "unauthorized_client": return "VK does not let this client in (check client-id)"
        case "invalid_scope": return "VK does not give this client what it asks for (check scope)"
        case let other:
            let told = value(of: "error_description", in: parameters).flatMap { ForeignWords.cleaned($0) }
            let name = ForeignWords.cleaned(other, limit: 60) ?? "an error"
            return told.map { "VK's page said: \($0) (\(name))" } ?? "VK's page ended with \(name)"
        }
    }

    private static func value(of name: String, in parameters: [(name: String, value: String)]) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// Behind `#`, then behind `?`, or the whole of a bare fragment; decoded.
    private static func parameters(of text: String) -> [(name: String, value: String)] {
        var lists: [Substring] = []
        if let hash = text.firstIndex(of: "#") { lists.append(text[text.index(after: hash)...]) }
        let front = text.prefix { $0 != "#" }
        if let mark = front.firstIndex(of: "?") {
            lists.append(front[front.index(after: mark)...])
        } else if !front.contains("://") {
            lists.append(front)
        }
        return lists.flatMap { $0.split(separator: "&") }.compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts[0].drop { $0 == "/" || $0 == "#" || $0 == "?" }
            guard !name.isEmpty else { return nil }
            // In a fragment a plus is a blank where it stands in words, and itself in a token.
            let value = parts.count == 2 ? String(decoding: PercentText.decoded(parts[1]), as: UTF8.self) : ""
            let isWords = name.hasPrefix("error")
            return (String(name), isWords ? String(value.map { $0 == "+" ? " " : $0 }) : value)
        }
    }

    /// The page itself as an address with scheme; nil for a bare fragment.
    private static func place(of text: String) -> String? {
        let front = text.prefix { $0 != "#" && $0 != "?" }
        if front.contains("://") { return String(front) }
        guard !front.isEmpty, !front.contains("="), front.contains(".") else { return nil }
        return "https://\(front)"
    }
}

/// The page where VK asks whether a client may have a token (vk-api.md §1.5).
public enum AuthorizePage {
    /// `state` comes back with the answer, so that nobody else's address is taken for it.
    public static func address(
        _ profile: ClientProfile, scope: String, state: String
    ) throws(Failure) -> String {
        guard let client = profile.clientID else {
            throw Failure(
                .badArgument,
                "the client profile “\(profile.name)” has no client-id: set it under "
                    + "[profile.\(profile.name)] in nyand.conf")
        }
        func encoded(_ text: String) -> String { PercentText.encoded(text.utf8) }
        let fields = [
            ("client_id", client), ("display", "page"), ("redirect_uri", "\(profile.oauthURL)/blank.html"),
            ("scope", scope), ("response_type", "token"), ("v", profile.version), ("state", state),
        ]
        let query = fields.map { "\($0)=\(encoded($1))" }.joined(separator: "&")
        return "\(profile.oauthURL)/authorize?\(query)"
    }
}
