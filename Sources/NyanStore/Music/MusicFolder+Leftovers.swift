import Glibc
import NyanCore

// Hidden files of a finish that a kill interrupted. Whoever makes a file holds a lock on it, which ends with him: so what
// another daemon is about to finish in the same folder is left alone.
extension MusicFolder {
    /// Removes what nobody writes any more. Called once at start, before anything is finished.
    public func sweepLeftovers() async {
        let folder = directory
        try? await offPool { () throws(Failure) in
            for name in Folder.names(in: folder) where name.hasPrefix(".nyand-") && name.hasSuffix(".part") {
                guard let file = try? OpenFile("\(folder)/\(name)", O_RDONLY | O_NOFOLLOW),
                    flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
                else { continue }
                unlink("\(folder)/\(name)")
            }
        }
    }

    /// Says that somebody writes this file, for as long as it is open.
    static func hold(_ file: OpenFile) { _ = flock(file.descriptor, LOCK_EX | LOCK_NB) }
}
