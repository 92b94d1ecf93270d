/// Everything that makes VK believe which client speaks; used together or not at all (vk-api.md §0.2, §1.9).
public struct ClientProfile: Sendable, Equatable {
    /// `web`, `android`, `marusia`, `kate` or the user's own.
    public var name: String
    public var userAgent: String
    /// The API version `v`; response shapes depend on it.
    public var version: String
    /// Base of API calls without a trailing slash, such as `https://api.vk.ru/method`.
    public var apiURL: String
    /// Further headers of this client, such as `Origin`.
    public var headers: [String: String]

    public init(name: String, userAgent: String, version: String, apiURL: String, headers: [String: String] = [:]) {
        self.name = name
        self.userAgent = userAgent
        self.version = version
        self.apiURL = apiURL
        self.headers = headers
    }
}

/// A token with the client profile it was made for: the one thing that is stored and used as a unit.
public struct Credential: Sendable, Equatable {
    public var profile: ClientProfile
    public var token: Secret

    public init(profile: ClientProfile, token: Secret) {
        self.profile = profile
        self.token = token
    }
}

/// Whose account it is, as proved by real calls at login.
public struct Account: Sendable, Equatable, Codable {
    public var id: Int64
    public var name: String
    /// Tracks in the profile as VK counts them.
    public var tracks: Int
    /// The kind of login: `token` now; others follow.
    public var login: String
    /// What kind of locations this login is given: `mp3`, `hls`, `none`; nil when there was no track to ask about.
    public var locationKind: String?

    public init(id: Int64, name: String, tracks: Int, login: String, locationKind: String? = nil) {
        self.id = id
        self.name = name
        self.tracks = tracks
        self.login = login
        self.locationKind = locationKind
    }
}
