/// A playlist as a person names it: the identity, and the key that opens somebody else's.
public struct PlaylistReference: Hashable, Sendable, CustomStringConvertible {
    public var id: PlaylistID
    public var accessKey: String?

    public init(id: PlaylistID, accessKey: String? = nil) {
        self.id = id
        self.accessKey = accessKey
    }

    /// `OWNER_ID` or `OWNER_ID_KEY`.
    public var description: String { accessKey.map { "\(id)_\($0)" } ?? id.description }

    /// Reads `OWNER_ID`, `OWNER_ID_KEY` and VK's addresses of a playlist (vk-api.md §2); nil for anything else.
    public init?(_ text: some StringProtocol) {
        guard let found = Self.plain(String(PastedWord.bare(text))) ?? VKPage(text).flatMap(Self.found) else {
            return nil
        }
        self = found
    }

    /// The written form, read from the left.
    private static func plain(_ text: String) -> PlaylistReference? {
        let parts = text.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, let owner = number(parts[0]), let number = number(parts[1]) else { return nil }
        var reference = PlaylistReference(id: PlaylistID(owner: owner, number: number))
        if parts.count == 3 {
            guard let key = key(parts[2]) else { return nil }
            reference.accessKey = key
        }
        return reference
    }

    /// `vk.com/music/playlist/…`, `…/music/album/…`, and any page of VK with `audio_playlist…` in its query.
    private static func found(at page: VKPage) -> PlaylistReference? {
        let words = page.path
        if words.count == 3, words[0] == "music", words[1] == "playlist" || words[1] == "album" {
            return plain(words[2])?.opened(by: page.key)
        }
        for (_, value) in page.query.sorted(by: { $0.key < $1.key }) {
            if let found = inQuery(value) { return found.opened(by: page.key) }
        }
        return words.count == 1 ? inQuery(words[0])?.opened(by: page.key) : nil
    }

    /// `audio_playlistOWNER_ID`, with the key behind a slash or an underscore.
    private static func inQuery(_ value: String) -> PlaylistReference? {
        let word = "audio_playlist"
        guard value.hasPrefix(word) else { return nil }
        let parts = value.dropFirst(word.count).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true)
        guard let first = parts.first, var reference = plain(String(first)) else { return nil }
        if parts.count == 2 {
            guard let key = key(parts[1]) else { return nil }
            reference.accessKey = key
        }
        return reference
    }

    /// The key may also stand in a field of its own.
    private func opened(by key: String?) -> PlaylistReference {
        guard accessKey == nil, let key else { return self }
        return PlaylistReference(id: id, accessKey: Self.key(key))
    }

    private static func key(_ text: some StringProtocol) -> String? {
        let isKey =
            !text.isEmpty && text.utf8.count <= 128
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return isKey ? String(text) : nil
    }

    /// Strict decimal with an optional minus sign, not 0.
    private static func number(_ text: Substring) -> Int64? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(text), number != 0
        else { return nil }
        return number
    }
}
