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

    /// nil for an address of another site, and for VK's front page.
    init?(_ text: some StringProtocol) {
        var rest = PastedWord.bare(text)
        let scheme = Self.schemes.first { rest.lowercased().hasPrefix($0) }
        rest = rest.dropFirst(scheme?.count ?? 0)
        // A part of VK's own that is copied without its host.
        let isPart = scheme == nil && (rest.hasPrefix("music/") || rest.hasPrefix("/music/"))
        isWhole = scheme != nil || rest.contains("/") && !isPart
        if isWhole {
            var host = rest.prefix { !"/?#".contains($0) }.lowercased()
            rest = rest.drop { !"/?#".contains($0) }
            if let part = Self.subdomains.first(where: { host.hasPrefix($0) }) { host.removeFirst(part.count) }
            guard Self.hosts.contains(host), rest.first == "/" else { return nil }
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
        guard !path.isEmpty else { return nil }
        if path[0].hasPrefix("@") { path[0].removeFirst() }
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
