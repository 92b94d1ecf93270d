/// Resolves a reference against the URL of the document it stands in (RFC 3986 §5).
enum URLReference {
    /// The five parts of a URL; nil = the part is absent, which differs from empty.
    private struct Parts {
        var scheme: Substring?
        var authority: Substring?
        var path: Substring
        var query: Substring?

        /// Splits by delimiters only (RFC 3986 appendix B); the fragment is dropped, it is never sent.
        init(_ text: Substring) {
            var rest = text.prefix { $0 != "#" }
            if let colon = rest.firstIndex(where: { ":/?".contains($0) }), rest[colon] == ":", colon > rest.startIndex,
                Self.isScheme(rest[..<colon])
            {
                scheme = rest[..<colon]
                rest = rest[rest.index(after: colon)...]
            }
            if rest.hasPrefix("//") {
                let host = rest.dropFirst(2)
                authority = host.prefix { $0 != "/" && $0 != "?" }
                rest = host.drop { $0 != "/" && $0 != "?" }
            }
            path = rest.prefix { $0 != "?" }
            query = path.endIndex < rest.endIndex ? rest[rest.index(after: path.endIndex)...] : nil
        }

        private static func isScheme(_ text: Substring) -> Bool {
            text.first?.isLetter == true
                && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        }
    }

    /// The absolute http or https URL a reference means; nil when it means none (a playlist must not lead to files).
    ///
    /// The base's query is inherited only by an empty reference. Blanks and control characters make it invalid.
    static func resolve(_ reference: some StringProtocol, against base: some StringProtocol) -> String? {
        guard reference.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        let base = Parts(Substring(base))
        var target = Parts(Substring(reference))
        if target.scheme == nil {
            target.scheme = base.scheme
            if target.authority == nil {
                target.authority = base.authority
                if target.path.isEmpty {
                    target.path = base.path
                    target.query = target.query ?? base.query
                } else if !target.path.hasPrefix("/") {
                    target.path = merged(target.path, base)
                }
            }
        }
        guard let scheme = target.scheme?.lowercased(), scheme == "https" || scheme == "http",
            let host = target.authority, !host.isEmpty
        else { return nil }
        return "\(scheme)://\(host)\(withoutDots(target.path))" + (target.query.map { "?\($0)" } ?? "")
    }

    /// The reference's path put in place of the base path's last element.
    private static func merged(_ path: Substring, _ base: Parts) -> Substring {
        guard let slash = base.path.lastIndex(of: "/") else { return "/" + path }
        return base.path[...slash] + path
    }

    /// RFC 3986 §5.2.4: `.` and `..` are carried out and never lead above the root.
    private static func withoutDots(_ path: Substring) -> String {
        guard !path.isEmpty else { return "" }
        var kept: [Substring] = []
        let elements = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (number, element) in elements.enumerated() {
            let isLast = number == elements.count - 1
            switch element {
            case "..":
                kept = kept.dropLast()
                if isLast { kept.append("") }
            case ".":
                if isLast { kept.append("") }
            default:
                kept.append(element)
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}
