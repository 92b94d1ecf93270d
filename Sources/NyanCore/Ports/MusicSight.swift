/// Port: what is in the music folder. Works on threads of its own; reads only.
public protocol MusicSight: Sendable {
    /// Names, sizes and times of all sound files; no file is opened.
    /// - Throws: where it cannot be seen what is there; a folder that is not there is an answer.
    func look() async throws(Failure) -> FolderSight
    /// The same files with the tracks their tags name.
    func identify(_ files: [SeenFile]) async -> [SeenFile]
    /// Which of these are not where they were, for copies in other folders.
    func absent(of copies: [FinishedCopy]) async -> Absence
    /// What a file's tag says of its track, for one nobody described.
    func describe(_ copy: FinishedCopy) async -> Track?
}

/// Copies that are not where they were.
public struct Absence: Sendable, Equatable {
    /// There is no such file now, whatever the reason: their disk may be away.
    public var missing: Set<TrackID>
    /// Those of them that somebody took away: they are missing among others.
    public var gone: Set<TrackID>

    public init(missing: Set<TrackID> = [], gone: Set<TrackID> = []) {
        self.missing = missing
        self.gone = gone
    }
}

/// Port: which files the library counts as finished copies, and which were seen. Returning means durable.
public protocol CopyLedger: Sendable {
    func finishedCopies() async throws(Failure) -> [FinishedCopy]
    func seenFiles() async throws(Failure) -> [SeenFile]
    /// Carries out what a look found, all or nothing. A copy that has got another path meanwhile is left as it is; one that
    /// is gone is no longer brought by any rule.
    /// `described`: tracks of found files that the library may not know.
    /// - Returns: the copies that are certainly forgotten now.
    func take(_ changes: FolderChanges, described: [Track]) async throws(Failure) -> [TrackID]
}

/// Port: tells when the music folder changes. Main actor; costs nothing while nothing changes.
@MainActor public protocol FolderSignals: AnyObject {
    var onChange: () -> Void { get set }
    /// From now on this folder and these inside of it are listened to, and nothing else; where the folder is not there,
    /// its coming. `true`: some of them were not listened to before, so that a change may have been missed.
    func listen(to folder: String, _ subfolders: [String]) async -> Bool
    /// Paths that were deleted one by one since the last call.
    func takeDeleted() -> Set<String>
}
