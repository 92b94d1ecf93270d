import CGLib
import Glibc
import NyanCore

extension MusicFolder {
    /// Deletes a file that was looked at before, if it is still that one: what somebody put in its place since is put back.
    ///
    /// It gets a hidden name first, under which nobody else puts anything.
    /// - Throws: `.conflict` where another file lies there now, `.fileAccess`.
    static func remove(_ copy: FinishedCopy, asItWas before: FileMoment?) throws(Failure) {
        // Gone between the two looks.
        guard let before else { return }
        let hidden = ForeignFile.hiddenPath(for: copy.path, id: copy.id)
        guard nyan_rename_new(copy.path, hidden) == 0 else {
            // A file system that cannot do that, or has no room for a longer name: deleting is how room is made.
            guard errno != ENOENT, let now = FileMoment(copy.path) else { return }
            guard now == before else { throw replaced(copy, in: copy.path) }
            if unlink(copy.path) != 0, errno != ENOENT { throw .file(errno, "delete", copy.path, subject: copy.id) }
            return
        }
        if FileMoment(hidden) == before {
            if unlink(hidden) == 0 { return }
            let number = errno
            ForeignFile.putBack(hidden, as: copy.path, id: copy.id)
            throw .file(number, "delete", copy.path, subject: copy.id)
        }
        throw replaced(copy, in: ForeignFile.putBack(hidden, as: copy.path, id: copy.id))
    }

    /// `place`: where the other file is now; `found`: the track it says it is.
    static func replaced(_ copy: FinishedCopy, in place: String, by found: TrackID? = nil) -> Failure {
        // Under a name like its own it is found beside it.
        let isHidden = place.hasSuffix(ForeignFile.ending)
        let (folder, name) = splitPath(isHidden ? place : copy.path)
        let reason = found.map { "is now the file of \($0)" } ?? "was replaced by a file nyand did not make"
        return Failure(.conflict, "\"\(name)\" in \(folder) \(reason); it is left alone", subject: copy.id)
    }
}
