/// One play as scrobbling sites are told of it: nothing that names the person, their VK account or where the sound is.
public struct Listen: Sendable, Equatable {
    public var artist: String
    public var title: String
    public var album: String?
    /// Whole seconds; 0 = unknown.
    public var seconds: Int
    /// When its sound began, in seconds since 1970.
    public var began: Int64

    public init(artist: String, title: String, album: String? = nil, seconds: Int = 0, began: Int64) {
        self.artist = artist
        self.title = title
        self.album = album
        self.seconds = seconds
        self.began = began
    }

    /// nil for what no site takes: without an artist or a title, and radio, whose name is no song's.
    init?(_ track: Track, length: Duration?, began: Int64) {
        let (artist, title) = (Self.trimmed(track.artist), Self.trimmed(track.title))
        guard !artist.isEmpty, !title.isEmpty, !track.isLive else { return nil }
        let album = track.album.map(Self.trimmed)
        let seconds = length.map { Int(min(($0 / .seconds(1)).rounded(), Self.longest)) } ?? 0
        self.init(
            artist: artist, title: title, album: album?.isEmpty == false ? album : nil, seconds: max(0, seconds),
            began: began)
    }

    /// Seconds; what a library of before may say beyond that fits no site's numbers.
    private static let longest = 360_000.0

    private static func trimmed(_ text: String) -> String {
        let tail = text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }
        return String(tail.reversed())
    }
}

/// Where listens go. Raw values are what nyanctl, the bus and the journal call them; never renamed.
public enum ScrobbleSite: String, Sendable, CaseIterable {
    case listenbrainz, lastfm

    /// As the site writes its own name.
    public var title: String {
        switch self {
        case .listenbrainz: "ListenBrainz"
        case .lastfm: "Last.fm"
        }
    }
}

/// How scrobbling to one site stands.
public struct ScrobbleReport: Sendable, Equatable {
    public var site: ScrobbleSite
    /// Whose account there listens go to.
    public var name: String
    /// Listens that are in the journal and were not sent yet.
    public var waiting = 0
    /// Listens that the site took since the login.
    public var sent = 0
    /// Listens that will never be sent, since the login, and why the last one of them.
    public var dropped = 0
    public var reason: String?
    /// What the site took last.
    public var last: Listen?
    /// Why nothing is sent now; nil = all is well.
    public var problem: Failure?

    public init(site: ScrobbleSite, name: String) {
        self.site = site
        self.name = name
    }
}
