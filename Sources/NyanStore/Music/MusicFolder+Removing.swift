import CGLib
import Glibc
import NyanCore

extension MusicFolder {
    /// Deletes a file that was looked at before, if it is still that one: what somebody put in its place since is put back.
    ///
    /// It gets a hidden name first, under which nobody else puts anything.
    /// - Throws: `.conflict` where another file lies there now, `.fileAccess`.
    static func remove(_ copy: FinishedCopy, asItWas before: FileMoment?) throws(Failure) {
        let folder = splitPath(copy.path).folder
        let hidden = temporaryPath(copy.id, in: folder)
        guard before != nil, nyan_rename_new(copy.path, hidden) == 0 else {
            // A file system that cannot do that, or has no room for a longer name: deleting is how room is made.
            if unlink(copy.path) != 0, errno != ENOENT { throw .file(errno, "delete", copy.path, subject: copy.id) }
            return
        }
        if FileMoment(hidden) == before {
            if unlink(hidden) == 0 { return }
            let number = errno
            _ = nyan_rename_new(hidden, copy.path)
            throw .file(number, "delete", copy.path, subject: copy.id)
        }
        let name = splitPath(copy.path).name
        // Somebody may be quicker once more.
        for number in 0..<1000 {
            if nyan_rename_new(hidden, "\(folder)/\(FileName.variant(of: name, id: copy.id, number: number))") == 0 {
                break
            }
        }
        let reason = "was replaced by a file nyand did not make"
        throw Failure(.conflict, "\"\(name)\" in \(folder) \(reason); it is left alone", subject: copy.id)
    }
}
