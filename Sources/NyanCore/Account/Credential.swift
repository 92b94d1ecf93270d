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
    /// VK's number for this client, the `client_id` and `app_id` of its calls; nil = not known.
    public var clientID: String?
    /// Base of the token endpoint and the authorize page, without a trailing slash; empty = not known.
    public var oauthURL: String
    /// Base of the web session's token endpoint, without a trailing slash; empty = not known.
    public var loginURL: String

    public init(
        name: String, userAgent: String, version: String, apiURL: String, headers: [String: String] = [:],
        clientID: String? = nil, oauthURL: String = "", loginURL: String = ""
    ) {
        self.name = name
        self.userAgent = userAgent
        self.version = version
        self.apiURL = apiURL
        self.headers = headers
        self.clientID = clientID
        self.oauthURL = oauthURL
        self.loginURL = loginURL
    }

    /// The same client at other addresses of VK: the settings decide where calls go, whenever the login was made.
    public func at(addressesOf other: ClientProfile) -> ClientProfile {
        var moved = self
        (moved.apiURL, moved.oauthURL, moved.loginURL) = (other.apiURL, other.oauthURL, other.loginURL)
        return moved
    }
}

/// A token with the client profile it was made for, and what makes the next one: the one thing that is stored and used
/// as a unit.
public struct Credential: Sendable, Equatable {
    public var profile: ClientProfile
    /// Empty for a web session that has not been given a token yet.
    public var token: Secret
    public var way: LoginWay
    /// When the token ends, in unix seconds; nil = VK named no end.
    public var expires: Int64?
    /// Of `way` `.cookies` only: what a new token is asked for with.
    public var cookies: WebCookies?
    /// Whose it is; nil = not known yet.
    public var user: Int64?

    public init(
        profile: ClientProfile, token: Secret, way: LoginWay = .token, expires: Int64? = nil,
        cookies: WebCookies? = nil, user: Int64? = nil
    ) {
        self.profile = profile
        self.token = token
        self.way = way
        self.expires = expires
        self.cookies = cookies
        self.user = user
    }
}

/// Whose account it is, as proved by real calls at login.
public struct Account: Sendable, Equatable, Codable {
    public var id: Int64
    public var name: String
    /// Tracks in the profile as VK counts them.
    public var tracks: Int
    /// The kind of login: a `LoginWay`'s raw value.
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
