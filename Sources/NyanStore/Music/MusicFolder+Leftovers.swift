import Glibc
public import NyanCore

// Hidden files of a finish that a kill interrupted. Whoever makes a file holds a lock on it, which ends with him: so what
// another daemon is about to finish in the same folder is left alone.
extension MusicFolder {
    /// Removes what nobody writes any more. Called once at start, before anything is finished.
    public func sweepLeftovers() async {
        let folder = directory
        try? await offPool { () throws(Failure) in Self.sweep(folder) }
    }

    static func sweep(_ folder: String) {
        ForeignFile.settle(in: folder)
        for name in temporaryNames(in: folder) {
            // Not blocking: whoever gave it that name may have made a pipe.
            guard let file = try? OpenFile("\(folder)/\(name)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY),
                flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            unlink("\(folder)/\(name)")
        }
    }

    /// Hidden files of a finish that a kill interrupted: this track's, and anybody's that are older than an hour. For a folder
    /// that was not there at the start, or is another by now.
    func removeLeftovers(of id: TrackID, in folder: String) {
        for name in Self.temporaryNames(in: folder) {
            var facts = stat()
            guard stat("\(folder)/\(name)", &facts) == 0 else { continue }
            if name.hasPrefix("\(Self.temporaryPrefix)\(id)-") || time(nil) - facts.st_mtim.tv_sec > 3600 {
                unlink("\(folder)/\(name)")
            }
        }
    }

    /// The folder's files under names as `temporaryPath` makes them.
    private static func temporaryNames(in folder: String) -> [String] {
        Folder.names(in: folder).filter { $0.hasPrefix(temporaryPrefix) && $0.hasSuffix(".part") }
    }

    /// Says that somebody writes this file, for as long as it is open.
    static func hold(_ file: OpenFile) { _ = flock(file.descriptor, LOCK_EX | LOCK_NB) }
}

extension MusicFolder {
    /// The file that a finish of this track under this name has made, if it came so far.
    public func finishedFile(_ id: TrackID, name: String) async -> FinishedCopy? {
        let folder = directory
        // An AAC sound has the other ending (decision 0019).
        let names = [name, name.hasSuffix(".mp3") ? name.dropLast(4) + ".m4a" : name]
        let found = try? await offPool { () throws(Failure) -> FinishedCopy? in
            for name in names {
                if let copy = Self.file(of: id, named: name, in: folder) { return copy }
            }
            return nil
        }
        return found ?? nil
    }

    /// This track's file among those of the name and its variants.
    private static func file(of id: TrackID, named name: String, in folder: String) -> FinishedCopy? {
        for number in 0..<1000 {
            let path = "\(folder)/\(FileName.variant(of: name, id: id, number: number))"
            var facts = stat()
            guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
            if Tags.read(path)?.trackID == id {
                return FinishedCopy(id: id, path: path, bytes: Int64(facts.st_size))
            }
        }
        return nil
    }
}
