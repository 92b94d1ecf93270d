/// A piece of sound as VK describes it: what is shown, and whether it can be had. Holds no location; those expire.
public struct Track: Sendable, Equatable, Codable, Identifiable {
    public var id: TrackID
    /// Opens a foreign track at `audio.getById`; part of no identity.
    public var accessKey: String?
    /// As shown: entities decoded once; may be empty (vk-api.md §5).
    public var artist: String
    public var title: String
    public var album: String?
    /// Whole seconds as VK says; 0 = unknown. Never divide by it.
    public var duration: Int
    /// False when VK gives no sound for it now; it may come back.
    public var isAvailable: Bool
    /// A sentence for a person; nil while available.
    public var unavailableReason: String?
    public var isExplicit: Bool
    /// Where VK keeps the cover; temporary, treated as a secret in logs.
    public var coverURL: String?
    /// Unix seconds when it was added or uploaded.
    public var date: Int64?
    /// Where the sound is, of a track that is not VK's (`SoundAddress.text`); treated as a secret in logs.
    public var address: String?

    public init(
        id: TrackID, accessKey: String? = nil, artist: String, title: String, album: String? = nil, duration: Int = 0,
        isAvailable: Bool = true, unavailableReason: String? = nil, isExplicit: Bool = false, coverURL: String? = nil,
        date: Int64? = nil, address: String? = nil
    ) {
        self.id = id
        self.accessKey = accessKey
        self.artist = artist
        self.title = title
        self.album = album
        self.duration = duration
        self.isAvailable = isAvailable
        self.unavailableReason = unavailableReason
        self.isExplicit = isExplicit
        self.coverURL = coverURL
        self.date = date
        self.address = address
    }

    public var reference: TrackReference { TrackReference(id: id, accessKey: accessKey) }
    /// VK's length as a duration; nil when VK does not know it.
    public var length: Duration? { duration > 0 ? .seconds(duration) : nil }
    /// As far as is known, there is no place in it to go on from: radio begins where it is now.
    public var isLive: Bool { duration == 0 && (address?.hasPrefix("http") ?? false) }
    /// The place of a sound that is not VK's; nil for VK's tracks.
    public var soundAddress: SoundAddress? { address.flatMap { try? SoundAddress($0) } }
}

/// A track with what this machine knows about it: one row of a listing (CONTRACT.md "JSON").
public struct ListedTrack: Sendable, Equatable {
    public var track: Track
    /// In the signed-in person's VK profile.
    public var isAdded: Bool
    /// Absolute path of the finished copy in My Music.
    public var copyPath: String?
    /// Absolute path of the cover picture.
    public var coverPath: String?

    public init(track: Track, isAdded: Bool = false, copyPath: String? = nil, coverPath: String? = nil) {
        self.track = track
        self.isAdded = isAdded
        self.copyPath = copyPath
        self.coverPath = coverPath
    }
}

/// How to get a track's sound now. Temporary: resolve just before use, never store, never log (vk-api.md §4.5).
public struct Location: Sendable, Equatable {
    public var url: Secret
    public init(url: Secret) { self.url = url }
}
