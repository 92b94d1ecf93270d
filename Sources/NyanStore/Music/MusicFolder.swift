import Glibc
public import NyanCore
import Synchronization

/// My Music: turns complete copies into ordinary tagged files any player can open, MP3 or (of AAC) M4A. Works on threads
/// of its own; several tracks at once are fine.
public final class MusicFolder: Finisher {
    private let copies: CopyFolder
    private let folder: Mutex<String>
    let names = MusicNames()
    let isKnown: IsKnown
    let mounts = MountPlaces()
    /// Where leftovers were looked for since the start.
    private let tidied = Mutex<Set<String>>([])

    /// Whether the library lists finished copies in a folder: then it was there, and is not made anew.
    public typealias IsKnown = @Sendable (_ folder: String) async throws(Failure) -> Bool

    /// `directory`: absolute; made when the first track is finished.
    public init(
        directory: String, copies: CopyFolder, isKnown: @escaping IsKnown = { (_) async throws(Failure) in false }
    ) {
        self.folder = Mutex(directory)
        self.copies = copies
        self.isKnown = isKnown
    }

    /// Where finished files go.
    public var directory: String { folder.withLock { $0 } }

    /// Goes on in another folder (settings were read anew); files that are there stay where they are.
    public func use(_ directory: String) { folder.withLock { $0 = directory } }

    public func finish(
        _ id: TrackID, tags: FileTags, expectedLength: Duration?, fileName: String
    ) async throws(Failure) -> FinishedCopy {
        let folder = directory
        try await requireFolder(folder, for: id)
        return try await offPool { [self] () throws(Failure) in
            try finishNow(id, tags: tags, expectedLength: expectedLength, fileName: fileName, in: folder)
        }
    }

    /// Throws where the folder is missing though it was there: made anew on another disk, it would hide that the files are
    /// away.
    func requireFolder(_ folder: String, for id: TrackID) async throws(Failure) {
        let (isAway, isThere) = try await offPool { [mounts] () throws(Failure) in
            (mounts.isAway(folder), Folder.isThere(folder))
        }
        if isAway { throw Self.away(folder, id) }
        if !isThere, try await isKnown(folder) { throw Self.away(folder, id) }
    }

    private static func away(_ folder: String, _ id: TrackID) -> Failure {
        Failure(.fileAccess, "\(folder) is not there; is its disk mounted?", subject: id)
    }

    private func finishNow(
        _ id: TrackID, tags: FileTags, expectedLength: Duration?, fileName: String, in folder: String
    ) throws(Failure) -> FinishedCopy {
        guard !fileName.isEmpty, !fileName.contains("/"), fileName.utf8.count <= 255 else {
            throw Failure(.internal, "\"\(fileName)\" is no file name", subject: id)
        }
        guard let copy = copies.complete(id) else {
            throw Failure(.damagedSound, "Bytes of the sound are missing.", subject: id, retry: .later)
        }
        let sound = try SoundFile(copy.path, id: id, size: copy.size)
        let form = try sound.verify(expected: expectedLength, playlist: copies.playlistLength(id))
        try Folder.makeDurably(folder, mode: 0o755)
        // Once a folder: with thousands of files in it, a look takes longer than the rest.
        if tidied.withLock({ $0.insert(folder).inserted }) { removeLeftovers(of: id, in: folder) }
        let temporary = Self.temporaryPath(id, in: folder)
        do throws(Failure) {
            let bytes = try write(sound, form, tags, to: temporary)
            let (path, replaced) = try names.place(temporary, as: form.named(fileName), id: id, in: folder)
            try Folder.sync(folder)
            return FinishedCopy(id: id, path: path, bytes: bytes, replaced: replaced)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Tag, then sound, then on to the disk.
    /// - Returns: bytes of the new file.
    private func write(
        _ sound: SoundFile, _ form: SoundForm, _ tags: FileTags, to path: String
    ) throws(Failure) -> Int64 {
        var tag = try Tags.render(tags, length: form.length, keepingGainOf: sound.file.path)
        if case .aac(let walk) = form { tag = try M4AHead(walk, id: sound.id).render(id3: tag, id: sound.id) }
        let range = try sound.sound()
        let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o644, subject: sound.id)
        // Other players and other people's media servers are to read it.
        try file.makeReadable()
        try file.write(tag, at: 0)
        Self.hold(file)
        var bytes = range.upperBound - range.lowerBound
        switch form {
        case .mp3: try sound.append(range, to: file, at: Int64(tag.count))
        case .aac(let walk): bytes = try sound.appendFrames(walk, to: file, at: Int64(tag.count))
        }
        try file.sync(subject: sound.id)
        return Int64(tag.count) + bytes
    }

    public func delete(_ copy: FinishedCopy) async throws(Failure) {
        try await offPool { () throws(Failure) in
            let folder = splitPath(copy.path).folder
            var facts = stat()
            guard lstat(copy.path, &facts) == 0 else {
                guard errno == ENOENT || errno == ENOTDIR else {
                    throw .file(errno, "delete", copy.path, subject: copy.id)
                }
                // Gone is only what its folder no longer has.
                if Folder.isThere(folder) { return }
                throw Self.away(folder, copy.id)
            }
            let before = FileMoment(copy.path)
            // A link whose file is away is ours to remove; any other file must say that it is this track.
            if stat(copy.path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG {
                if access(copy.path, R_OK) != 0 { throw .file(errno, "read", copy.path, subject: copy.id) }
                guard Tags.isFile(copy.path, of: copy.id) else {
                    throw Self.replaced(copy, in: copy.path, by: Tags.trackID(of: copy.path))
                }
            }
            try Self.remove(copy, asItWas: before)
        }
    }

    /// A file of My Music that says which track it is.
    public struct Found: Sendable, Equatable {
        public var copy: FinishedCopy
        /// Title, artist and album as its tag says.
        public var track: Track
    }

    /// Whether the folder is there now; the disk it is on may be away.
    public func isThere() async -> Bool {
        let folder = directory
        return (try? await offPool { () throws(Failure) in Folder.isThere(folder) }) ?? false
    }

    /// Reads which tracks the folder's files are, to rebuild a lost library from them.
    public func scan() async throws(Failure) -> [Found] {
        let folder = directory
        return try await offPool { () throws(Failure) in
            try Self.names(of: folder).sorted().compactMap { name -> Found? in
                let path = "\(folder)/\(name)"
                var facts = stat()
                guard !name.hasPrefix("."), ImportWalk.isSound(Array(name.utf8)), stat(path, &facts) == 0,
                    let file = try? SoundIdentity(ImportCandidate(path: Array(path.utf8))),
                    let tags = withExtendedLifetime(file, { Tags.identify(file.tagPath, file.kind) }),
                    let id = tags.trackID
                else { return nil }
                return Found(
                    copy: FinishedCopy(id: id, path: path, bytes: Int64(facts.st_size)),
                    // VK tells the length of its own once it is asked.
                    track: Track(
                        id: id, artist: tags.artist, title: tags.title, album: tags.album,
                        duration: id.isVKs ? 0 : (tags.length + 500) / 1000))
            }
        }
    }
}
