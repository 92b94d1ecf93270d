/// Port: what is in the music folder. Works on threads of its own; reads only.
public protocol MusicSight: Sendable {
    /// Names, sizes and times of all sound files; no file is opened.
    func look() async -> FolderSight
    /// The same files with the tracks their tags name.
    func identify(_ files: [SeenFile]) async -> [SeenFile]
    /// Those whose file somebody took away from a folder that is there.
    func goneOnes(_ copies: [FinishedCopy]) async -> Set<TrackID>
    /// What a file's tag says of its track, for one nobody described.
    func describe(_ copy: FinishedCopy) async -> Track?
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
