import FoundationEssentials

/// Reads the cookies of a browser's session from whatever a person can copy: a Cookie header (with or without its name,
/// alone or among other headers), a Netscape `cookies.txt`, or the JSON of a browser extension (vk-api.md §1.7, §1.11).
public enum CookieText {
    /// One cookie of the text; `domain` is empty where the form names none.
    struct Crumb: Equatable {
        var name: String
        var value: String
        var domain = ""
    }

    /// The session's two cookies. `loginURL` is where they will be sent: of several sites' cookies that site's are taken,
    /// and of `vk.ru` and `vk.com` the same one's. Throws `.badArgument` naming what is missing; never any part of the text.
    public static func read(_ text: String, loginURL: String) throws(Failure) -> WebCookies {
        let crumbs = crumbs(of: text)
        guard !crumbs.isEmpty else {
            throw Failure(
                .badArgument,
                "there are no cookies in this: a Cookie header, a cookies.txt or a browser extension's "
                    + "JSON is wanted")
        }
        let sites = sites(for: loginURL)
        let ours = crumbs.filter { crumb in
            crumb.domain.isEmpty || sites.contains { isPart(crumb.domain, of: $0) }
        }
        let perSite = sites.map { site in ours.filter { $0.domain.isEmpty || isPart($0.domain, of: site) } }
        // The two of one site belong together; only where no site has both are they taken from anywhere.
        for found in perSite + [ours] {
            if let remixsid = value("remixsid", in: found), let p = value("p", in: found) {
                return WebCookies(remixsid: remixsid, p: p)
            }
        }
        let places = [("remixsid", "vk.ru"), ("p", "login.vk.ru")]
        let missing = places.filter { value($0.0, in: ours) == nil }
            .map { "\($0.0) (it belongs to \($0.1))" }
        throw Failure(
            .badArgument,
            "missing among these cookies: \(missing.joined(separator: " and ")); copy them from a browser where you are "
                + "signed in to VK")
    }

    /// Every cookie of the text, in its order.
    static func crumbs(of text: String) -> [Crumb] {
        let text = unwrapped(text)
        if text.hasPrefix("[") || text.hasPrefix("{") { return fromJSON(text) }
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        let rows = lines.compactMap(netscape)
        if !rows.isEmpty { return rows }
        // Among other headers only this one counts; a text without any name is the header's value.
        let named = lines.compactMap(headerValue)
        return (named.isEmpty ? lines : named).flatMap(pairs)
    }

