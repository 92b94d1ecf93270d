import Glibc
public import NyanCore

// Taking in files that others made.
extension MusicFolder: MusicImporter {
    public func look(for folder: String) async throws(Failure) {
        try await offPool { () throws(Failure) in _ = try ImportWalk.facts(of: folder) }
    }

    public func candidates(in folder: String) async throws(Failure) -> [ImportCandidate] {
        let music = directory
        return try await offPool { () throws(Failure) in try ImportWalk.candidates(in: folder, music: music) }
    }

    public func identify(_ candidate: ImportCandidate) async throws(Failure) -> ImportedSound {
        try await offPool { () throws(Failure) in try SoundIdentity(candidate).describe(candidate) }
    }

    public func take(_ sound: ImportedSound, fileName: String) async throws(Failure) -> FinishedCopy {
        let folder = directory
        try await requireFolder(folder, for: sound.track.id)
        return try await offPool { [self] () throws(Failure) in
            sound.candidate.isInPlace ? try Self.inPlace(sound) : try copyNow(sound, fileName: fileName, in: folder)
        }
    }

    /// The file as it is: whoever put it there wants it so.
    private static func inPlace(_ sound: ImportedSound) throws(Failure) -> FinishedCopy {
        guard let path = String(validating: sound.candidate.path, as: UTF8.self) else {
            throw Failure(.badArgument, "its name is not in UTF-8: rename it, or import it from another folder")
        }
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw .file(errno, "read", path) }
        return FinishedCopy(id: sound.track.id, path: path, bytes: Int64(facts.st_size))
    }

    private func copyNow(_ sound: ImportedSound, fileName: String, in folder: String) throws(Failure) -> FinishedCopy {
        let id = sound.track.id
        let source = try Self.source(sound.candidate)
        let before = FileMoment(source.file.file.descriptor)
        try Folder.makeDurably(folder, mode: 0o755)
        let temporary = Self.temporaryPath(id, in: folder)
        do throws(Failure) {
            try Self.write(source, sound, to: temporary)
            guard before != nil, FileMoment(source.file.file.descriptor) == before else {
                throw Failure(.conflict, "it changed while it was read: try again")
            }
            let (path, _) = try names.place(temporary, as: fileName, id: id, in: folder)
            try Folder.sync(folder)
            var facts = stat()
            guard stat(path, &facts) == 0 else { throw .file(errno, "read", path) }
            return FinishedCopy(id: id, path: path, bytes: Int64(facts.st_size))
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// A file that went away since it was looked at is not the music folder's fault, which would end the whole import.
    private static func source(_ candidate: ImportCandidate) throws(Failure) -> SoundIdentity {
        do { return try SoundIdentity(candidate) } catch {
            throw error.code == .fileAccess ? Failure(.notFound, error.message) : error
        }
    }

    /// The new tag and the old sound; on the disk when it returns.
    private static func write(_ source: SoundIdentity, _ sound: ImportedSound, to path: String) throws(Failure) {
        let target = try OpenFile(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o644)
        hold(target)
        try target.makeReadable()
        switch sound.kind {
        case .mp3:
            let tag = try Tags.carried(source.tagPath, sound)
            try target.write(tag, at: 0)
            try source.file.append(try source.file.sound(), to: target, at: Int64(tag.count))
        case .aac:
            // Bare frames have no place for an id: they become an M4A file, as downloads of them do (0019).
            let walk = try source.file.verifyAAC(expected: nil)
            let tag = try Tags.carried(source.tagPath, sound)
            let head = try M4AHead(walk, id: sound.track.id).render(id3: tag, id: sound.track.id)
            try target.write(head, at: 0)
            _ = try source.file.appendFrames(walk, to: target, at: Int64(head.count))
        default:
            try source.file.append(0..<source.file.size, to: target, at: 0)
            try RewrittenSound.rewrite(target, as: sound, of: source)
        }
        try target.sync()
    }

    /// What the names of nyand's own unfinished files begin with.
    static let temporaryPrefix = ".nyand-"

    /// A name other players do not see.
    static func temporaryPath(_ id: TrackID, in folder: String) -> String {
        "\(folder)/\(temporaryPrefix)\(id)-\(String(UInt32.random(in: 0 ... .max), radix: 36)).part"
    }
}

extension OpenFile {
    /// Lets everybody read it, whatever the umask; FAT has no such rights, which is fine.
    func makeReadable() throws(Failure) {
        if fchmod(descriptor, 0o644) == 0 || [EPERM, ENOTSUP, ENOSYS, EINVAL].contains(errno) { return }
        throw .file(errno, "protect", path)
    }
}
