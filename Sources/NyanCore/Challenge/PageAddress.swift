/// Addresses of pages that a person is told to open: only VK's own, or those of hosts the settings name. A page of any
/// other host could be anybody's idea of a login form.
public enum PageAddress {
    private static let vk = ["vk.com", "vk.ru"]
    /// No real one is nearly that long.
    private static let longest = 2000

    /// The address as it may be shown; nil where it is none of VK's, or holds what no address has.
    ///
    /// `configured` are addresses of the settings, whose hosts count too, also without TLS.
    public static func shown(_ text: String, configured: [String] = []) -> String? {
        guard text.utf8.count <= longest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.utf8.contains(where: { "\"'`<>\\^{|}".utf8.contains($0) }), let host = host(of: text)
        else { return nil }
        if isVKs(host) { return scheme(of: text) == "https" ? text : nil }
        let known = configured.contains { Self.host(of: $0) == host }
        return known ? text : nil
    }

    /// The host in lower case, without its port; nil for anything but http and https, and where a name stands before it.
    public static func host(of text: String) -> String? {
        guard let scheme = scheme(of: text), scheme == "https" || scheme == "http" else { return nil }
        let rest = text.utf8.dropFirst(scheme.utf8.count + 3)
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        guard let name = String(authority)?.lowercased(), !name.isEmpty else { return nil }
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.count == 1 || parts[1].allSatisfy({ $0.isASCII && $0.isNumber }),
            !parts[0].isEmpty,
            parts[0].utf8.allSatisfy({
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
            })
        else { return nil }
        return String(parts[0])
    }

    /// Both domains are the same service (vk-api.md §0.5).
    public static func isVKs(_ host: String) -> Bool { vk.contains { host == $0 || host.hasSuffix("." + $0) } }

    private static func scheme(of text: String) -> String? {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        return text[..<colon].lowercased()
    }
}

/// VK's own sentences, as they may stand in ours: one line, no control or direction characters, not endless.
public enum ForeignWords {
    public static func cleaned(_ text: String, limit: Int = 300) -> String? {
        let scalars = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        let kept = String(String.UnicodeScalarView(scalars))
        let words = kept.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !words.isEmpty else { return nil }
        return words.count > limit ? String(words.prefix(limit)) + "…" : words
    }
}
