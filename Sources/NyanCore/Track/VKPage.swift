/// A page of VK's site, as an address that somebody pasted names it: `https://m.vk.ru/audios1?z=audio_playlist1_2#top`,
/// `vk.com/durov`, or only the last part of one.
struct VKPage {
    /// The parts of the path, percent-decoded. A word that is no address is the only part, as it is.
    private(set) var path: [String] = []
    /// The fields behind `?`, percent-decoded.
    private(set) var query: [String: String] = [:]
    /// VK's host was named, and not only a part of a page's address.
    private(set) var isWhole = true

    /// VK's own names, all with the same pages (vk-api.md §2).
    private static let hosts: Set<String> = ["vk.com", "vk.ru", "vkontakte.ru"]
    private static let subdomains = ["m.", "www.", "new."]
    private static let schemes = ["https://", "http://", "//"]

    /// nil for an address of another site. VK's front page has no path, and what a host of VK's has that is not the site
    /// itself (`login.vk.com`, `oauth.vk.com`) has neither path nor query here: nothing there is a track or an owner.
    init?(_ text: some StringProtocol) {
        var rest = PastedWord.bare(text)
        let scheme = Self.schemes.first { rest.lowercased().hasPrefix($0) }
        rest = rest.dropFirst(scheme?.count ?? 0)
        // A part of VK's own that is copied without its host.
        let isPart = scheme == nil && (rest.hasPrefix("music/") || rest.hasPrefix("/music/"))
        let host = Self.host(rest.prefix { !"/?#".contains($0) })
        let hasQuery = rest.contains("?") && Self.isVKs(host)
        isWhole = scheme != nil || (rest.contains("/") || hasQuery) && !isPart
        if isWhole {
            guard Self.isVKs(host) else { return nil }
            guard Self.isSite(host) else { return }
            rest = rest.drop { !"/?#".contains($0) }
        } else if !isPart {
            guard !rest.isEmpty else { return nil }
            path = [String(rest.first == "@" ? rest.dropFirst() : rest)]
            return
        }
        let page = rest.prefix { $0 != "#" }
        let place = page.prefix { $0 != "?" }
        path = place.split(separator: "/").map(Self.decoded)
        for pair in page.dropFirst(place.count + 1).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { query[String(parts[0])] = Self.decoded(parts[1]) }
        }
        if let first = path.first, first.hasPrefix("@") { path[0].removeFirst() }
    }

    /// A host in small letters, without the port and the dot of a whole name.
    private static func host(_ text: Substring) -> String {
        var host = text.lowercased()[...]
        if let colon = host.lastIndex(of: ":"),
            host[host.index(after: colon)...].utf8.allSatisfy({ (48...57).contains($0) })
        {
            host = host[..<colon]
        }
        if host.last == "." { host.removeLast() }
        return String(host)
    }

    /// VK's own, or one below it. A name before an `@` is none of a host's letters.
    private static func isVKs(_ host: String) -> Bool {
        guard host.utf8.allSatisfy({ (97...122).contains($0) || (45...46).contains($0) || (48...57).contains($0) })
        else { return false }
        return hosts.contains { host == $0 || host.hasSuffix("." + $0) }
    }

    /// One that has the site's pages.
    private static func isSite(_ host: String) -> Bool {
        hosts.contains(host)
            || subdomains.contains { host.hasPrefix($0) && hosts.contains(String(host.dropFirst($0.count))) }
    }

    private static func decoded(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        return String(decoding: PercentText.decoded(text), as: UTF8.self)
    }

    /// What opens somebody else's track or playlist, where it stands in a field of its own.
    var key: String? { query["access_key"] ?? query["access_hash"] }
}

/// A word as it is pasted out of a sentence or a message.
public enum PastedWord {
    private static let opening = Set("\"'<([{«“„‘".unicodeScalars)
    private static let closing = Set("\"'>)]}»”’.,;:!?…".unicodeScalars)

    /// The word without blanks, quotes, brackets and the sentence's punctuation around it. No id and no address of VK's
    /// begins or ends with one of these.
    public static func bare(_ text: some StringProtocol) -> Substring {
        var rest = Substring(text).unicodeScalars
        while let first = rest.first, opening.contains(first) || first.properties.isWhitespace { rest.removeFirst() }
        while let last = rest.last, closing.contains(last) || last.properties.isWhitespace { rest.removeLast() }
        return Substring(rest)
    }
}
