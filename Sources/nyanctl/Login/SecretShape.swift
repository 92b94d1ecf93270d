import NyanCore

/// What somebody pasted where a secret was asked for, judged by its look before anybody is asked about it.
/// A value without I/O; no sentence holds any part of what was pasted.
enum SecretShape: Equatable {
    /// It looks like what this way takes; cleaned of quotes and of what stood around it.
    case fit(LoginWay, Secret)
    /// It is the name of a file: what is in it was meant.
    case file(String)
    /// It cannot be that; the sentence says why and what to do.
    case slip(String)

    /// Looks at `text`, pasted where `way` was chosen. What is plainly another way's secret is taken as such.
    static func look(_ text: String, for way: LoginWay) -> SecretShape {
        let bare = unquoted(text)
        guard !bare.isEmpty else { return .slip("nothing was pasted") }
        // A password may look like anything.
        if way == .password { return .fit(.password, Secret(text)) }
        if let path = path(bare) { return .file(path) }
        if isAddress(bare) { return address(bare) }
        if bare.contains("remixsid") { return cookies(text) }
        if let token = token(bare) { return .fit(.token, Secret(token)) }
        return switch way {
        case .cookies: cookies(text)
        case .token: .slip(notToken(bare))
        case .url, .password:
            .slip("this is no address: copy the whole line of the browser's address field, from https:// on")
        }
    }

    /// Without blanks and quotes around it.
    static func unquoted(_ text: String) -> String {
        var rest = trimmed(text[...])
        while rest.count > 1, let mark = rest.first, "\"'`«“".contains(mark), let end = rest.last,
            "\"'`»”".contains(end)
        {
            rest = trimmed(rest.dropFirst().dropLast())
        }
        return String(rest)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var rest = text.drop { $0.isWhitespace }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }

    /// One line that begins as a path does, or ends as the file of a browser's extension.
    private static func path(_ text: String) -> String? {
        guard !text.contains(where: \.isNewline), !text.contains("="), text.utf8.count < 4096 else { return nil }
        if text.hasPrefix("file://") {
            // As file managers copy it (RFC 8089): the host may be named, and what is no Latin letter is encoded.
            let rest = text.dropFirst("file://".count)
            let path = rest.hasPrefix("localhost/") ? rest.dropFirst("localhost".count) : rest
            return String(validating: PercentText.decoded(path), as: UTF8.self)
        }
        let begins = ["/", "~/", "./", "../"].contains { text.hasPrefix($0) }
        let ends = [".txt", ".json"].contains { text.lowercased().hasSuffix($0) }
        return begins || ends && !text.contains("{") && !text.contains("\t") ? text : nil
    }

    private static func isAddress(_ text: String) -> Bool {
        let head = text.prefix(8).lowercased()
        return head.hasPrefix("https://") || head.hasPrefix("http://") || text.contains("blank.html#")
    }

    /// An address: good where the authorize page has put its token, or its refusal, into it.
    private static func address(_ text: String) -> SecretShape {
        let isOne = !text.contains(where: \.isWhitespace)
        if isOne, ["access_token=", "error=", "fail="].contains(where: text.contains) {
            return .fit(.url, Secret(text))
        }
        if text.contains("/authorize") {
            return .slip(
                "this is the address of the page itself: open it in a browser, and paste the one it ends at")
        }
        return .slip(
            "this address has no access_token behind a #: it is not the one where VK's page ends, or not whole")
    }

    /// The daemon's own reading, so that what is missing is told at once.
    private static func cookies(_ text: String) -> SecretShape {
        do throws(Failure) {
            _ = try CookieText.read(text, loginURL: "")
        } catch {
            // Cookies of a host of one's own (`vk.login-url`) are the daemon's to judge.
            let mayBeOwn = text.contains("remixsid") && (text.contains("\t") || text.contains("domain"))
            guard mayBeOwn, !text.contains("vk.") else { return .slip(error.message) }
        }
        return .fit(.cookies, Secret(text))
    }

    /// A token as it is, or with the name that stood before it; nil where it does not look like one.
    private static func token(_ text: String) -> String? {
        var rest = text[...]
        for name in ["bearer", "access_token=", "token="] where rest.lowercased().hasPrefix(name) {
            rest = rest.dropFirst(name.count).drop { $0 == " " }.prefix { $0 != "&" }
        }
        let token = unquoted(String(rest))
        return token.utf8.count >= shortest && token.utf8.allSatisfy(isTokens) ? token : nil
    }

    /// VK's tokens have 85 characters or, since 2022, about 200; the look-alike's are no shorter than this.
    private static let shortest = 20

    private static func isTokens(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "._-".utf8.contains(byte)
        }
    }

    private static func notToken(_ text: String) -> String {
        if text.contains(where: \.isWhitespace) {
            return "a token is one word: more than the token was copied, or it was broken into lines"
        }
        return text.utf8.allSatisfy(isTokens)
            ? "this is too short for a token: copy it whole"
            : "a token has only Latin letters, digits and . _ - in it: copy it alone and whole"
    }
}
