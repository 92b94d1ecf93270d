/// Reads addresses of VK's site as people paste them: `https://vk.com/audio1_2_key`, `m.vk.ru/audios-123?z=…`.
public enum VKAddress {
    /// A track's address: `…/audio-123_456_key`; also the bare last part. nil for anything else.
    public static func track(_ text: some StringProtocol) -> TrackReference? {
        guard let page = page(text), page.hasPrefix("audio") else { return nil }
        return TrackReference(page.dropFirst("audio".count))
    }

    /// Whose list a word means.
    public enum Owner: Sendable, Equatable {
        /// Negative for groups.
        case id(Int64)
        /// To be asked of VK.
        case screenName(String)
    }

    /// An owner by id, by screen name, or by the address of their page or their music; nil for what is none of these.
    public static func owner(_ text: some StringProtocol) -> Owner? {
        guard let page = page(text) else { return nil }
        if let id = number(page[...], signed: true) { return .id(id) }
        // What VK numbers itself needs no question.
        for (prefix, sign) in [("id", 1), ("club", -1), ("public", -1), ("event", -1)] as [(String, Int64)] {
            if page.hasPrefix(prefix), let id = number(page.dropFirst(prefix.count)) { return .id(sign * id) }
        }
        for prefix in ["audios", "audio_playlists", "wall"] where page.hasPrefix(prefix) {
            let number = page.dropFirst(prefix.count).prefix { $0 != "_" }
            if let id = Self.number(number, signed: true) { return .id(id) }
        }
        let isName =
            page.utf8.count <= 64
            && page.allSatisfy { character in
                character.isASCII && (character.isLetter || character.isNumber || character == "_" || character == ".")
            }
        return isName && page.contains(where: \.isLetter) ? .screenName(page) : nil
    }

    private static let hosts: Set<String> = ["vk.com", "vk.ru", "vkontakte.ru"]

    /// The first part of the path of an address at VK, or the whole text where it is no address; nil for other hosts.
    private static func page(_ text: some StringProtocol) -> String? {
        let blank: (Character) -> Bool = { $0.isWhitespace || $0 == "\"" || $0 == "<" || $0 == ">" }
        var rest = Substring(text).drop(while: blank)
        while let last = rest.last, blank(last) { rest.removeLast() }
        var isAddress = false
        for scheme in ["https://", "http://", "//"] where rest.lowercased().hasPrefix(scheme) {
            rest = rest.dropFirst(scheme.count)
            isAddress = true
            break
        }
        if isAddress || rest.contains("/") {
            var host = rest.prefix { !"/?#".contains($0) }.lowercased()
            for part in ["m.", "www.", "new."] where host.hasPrefix(part) { host = String(host.dropFirst(part.count)) }
            guard hosts.contains(host) else { return nil }
            rest = rest.drop { !"/?#".contains($0) }
            guard rest.first == "/" else { return nil }
            rest = rest.dropFirst().prefix { !"/?#".contains($0) }
        } else if rest.first == "@" {
            rest = rest.dropFirst()
        }
        return rest.isEmpty ? nil : String(rest)
    }

    private static func number(_ text: some StringProtocol, signed: Bool = false) -> Int64? {
        let digits = signed && text.hasPrefix("-") ? Substring(text.dropFirst()) : Substring(text)
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let id = Int64(text), id != 0 else {
            return nil
        }
        return id
    }
}
