import CGLib
import Glibc
import NyanCore
import Synchronization

/// The names taken in the music folder, and the one step that gives a finished file its own.
final class MusicNames: Sendable {
    private let taken: Mutex<Taken>

    private struct Taken {
        var folder = ""
        /// When the folder changed last, as it was when the names were read.
        var changed: [Int] = []
        /// Names given since they were read.
        var given = 0
        /// Names by what a case-insensitive file system makes of them.
        var names: [String: String] = [:]
    }

    init() { taken = Mutex(Taken()) }

    /// Renames `temporary` to `name`, or to its variant with the id when another track's file has that name. Nothing
    /// foreign is ever overwritten; this track's own earlier file is replaced.
    /// - Returns: the path it has now, and whether this track's earlier file gave way to it.
    func place(_ temporary: String, as name: String, id: TrackID, in folder: String) throws(Failure)
        -> (path: String, replaced: Bool)
    {
        try taken.withLock { taken throws(Failure) in
            taken.given += 1
            var number = 0
            var lookedAgainAt: Int?
            while number < 1000 {
                let candidate = FileName.variant(of: name, id: id, number: number)
                Self.refresh(&taken, folder)
                let key = FileName.collisionKey(candidate)
                if let existing = taken.names[key], Self.isThere("\(folder)/\(existing)") {
                    let path = "\(folder)/\(existing)"
                    // Where names cannot be taken in one step, a kill leaves an empty file behind.
                    if existing == candidate, Self.isEmptyFile(path), try Self.renameIfFree(temporary, path, id: id) {
                        return (path, false)
                    }
                    guard Tags.trackID(of: path) == id else {
                        number += 1
                        continue
                    }
                    if try Self.replace(path, with: temporary, id: id) { return (path, true) }
                    // It is another one's now, or gone: looks at what is there.
                    taken.changed = []
                    if lookedAgainAt == number { number += 1 } else { lookedAgainAt = number }
                    continue
                }
                let path = "\(folder)/\(candidate)"
                if try Self.renameIfFree(temporary, path, id: id) {
                    taken.names[key] = candidate
                    taken.changed = Self.changed(folder)
                    return (path, false)
                }
                // Somebody took the name since the names were read: looks at the same one again, once.
                taken.changed = []
                if lookedAgainAt == number { number += 1 } else { lookedAgainAt = number }
            }
            throw Failure(.conflict, "no free name for \"\(name)\" in \(folder)", subject: id)
        }
    }

    /// Puts ours over this track's earlier file in one step that gives back what was there: somebody's file that came
    /// there after the look is put back.
    /// - Returns: false when it was another one's or nobody's.
    static func replace(_ path: String, with temporary: String, id: TrackID) throws(Failure) -> Bool {
        // What comes back may be somebody's: under this name nobody deletes it, not even after a kill.
        let hidden = ForeignFile.hiddenPath(for: path, id: id)
        guard rename(temporary, hidden) == 0 else { throw .file(errno, "replace", path, subject: id) }
        guard nyan_rename_exchange(hidden, path) == 0 else {
            let number = errno
            rename(hidden, temporary)
            if number == ENOENT { return false }
            // File systems that cannot do that do it in two looks.
            guard number == EINVAL || number == ENOSYS else { throw .file(number, "replace", path, subject: id) }
            if rename(temporary, path) != 0 { throw .file(errno, "replace", path, subject: id) }
            return true
        }
        if Tags.trackID(of: hidden) == id {
            unlink(hidden)
            return true
        }
        guard nyan_rename_exchange(hidden, path) == 0 else {
            // Ours is gone from there: the name is free for what was there, or somebody has it already.
            let number = errno
            let place = ForeignFile.putBack(hidden, as: path, id: id)
            throw .file(number, "replace", place, subject: id)
        }
        rename(hidden, temporary)
        return false
    }

    /// Whether something has this name now, be it a link that leads nowhere.
    private static func isThere(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 || errno != ENOENT
    }

    /// Reads the names anew if the folder changed. Our own temporary files change it each time; so in a large folder that
    /// is done after a number of names only. Until then a foreign file that differs in case alone may not be seen; one of
    /// the very name is, as the rename tells.
    private static func refresh(_ taken: inout Taken, _ folder: String) {
        let changed = changed(folder)
        let isRead = taken.folder == folder && !taken.changed.isEmpty
        if isRead && (taken.changed == changed || taken.given * 64 < taken.names.count) { return }
        taken.given = 0
        let names = Folder.names(in: folder).map { (FileName.collisionKey($0), $0) }
        taken.names = Dictionary(names, uniquingKeysWith: { first, _ in first })
        taken.folder = folder
        taken.changed = changed
    }

    private static func changed(_ folder: String) -> [Int] {
        var facts = stat()
        return stat(folder, &facts) == 0 ? [Int(facts.st_mtim.tv_sec), Int(facts.st_mtim.tv_nsec)] : []
    }

    /// - Returns: false when the name is taken.
    static func renameIfFree(_ from: String, _ to: String, id: TrackID) throws(Failure) -> Bool {
        if nyan_rename_new(from, to) == 0 { return true }
        if errno == EEXIST { return false }
        guard errno == EINVAL || errno == ENOSYS else { throw .file(errno, "rename to", to, subject: id) }
        // Older network and FUSE file systems: a hard link also fails on a taken name.
        if link(from, to) == 0 {
            unlink(from)
            return true
        }
        if errno == EEXIST { return false }
        return try takeName(from, to, id: id)
    }

    /// A file of ours or somebody's in which nothing ever was.
    private static func isEmptyFile(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && facts.st_size == 0
    }

    /// Without renames that fail on a taken name, and without links: takes the name with an empty file first, then puts
    /// ours over it. An empty file that is there counts as free, as a kill between the two leaves one.
    /// - Returns: false when the name is taken.
    static func takeName(_ from: String, _ to: String, id: TrackID) throws(Failure) -> Bool {
        let descriptor = Glibc.open(to, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o644)
        if descriptor < 0 {
            let number = errno
            guard number == EEXIST else { throw .file(number, "create", to, subject: id) }
            if !isEmptyFile(to) { return false }
        } else {
            close(descriptor)
        }
        if rename(from, to) == 0 { return true }
        let number = errno
        unlink(to)
        throw .file(number, "rename to", to, subject: id)
    }
}
