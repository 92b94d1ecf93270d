import Glibc
public import NyanCore

// Finished files for other places, such as a stick for the car.
extension MusicFolder: MusicExporter {
    public func prepare(folder: String) async throws(Failure) {
        try await offPool { () throws(Failure) in
            guard folder.hasPrefix("/"), !folder.utf8.contains(0) else {
                throw Failure(.badArgument, "a folder is named by its whole path, from / on")
            }
            try Self.make(folder)
            if access(folder, W_OK | X_OK) != 0 { throw .file(errno, "write into the folder", folder) }
            // What an export left that was killed.
            Self.sweep(folder)
        }
    }

    /// Only the last element: a mistyped path, or a stick that is not there, shall not become a folder.
    private static func make(_ folder: String) throws(Failure) {
        if mkdir(folder, 0o755) == 0 { return Folder.setMode(folder, 0o755) }
        let number = errno
        if Folder.isThere(folder) { return }
        switch number {
        case ENOENT: throw Failure(.notFound, "there is no folder \(splitPath(folder).folder)")
        case EEXIST: throw Failure(.conflict, "\(folder) is no folder")
        default: throw .file(number, "make the folder", folder)
        }
    }

    public func export(
        _ copy: FinishedCopy, as fileName: String, to folder: String
    ) async throws(Failure) -> (path: String, wasThere: Bool) {
        try await offPool { () throws(Failure) in try Self.exportNow(copy, fileName, folder) }
    }

    private static func exportNow(
        _ copy: FinishedCopy, _ fileName: String, _ folder: String
    ) throws(Failure) -> (path: String, wasThere: Bool) {
        guard !fileName.isEmpty, !fileName.contains("/"), fileName.utf8.count <= 255 else {
            throw Failure(.internal, "\"\(fileName)\" is no file name", subject: copy.id)
        }
        let source = try source(copy)
        let temporary = temporaryPath(copy.id, in: folder)
        var isWritten = false
        defer { if isWritten { unlink(temporary) } }
        // By what a case-insensitive file system makes of them.
        let taken = Dictionary(
            Folder.names(in: folder).map { (FileName.collisionKey($0), $0) }, uniquingKeysWith: { first, _ in first })
        for number in 0..<1000 {
            let candidate = FileName.variant(of: fileName, id: copy.id, number: number)
            if let existing = taken[FileName.collisionKey(candidate)] {
                guard try isSame(source, "\(folder)/\(existing)") else { continue }
                return ("\(folder)/\(existing)", true)
            }
            if !isWritten {
                isWritten = true
                try write(source, to: temporary, id: copy.id)
            }
            let path = "\(folder)/\(candidate)"
            guard try MusicNames.renameIfFree(temporary, path, id: copy.id) else { continue }
            isWritten = false
            try Folder.sync(folder)
            return (path, false)
        }
        throw Failure(.conflict, "no free name for \"\(fileName)\" in \(folder)", subject: copy.id)
    }

    /// What cannot be read of My Music is that file's trouble alone: `.notFound` where it is gone, `.damagedSound` else;
    /// `.fileAccess` is the target's.
    private static func source(_ copy: FinishedCopy) throws(Failure) -> OpenFile {
        do throws(Failure) {
            return try OpenFile(copy.path, O_RDONLY | O_NONBLOCK | O_NOCTTY, subject: copy.id)
        } catch {
            guard error.code == .fileAccess, access(copy.path, F_OK) != 0 else { throw unreadable(error) }
            throw Failure(.notFound, error.message, subject: copy.id)
        }
    }

    private static func unreadable(_ failure: Failure) -> Failure {
        Failure(.damagedSound, failure.message, subject: failure.subject)
    }

    private static func write(_ source: OpenFile, to path: String, id: TrackID) throws(Failure) {
        let target = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o644, subject: id)
        hold(target)
        try target.makeReadable()
        let sound = SoundFile(source, id: id)
        do throws(Failure) {
            try sound.append(0..<sound.size, to: target, at: 0)
        } catch  where error.code == .fileAccess {
            // Which of the two files it was: the source that is whole is not to blame.
            do throws(Failure) { try sound.read(0..<sound.size) { _ in } } catch { throw unreadable(error) }
            throw error
        }
        try target.sync(subject: id)
    }

    /// Whether a file has the very bytes of `source`. What cannot be read is another one.
    private static func isSame(_ source: OpenFile, _ path: String) throws(Failure) -> Bool {
        guard let size = source.size,
            let descriptor = retrying({
                Int(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))
            })
        else { return false }
        let other = OpenFile(taking: Int32(descriptor), path: path)
        guard other.size == size else { return false }
        let mine = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        let theirs = UnsafeMutableRawBufferPointer.allocate(byteCount: mine.count, alignment: 16)
        defer {
            mine.deallocate()
            theirs.deallocate()
        }
        var place: Int64 = 0
        while place < size {
            guard let count = source.read(at: place, into: mine), count > 0 else {
                throw unreadable(.file(errno, "read", source.path))
            }
            let part = UnsafeMutableRawBufferPointer(rebasing: theirs[..<count])
            guard other.read(at: place, into: part) == count, let one = mine.baseAddress, let two = part.baseAddress,
                memcmp(one, two, count) == 0
            else { return false }
            place += Int64(count)
        }
        return true
    }
}
