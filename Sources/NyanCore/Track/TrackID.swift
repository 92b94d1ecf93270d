/// A track's identity at VK: who owns the audio and its number there, written `OWNER_ID` (vk-api.md §2).
///
/// Never derived from VK's media URLs: those expire and differ at each resolve. A negative owner is a community or a
/// label; owner 0, which VK does not have, is a sound at an address of its own (`SoundAddress`).
public struct TrackID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Positive for people, negative for communities and the licensed catalogue, 0 for an address.
    public var owner: Int64
    /// The audio's number under its owner; positive.
    public var audio: Int64

    public init(owner: Int64, audio: Int64) {
        self.owner = owner
        self.audio = audio
    }

    /// Reads `OWNER_ID`; nil for anything else, also for a text with an access key (see `TrackReference`).
    public init?(_ text: some StringProtocol) {
        guard let reference = TrackReference(text), reference.accessKey == nil else { return nil }
        self = reference.id
    }

    public var description: String { "\(owner)_\(audio)" }

    /// VK knows it, or may.
    public var isVKs: Bool { owner != 0 }
}

/// A track as a person or VK names it: the identity, and the key that opens somebody else's track.
public struct TrackReference: Hashable, Sendable, CustomStringConvertible {
    public var id: TrackID
    /// VK's third part; without it a foreign track's location may come back empty (vk-api.md §2.2 `getById`).
    public var accessKey: String?

    public init(id: TrackID, accessKey: String? = nil) {
        self.id = id
        self.accessKey = accessKey
    }

    /// Reads `OWNER_ID` or `OWNER_ID_KEY` from the left, as vk-api.md §2 says: optional `-`, digits, `_`, digits.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2,
            let owner = Self.number(parts[0], signed: true),
            let audio = Self.number(parts[1], signed: false), audio > 0
        else { return nil }
        if parts.count == 3 {
            guard !parts[2].isEmpty, parts[2].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
                return nil
            }
            accessKey = String(parts[2])
        }
        id = TrackID(owner: owner, audio: audio)
    }

    public var description: String { accessKey.map { "\(id)_\($0)" } ?? id.description }

    /// Strict decimal: no plus sign, no spaces, ASCII digits only.
    private static func number(_ text: some StringProtocol, signed: Bool) -> Int64? {
        let digits = signed && text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(text)
    }
}