    /// Without blanks, quotes and the marks that a terminal puts around what was pasted.
    private static func unwrapped(_ text: String) -> String {
        var rest = text.replacing("\u{1b}[200~", with: "").replacing("\u{1b}[201~", with: "")
        // A text that starts as bytes of a file may carry this mark.
        if rest.hasPrefix("\u{FEFF}") { rest.removeFirst() }
        rest = trimmed(rest[...])
        while rest.count > 1, let mark = rest.first, mark == "\"" || mark == "'", rest.last == mark {
            rest = trimmed(rest.dropFirst().dropLast())
        }
        return rest
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// `Cookie: a=b; c=d`, also as curl's `-H 'Cookie: …'` has it.
    private static func headerValue(_ line: String) -> String? {
        var rest = trimmed(line[...])
        if let option = ["-H ", "--header ", "-b ", "--cookie "].first(where: { rest.hasPrefix($0) }) {
            rest = trimmed(rest.dropFirst(option.count))
            if rest.hasSuffix("\\") { rest = trimmed(rest.dropLast()) }
            rest = unwrapped(rest)
            if option.hasPrefix("-b") || option.hasPrefix("--cookie") { return rest }
        }
        guard rest.prefix(7).lowercased() == "cookie:" else { return nil }
        return trimmed(rest.dropFirst(7))
    }

    private static func pairs(_ header: String) -> [Crumb] {
        header.split(separator: ";").compactMap { pair in
            guard let equals = pair.firstIndex(of: "=") else { return nil }
            let value = unwrapped(String(pair[pair.index(after: equals)...]))
            return Crumb(name: trimmed(pair[..<equals]), value: value)
        }
    }

    /// One row of a cookies.txt: domain, subdomains too, path, secure, end, name, value.
    private static func netscape(_ line: String) -> Crumb? {
        // Such rows are comments only by their look.
        let mark = "#HttpOnly_"
        let row = line.hasPrefix(mark) ? line.dropFirst(mark.count) : line[...]
        guard !row.hasPrefix("#") else { return nil }
        let fields = row.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count >= 7, ["TRUE", "FALSE"].contains(fields[1].uppercased()) else { return nil }
        return Crumb(name: trimmed(fields[5]), value: trimmed(fields[6]), domain: fields[0].lowercased())
    }

    /// An array of cookies, an object that has one under `cookies`, or an object of names and values.
    private static func fromJSON(_ text: String) -> [Crumb] {
        struct Cookie: Decodable { var name: String?, value: String?, domain: String?, host: String? }
        struct Jar: Decodable { var cookies: [Cookie] }
        let data = Data(text.utf8)
        let decoder = JSONDecoder()
        if let found = (try? decoder.decode([Cookie].self, from: data))
            ?? (try? decoder.decode(Jar.self, from: data))?.cookies
        {
            return found.compactMap { cookie in
                guard let name = cookie.name, let value = cookie.value else { return nil }
                return Crumb(name: name, value: value, domain: (cookie.domain ?? cookie.host ?? "").lowercased())
            }
        }
        let named = (try? decoder.decode([String: String].self, from: data)) ?? [:]
        return named.map { Crumb(name: $0.key, value: $0.value) }
    }

    /// The login address's own site first, then VK's two.
    static func sites(for loginURL: String) -> [String] {
        let host = loginURL.split(separator: "/").dropFirst().first.map(String.init) ?? ""
        let name = host.split(separator: ":").first.map { $0.lowercased() } ?? ""
        let own = name.hasPrefix("login.") ? String(name.dropFirst("login.".count)) : name
        return ([own, "vk.ru", "vk.com"]).filter { !$0.isEmpty }
    }

    static func isPart(_ domain: String, of site: String) -> Bool {
        let domain = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
        return domain == site || domain.hasSuffix("." + site)
    }

    /// The value of the cookie of that name, `p` rather from the login host; nil where it is empty, a deletion's mark, or
    /// nothing that may stand in a header.
    private static func value(_ name: String, in crumbs: [Crumb]) -> Secret? {
        let named = crumbs.filter { $0.name == name && isFit($0.value) }
        let hasLogin = { (crumb: Crumb) in crumb.domain.drop { $0 == "." }.hasPrefix("login.") }
        let found = named.first { hasLogin($0) == (name == "p") } ?? named.first
        return found.map { Secret($0.value) }
    }

    /// What a cookie's value may hold (RFC 6265 §4.1.1), and how long browsers let it be.
    static func isFit(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.count <= 4096 && value.lowercased() != "deleted"
            && value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\";,\\".utf8.contains($0) }
    }
}

extension WebCookies {
    /// Takes over what an answer's `Set-Cookie` lines say of the two. A deletion is not obeyed: one refusal or slip must
    /// not end a session that is still good (vk-api.md §1.7). `loginURL` is where the answer came from: a cookie for another
    /// site is none of the session's (RFC 6265 §5.3).
    public func changed(by setCookies: [Secret], from loginURL: String) -> WebCookies {
        var cookies = self
        let sites = CookieText.sites(for: loginURL)
        for line in setCookies where Self.isFor(sites, line.revealed) {
            let pair = line.revealed.prefix { $0 != ";" }
            guard let equals = pair.firstIndex(of: "=") else { continue }
            let name = pair[..<equals].filter { !$0.isWhitespace }
            let value = pair[pair.index(after: equals)...].filter { !$0.isWhitespace && $0 != "\"" }
            guard CookieText.isFit(value), !isDeletion(line.revealed) else { continue }
            switch name {
            case "remixsid": cookies.remixsid = Secret(value)
            case "p": cookies.p = Secret(value)
            default: continue
            }
        }
        return cookies
    }

    /// Whether the line names no domain, or one within these sites.
    private static func isFor(_ sites: [String], _ line: String) -> Bool {
        line.split(separator: ";").dropFirst().allSatisfy { attribute in
            let words = attribute.lowercased().filter { !$0.isWhitespace }
            // An empty one is as none (RFC 6265 §5.2.3).
            guard words.hasPrefix("domain="), words != "domain=" else { return true }
            return sites.contains { CookieText.isPart(String(words.dropFirst("domain=".count)), of: $0) }
        }
    }

    private func isDeletion(_ line: String) -> Bool {
        line.split(separator: ";").dropFirst().contains { attribute in
            let words = attribute.lowercased().filter { !$0.isWhitespace }
            return words.hasPrefix("max-age=0") || words.hasPrefix("max-age=-")
                || words.hasPrefix("expires=thu,01jan1970")
                || words.hasPrefix("expires=thu,01-jan-1970")
        }
    }

    /// The value of a Cookie header.
    public var header: Secret { Secret("remixsid=\(remixsid.revealed); p=\(p.revealed)") }
}
