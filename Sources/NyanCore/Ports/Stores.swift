/// A finished copy in My Music.
public struct FinishedCopy: Sendable, Equatable {
    public var id: TrackID
    /// Absolute path.
    public var path: String
    public var bytes: Int64
    /// Of a fresh finish: an older file of this track was there and gave way. Not stored.
    public var replaced: Bool
    public init(id: TrackID, path: String, bytes: Int64, replaced: Bool = false) {
        self.id = id
        self.path = path
        self.bytes = bytes
        self.replaced = replaced
    }
}

/// Port: what we know of tracks, on disk. Returning means durable against kill -9.
public protocol LibraryStore: Sendable {
    /// The profile in VK's order, for deciding a sync.
    func profileIDs() async throws(Failure) -> [TrackID]
    /// Tracks of the profile in VK's order; `filter` matches artist, title and album whatever the case, ё like е.
    func profile(matching filter: String?) async throws(Failure) -> [ListedTrack]
    /// Finished copies, newest first.
    func music(matching filter: String?) async throws(Failure) -> [ListedTrack]
    /// Every known track matching, profile first: what a quoted text selects.
    func known(matching text: String) async throws(Failure) -> [ListedTrack]
    /// Known tracks in the order asked; unknown ids are left out.
    func tracks(_ ids: [TrackID]) async throws(Failure) -> [ListedTrack]
    /// Takes over descriptions seen anywhere (search, resolve) without touching the profile's order.
    func remember(_ tracks: [Track]) async throws(Failure)
    /// Carries out a sync: descriptions, order, gone ones. Local copies stay. An unchanged list writes nothing.
    func apply(_ plan: SyncPlan) async throws(Failure)
    /// Forgets the profile (log out), keeps tracks that have a copy.
    func forgetProfile() async throws(Failure)

    func copy(of id: TrackID) async throws(Failure) -> FinishedCopy?
    func addCopy(_ copy: FinishedCopy) async throws(Failure)
    func removeCopy(_ id: TrackID) async throws(Failure)
    /// Remembers where a track's cover picture is; nil = none any more.
    func setCover(_ path: String?, of id: TrackID) async throws(Failure)

    func downloads() async throws(Failure) -> [Download]
    /// Writes these downloads, in queue order given by their `order`.
    func save(_ downloads: [Download]) async throws(Failure)
    func removeDownloads(_ ids: [TrackID]) async throws(Failure)

    /// The account that was proved last, for `whoami` without network.
    func account() async throws(Failure) -> Account?
    func setAccount(_ account: Account?) async throws(Failure)
    /// Small settings of the daemon's own (offline mode, last sync).
    func note(_ key: String) async throws(Failure) -> String?
    func setNote(_ key: String, _ value: String?) async throws(Failure)
}

/// Port: the queue, the position and the volume, on disk.
public protocol PlaybackStore: Sendable {
    /// nil when there is none yet, and when a damaged file was set aside for a new one. After a failure what is stored
    /// is unknown and stays as it is.
    func load() async throws(Failure) -> SavedPlayback?
    /// Writes what differs from the last save; returning means durable against kill -9.
    func save(_ playback: SavedPlayback) async throws(Failure)
}

/// Port: one credential, in the Secret Service or a 0600 file.
public protocol CredentialStore: Sendable {
    func load() async throws(Failure) -> Credential?
    func save(_ credential: Credential) async throws(Failure)
    func erase() async throws(Failure)
    /// Where it is kept, in a word for the log and `doctor`.
    var place: String { get async }
    /// What kept the last save from the place it belongs to, though the credential is kept; nil = nothing.
    var trouble: Failure? { get async }
    /// Moves what is kept elsewhere to the place it belongs to, if that can be used now.
    func settle() async
    /// What the log should say about what was found, each once.
    func warnings() async -> [String]
}

extension CredentialStore {
    public var trouble: Failure? { get async { nil } }
    public func settle() async {}
    public func warnings() async -> [String] { [] }
}

/// Port: growing files of tracks being fetched, and what was streamed before.
public protocol CopyStore: Sendable {
    /// Opens the growing copy of a track, with what an earlier run left of it. One object per track at a time is the
    /// caller's duty. `durable` = a download wants it: it lives beside the library, not in the cache.
    func open(_ id: TrackID, durable: Bool) throws(Failure) -> any CopySink
    /// Moves an open copy to the durable place (a playing track is wanted as a download now).
    func makeDurable(_ id: TrackID) throws(Failure)
    /// Removes a growing copy's files; readers that have it open keep reading.
    func discard(_ id: TrackID) throws(Failure)
    /// Removes the durable copies that no download wants any more: what a crash left behind. Open ones stay.
    func sweep(keeping: Set<TrackID>)
    /// Opens a finished file for reading.
    func openFile(_ path: String) throws(Failure) -> any ByteSource
    /// Reads what a file says about itself; throws as `openFile` where it cannot be opened.
    func describeFile(_ path: String) async throws(Failure) -> FileDescription
    /// Keeps the stream cache under `bytes`, least recently used first; `keeping` are in use.
    func prune(to bytes: Int64, keeping: Set<TrackID>)
}

/// What a file says about itself, as far as it does.
public struct FileDescription: Sendable, Equatable {
    public var title: String?
    public var artist: String?
    public var album: String?
    /// 0 = unknown.
    public var seconds: Int
    public init(title: String? = nil, artist: String? = nil, album: String? = nil, seconds: Int = 0) {
        self.title = title
        self.artist = artist
        self.album = album
        self.seconds = seconds
    }
}

/// What a finished file is told about itself.
public struct FileTags: Sendable, Equatable {
    public var title: String
    public var artist: String
    public var album: String?
    /// `OWNER_ID`, so that a moved file is still known.
    public var trackID: TrackID
    /// Path of a JPEG or PNG.
    public var coverPath: String?
    /// The song's words, where they are known.
    public var lyrics: Lyrics?
    public init(
        title: String, artist: String, album: String?, trackID: TrackID, coverPath: String?, lyrics: Lyrics? = nil
    ) {
        self.lyrics = lyrics
        self.title = title
        self.artist = artist
        self.album = album
        self.trackID = trackID
        self.coverPath = coverPath
    }
}

/// Port: turns a complete copy into an ordinary tagged file in My Music.
public protocol Finisher: Sendable {
    /// Verifies (magic, frame walk, duration within 2 s of `length`), copies, tags, names, fsyncs and renames.
    /// Never touches the growing file nor overwrites a foreign one.
    func finish(_ id: TrackID, tags: FileTags, expectedLength: Duration?, fileName: String) async throws(Failure)
        -> FinishedCopy
    /// Deletes a finished file; one that is already gone is fine, one that is another track's or somebody's is left.
    func delete(_ copy: FinishedCopy) async throws(Failure)
}

/// Port: cover pictures in the cache, a new file name for each picture.
public protocol CoverStore: Sendable {
    /// Checks that these bytes are a JPEG or PNG and stores them under their content's name; returns the absolute path.
    func store(_ bytes: [UInt8]) async throws(Failure) -> String
    func prune(keeping: Set<String>) async
}
