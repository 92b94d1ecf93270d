/// Reads addresses of VK's site as people paste them: `https://vk.com/audio1_2_key`, `m.vk.ru/audios-123?z=…`.
public enum VKAddress {
    /// A track's address: `…/audio-123_456_key`, on any page with such a one in its query; also the bare last part. nil
    /// for anything else.
    public static func track(_ text: some StringProtocol) -> TrackReference? {
        guard let page = VKPage(text) else { return nil }
        for value in page.path.prefix(1) + page.query.sorted(by: { $0.key < $1.key }).map(\.value) {
            guard var found = track(named: value) else { continue }
            // The key may also stand in a field of its own.
            if found.accessKey == nil, let key = page.key { found = TrackReference("\(found)_\(key)") ?? found }
            return found
        }
        return nil
    }

    /// `audioOWNER_ID`, with the key behind an underscore or a slash.
    private static func track(named value: String) -> TrackReference? {
        guard value.hasPrefix("audio") else { return nil }
        let parts = value.dropFirst("audio".count).split(separator: "/", omittingEmptySubsequences: false)
        return TrackReference(parts.joined(separator: "_"))
    }

    /// Whether a text is the address of any page of VK's: nothing to be played is there, whatever it shows.
    public static func isPage(_ text: some StringProtocol) -> Bool { VKPage(text)?.isWhole ?? false }

    /// Whose list a word means.
    public enum Owner: Sendable, Equatable {
        /// Negative for groups.
        case id(Int64)
        /// To be asked of VK.
        case screenName(String)
    }

    /// An owner by id, by screen name, or by the address of their page or their music; nil for what is none of these.
    public static func owner(_ text: some StringProtocol) -> Owner? {
        guard let place = VKPage(text), let page = place.path.first else { return nil }
        if let id = number(page[...], signed: true) { return .id(id) }
        // What VK numbers itself needs no question.
        for (prefix, sign) in [("id", 1), ("club", -1), ("public", -1), ("event", -1)] as [(String, Int64)] {
            if page.hasPrefix(prefix), let id = number(page.dropFirst(prefix.count)) { return .id(sign * id) }
        }
        for prefix in ["audios", "audio_playlists", "wall"] where page.hasPrefix(prefix) {
            let number = page.dropFirst(prefix.count).prefix { $0 != "_" }
            if let id = Self.number(number, signed: true) { return .id(id) }
        }
        if let field = place.query["id"], ["audio", "audios", "friends"].contains(page) {
            return number(field[...], signed: true).map(Owner.id)
        }
        // A track, a playlist or a picture is nobody, and no question to VK makes it somebody.
        guard place.path.count == 1, track(named: page) == nil, PlaylistReference(text) == nil, !VKNames.areTaken(page)
        else { return nil }
        let isName =
            page.utf8.count <= 64
            && page.allSatisfy { character in
                character.isASCII && (character.isLetter || character.isNumber || character == "_" || character == ".")
            }
        return isName && page.contains(where: \.isLetter) ? .screenName(page) : nil
    }

    private static func number(_ text: some StringProtocol, signed: Bool = false) -> Int64? {
        let digits = signed && text.hasPrefix("-") ? Substring(text.dropFirst()) : Substring(text)
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let id = Int64(text), id != 0 else {
            return nil
        }
        return id
    }
}
