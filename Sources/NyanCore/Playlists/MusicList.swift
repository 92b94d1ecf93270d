/// A list of the listener's that can be started as a whole: My Music, the profile, or a playlist of VK.
public enum MusicList: Hashable, Sendable, CustomStringConvertible {
    case music
    case profile
    case playlist(PlaylistID)

    /// `music`, `profile`, or the playlist's id.
    public var description: String {
        switch self {
        case .music: "music"
        case .profile: "profile"
        case .playlist(let id): id.description
        }
    }

    /// Reads `description` back; nil for anything else.
    public init?(_ text: some StringProtocol) {
        switch text {
        case "music": self = .music
        case "profile": self = .profile
        default:
            guard let reference = PlaylistReference(text), reference.description == text, reference.accessKey == nil
            else { return nil }
            self = .playlist(reference.id)
        }
    }
}
